#include "skyhook/element/joint/point_on_curve.h"

#include <fmt/format.h>

#include "skyhook/element/finding.h"
#include "skyhook/model/contribution.h"

namespace skyhook::element {
namespace {

using model::Pose;

// The foot of the point on the curve is at s, h = c'(s) . (r - c(s)) = 0; g are the distances across the curve, in two directions that
// are perpendicular to it. On the curve they do not depend on s.
struct OnCurve final : model::ConditionsLaw<OnCurve> {
  std::shared_ptr<const model::SpaceCurve> curve;
  Vec3d across;  // the curve is nowhere parallel to it
  model::Declared declaration;

  explicit OnCurve(std::shared_ptr<const model::SpaceCurve> given, bool is_length)
      : curve(std::move(given)), across(curve->across()) {
    declaration.contact_variables = {{"s", is_length ? "m" : "-", curve->span(), curve->first()}};
    declaration.rows = {{"off the curve, first direction"}, {"off the curve, second direction"}};
  }
  const model::Declared& declared() const override { return declaration; }

  template <class T>
  void law(const Pose<T>& x, std::span<const T> s, std::span<T> g, std::span<T> h) const {
    const auto [position, tangent] = curve->place(s[0]);
    const Vec3<T> away = x.r - position;
    const Vec3<T> first = cross(tangent, Vec3<T>(across)), second = cross(tangent, first);
    h[0] = dot(tangent, away);
    g[0] = dot(first, away) / norm(first);
    g[1] = dot(second, away) / norm(second);
  }
  void search(const Pose<double>& x, std::span<double> s) const override { s[0] = curve->nearest(x.r); }
  std::string refuses(const Pose<double>&, std::span<const double> s) const override {
    return curve->has(s[0]) ? "" : fmt::format("its point has reached the end of the curve (s = {:.6g})", s[0]);
  }
  std::string signature() const override { return curve->is_closed() ? "closed" : "open"; }
};

}  // namespace

void PointOnCurve::add_to(model::FieldSource& source, model::Model& model) const {
  const Pair pair = place(source);
  const auto curve = curve_of(*this, source);
  model.contributions.push_back(contribution(pair, source, std::make_shared<const OnCurve>(curve, !points.empty())));
  draw(*curve, Drawn::way, pair.from, model);
}

}  // namespace skyhook::element
