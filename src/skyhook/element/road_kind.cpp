#include "skyhook/element/road_kind.h"

#include <algorithm>
#include <cmath>

#include "skyhook/element/finding.h"
#include "skyhook/element/smooth_step.h"
#include "skyhook/model/grain.h"
#include "skyhook/model/surface_span.h"

namespace skyhook::element {
namespace {

using model::Bend, model::Relief, model::Surface;
using ReliefPtr = std::shared_ptr<const Relief>;

// A relief between two y, with flanks.
struct Between final : Relief, model::Grained {
  Between(ReliefPtr of, double a, double b, double f) : relief(std::move(of)), first(a), last(b), flank(f) {}
  ReliefPtr relief;
  double first, last, flank;

  Bend at(double x, double y) const override {
    const SmoothStep a = smooth_step(1 + (y - first) / flank), b = smooth_step(1 + (last - y) / flank);
    const double w = a.value * b.value, wy = (a.slope * b.value - a.value * b.slope) / flank;
    const double wyy = (a.curvature * b.value - 2 * a.slope * b.slope + a.value * b.curvature) / (flank * flank);
    const Bend h = relief->at(x, y);
    return {w * h.value,
            w * h.x,
            w * h.y + wy * h.value,
            w * h.xx,
            w * h.xy + wy * h.x,
            w * h.yy + 2 * wy * h.y + wyy * h.value};
  }
  bool varies_across() const override { return true; }
  void look(double x, double y, model::TableLooks& looks) const override {
    if (y > first - flank && y < last + flank) relief->look(x, y, looks);
  }
  double grain() const override { return std::min(model::grain_of(*relief), flank / 4); }
  Span span() const override { return relief->span(); }
};

// Another road; `along` and `across` are those of the road that it is added to.
struct Other final : Relief, model::Grained {
  Other(std::shared_ptr<const Surface> of, double x_sign, double y_sign)
      : surface(std::move(of)), along(x_sign), across(y_sign) {}
  std::shared_ptr<const Surface> surface;
  double along, across;

  Bend at(double x, double y) const override {
    Bend h = surface->height(along * x, across * y);
    h.x *= along, h.y *= across, h.xy *= along * across;
    return h;
  }
  bool varies_across() const override { return surface->varies_across(); }
  void look(double x, double y, model::TableLooks& looks) const override {
    surface->look(along * x, across * y, looks);
  }
  double grain() const override { return model::grain_of(*surface); }
  Span span() const override {
    const Span s = model::span_of(*surface);
    return along > 0 ? s : Span{-s.last, -s.first};
  }
};

void check(const RoadKind& k, const model::FieldSource& source) {
  if (!k.y.empty() && (k.y.size() != 2 || !(k.y[0] < k.y[1])))
    fail(source, "y", "y is no range.", "Write [from, to], from below to.");
  for (const auto& [sign, name] : {std::pair{k.along, "along"}, std::pair{k.across, "across"}}) {
    if (std::abs(sign) != 1.0) fail(source, name, std::string(name) + " is neither 1 nor -1.", "Write 1 or -1.");
  }
}

void check_added(const model::Road& other, const RoadKind& k, const model::FieldSource& source) {
  const Surface::Parts& p = other.surface->parts();
  const std::string what = "road \"" + other.name + "\", which is added, ";
  if (!other.surface->is_smooth_and_still())
    fail(source, "add", what + "has stairs or a lift.", "Give these to the road that adds the others.");
  if (p.friction != 1.0 || !p.patches.empty())
    fail(source, "add", what + "has a friction of its own.", "Give it to the road that adds the others.");
  if (other.from.body != k.from.body || other.from.at != k.from.at || other.from.axes != k.from.axes)
    fail(source, "add", what + "lies elsewhere.", "Give both the same `from`.");
}

}  // namespace

void RoadKind::put(Surface::Parts own, const model::FieldSource& source, model::Model& model) const {
  check(*this, source);
  if (!y.empty() && !own.stairs.empty())
    fail(source, "y", "stairs go over all y.", "Round them (`rounding`), or remove y.");
  if (!y.empty()) {
    for (ReliefPtr& relief : own.reliefs) relief = std::make_shared<Between>(relief, y[0], y[1], flank);
  }
  for (const model::RoadRef& ref : add) {
    const model::Road& other = model.roads[static_cast<std::size_t>(ref.index)];
    check_added(other, *this, source);
    if (other.surface->is_plane()) continue;
    own.reliefs.push_back(std::make_shared<Other>(other.surface, along, across));
  }
  own.lift = lift;
  own.friction = friction, own.patches = patches;
  own.along = along, own.across = across;
  model::Road road;
  road.name = source.name(), road.where = source.where("");
  road.from = from;
  road.from.name = road.name;  // by which what stands on it is known to do so
  road.surface = std::make_shared<Surface>(std::move(own));
  model.roads.push_back(std::move(road));
}

}  // namespace skyhook::element
