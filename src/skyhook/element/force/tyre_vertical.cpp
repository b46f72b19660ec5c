#include "skyhook/element/force/tyre_vertical.h"

#include <algorithm>
#include <cmath>

#include "skyhook/element/finding.h"
#include "skyhook/model/on_road.h"
#include "skyhook/model/tabulated.h"

namespace skyhook::element {

namespace {

using model::Relative, model::Wrench;

// Modes: 1, 2 on the first segment of the road, in contact and in the air; 3, 4 on the next one, and so on.
struct Mode {
  int segment;
  bool in_contact;
  int number() const { return 2 * segment + (in_contact ? 1 : 2); }
};
Mode mode_of(int number) { return {(number - 1) / 2, number % 2 == 1}; }

struct TyreLaw final : model::WrenchLaw<TyreLaw>, model::Switching, model::Tabulated, model::OnRoad {
  TyreLaw(double k, double c, double r, Road below) : stiffness(k), damping(c), reach(r), road(std::move(below)) {}

  double stiffness, damping;
  double reach;  // height of the wheel above a road of height 0 at which the tyre just touches
  Road road;
  model::Raise raise;

  template <class T>
  struct Deflection {
    T value, rate;
    double road;
  };

  template <class T>
  Deflection<T> deflection(const Relative<T>& m, int segment) const {
    const model::Slope<T> h = road.slope(m, segment);
    return {h.height + T(reach + raise.height) - m.r.z,
            h.x * road.way_rate(m) + h.y * m.v.y + h.rate + T(raise.rate) - m.v.z, value_of(h.height) + raise.height};
  }
  template <class T>
  T push(const Deflection<T>& d) const {
    return T(stiffness) * d.value + T(damping) * d.rate;
  }
  // Positive where the tyre touches and pushes, negative where it does neither. It falls through zero with the force, and rises
  // with the gap: the deflection that a tyre leaves behind at lift-off cannot bring it back.
  double grip(const Deflection<double>& d) const { return d.value + std::min(0.0, damping / stiffness * d.rate); }

  int segment_of(const Relative<double>& m) const {
    return m.set.mode > 0 ? mode_of(m.set.mode).segment : road.segment_at(m);
  }
  int mode_on(int segment, const Relative<double>& m) const {
    return Mode{segment, grip(deflection(m, segment)) > 0.0}.number();
  }

  template <class T>
  void law(const Relative<T>& m, Wrench<T>& out) const {
    out = {};
    const int mode = m.set.mode;
    if (mode > 0 && !mode_of(mode).in_contact) return;
    const int segment = mode > 0 ? mode_of(mode).segment : road.surface->segment_at(value_of(road.way(m)));
    const Deflection<T> d = deflection(m, segment);
    const T force = push(d);
    const bool is_off = value_of(d.value) <= 0.0 || value_of(force) <= 0.0;  // a NaN goes on and shows
    if (mode > 0 || !is_off) out.f.z = force;
  }
  bool between_points() const override { return true; }

  int first_mode(const Relative<double>& m) const override { return mode_on(road.segment_at(m), m); }
  double watch(const Relative<double>& m) const override {
    const Mode mode = mode_of(m.set.mode);
    const double x = road.way(m), g = grip(deflection(m, mode.segment));
    return std::min({mode.in_contact ? g : -g, road.surface->behind_begin(x, mode.segment),
                     road.surface->before_end(x, mode.segment)});
  }
  int next_mode(const Relative<double>& m) const override {
    const Mode mode = mode_of(m.set.mode);
    const double x = road.way(m), g = std::abs(grip(deflection(m, mode.segment)));
    const double begin = std::abs(road.surface->behind_begin(x, mode.segment));
    const double end = std::abs(road.surface->before_end(x, mode.segment));
    if (g < std::min(begin, end)) return Mode{mode.segment, !mode.in_contact}.number();
    return mode_on(mode.segment + (end <= begin ? 1 : -1), m);
  }
  std::string event(int from, int to) const override {
    const Mode a = mode_of(from), b = mode_of(to);
    const std::string what = a.in_contact == b.in_contact ? "" : b.in_contact ? "landing" : "lift-off";
    if (a.segment == b.segment) return what;
    return what.empty() ? "step" : "step, " + what;
  }

  void look(const Relative<double>& m, model::TableLooks& looks) const override { road.look(m, looks); }

  void raise_road(const model::Raise& by, model::Contribution& to) const override {
    auto raised = std::make_shared<TyreLaw>(*this);
    raised->raise = {raise.height + by.height, raise.rate + by.rate};
    to.wrench = raised;
  }

  std::vector<model::Quantity> quantities() const override {
    return {{"force", "N", "vertical force on the wheel"},
            {"deflection", "m", "by how much the tyre is compressed"},
            {"road", "m", "height of the road below the wheel"}};
  }
  void measure(const Relative<double>& m, const Wrench<double>& w, std::vector<double>& out) const override {
    const Deflection<double> d = deflection(m, segment_of(m));
    out.insert(out.end(), {std::max(0.0, w.f.z), d.value, d.road});  // at lift-off rounding may pull
  }
};

}  // namespace

void TyreVertical::add_to(model::FieldSource& source, model::Model& model) const {
  const Pair pair = place(source, model);
  if (radius.has_value() == load.has_value()) {
    fail(source, radius ? "load" : "radius", radius ? "radius and load are both given." : "radius is missing.",
         radius ? "Remove one of them: they say the same." : "Give the unloaded radius, or the load at design.");
  }
  const double design = dot(pair.from.axes.column(2), pair.to.at - pair.from.at);
  const double reach = radius ? *radius : *load / stiffness + design;
  model::Contribution force = begin_contribution(pair, source);
  force.wrench = std::make_shared<TyreLaw>(stiffness, damping, reach, Road(*this, named(model), source));
  model.contributions.push_back(std::move(force));
}

}  // namespace skyhook::element
