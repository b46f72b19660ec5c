#include "skyhook/element/force/tyre_vertical.h"

#include <algorithm>
#include <cmath>

#include "skyhook/element/finding.h"
#include "skyhook/element/tyre/road_contact.h"
#include "skyhook/model/tabulated.h"

namespace skyhook::element {

namespace {

using model::Relative, model::Wrench;

struct TyreLaw final : model::WrenchLaw<TyreLaw>, model::Switching, model::Tabulated, model::OnRoad, model::OverGround {
  TyreLaw(double k, double c, double r, Road below) : stiffness(k), damping(c), reach(r), contact{std::move(below)} {}

  double stiffness, damping;
  double reach;  // height of the wheel above a road of height 0 at which the tyre just touches
  tyre::RoadContact contact;

  template <class T>
  struct Deflection {
    T value, rate;
    double road;
  };

  template <class T>
  Deflection<T> deflection(const Relative<T>& m, int segment) const {
    const model::Slope<T> h = contact.road.slope(m, segment);
    const model::Raise& raise = contact.raise;
    return {h.height + T(reach + raise.height) - m.r.z,
            h.x * contact.road.way_rate(m) + h.y * m.v.y + h.rate + T(raise.rate) - m.v.z,
            value_of(h.height) + raise.height};
  }
  template <class T>
  T push(const Deflection<T>& d) const {
    return T(stiffness) * d.value + T(damping) * d.rate;
  }
  // Positive where the tyre touches and pushes, negative where it does neither. It falls through zero with the force, and rises
  // with the gap: the deflection that a tyre leaves behind at lift-off cannot bring it back.
  double grip(const Deflection<double>& d) const { return d.value + std::min(0.0, damping / stiffness * d.rate); }

  auto grip_at(const Relative<double>& m) const {
    return [this, &m](int segment) { return grip(deflection(m, segment)); };
  }

  template <class T>
  void law(const Relative<T>& m, Wrench<T>& out) const {
    out = {};
    const tyre::RoadMode mode = contact.mode_of(m);
    if (!mode.in_contact) return;
    const Deflection<T> d = deflection(m, mode.segment);
    const T force = push(d);
    const bool is_off = value_of(d.value) <= 0.0 || value_of(force) <= 0.0;  // a NaN goes on and shows
    if (m.set.mode > 0 || !is_off) out.f.z = force;
  }
  // A footprint turns with the wheel.
  bool between_points() const override { return contact.road.patch.empty(); }

  int first_mode(const Relative<double>& m) const override { return contact.first_mode(m, grip_at(m)); }
  double watch(const Relative<double>& m) const override { return contact.watch(m, grip_at(m)); }
  int next_mode(const Relative<double>& m) const override { return contact.next_mode(m, grip_at(m)); }
  std::string event(int from, int to) const override { return tyre::RoadContact::event(from, to); }

  void look(const Relative<double>& m, model::TableLooks& looks) const override { contact.road.look(m, looks); }

  int sights() const override { return tyre::RoadContact::sights; }
  double grain(const Relative<double>& now) const override { return contact.grain(now); }
  void look_ahead(const Relative<double>& now, const Times& times, std::span<double> seen) const override {
    contact.look_ahead(now, times, seen);
  }

  bool is_lifted() const override { return contact.is_lifted(); }
  void raise_road(const model::Raise& by, model::Contribution& to) const override {
    auto raised = std::make_shared<TyreLaw>(*this);
    raised->contact.raise = {contact.raise.height + by.height, contact.raise.rate + by.rate};
    to.wrench = raised;
  }

  std::vector<model::Quantity> quantities() const override {
    return {{"force", "N", "vertical force on the wheel"},
            {"deflection", "m", "by how much the tyre is compressed"},
            {"road", "m", "height of the road below the wheel"}};
  }
  void measure(const Relative<double>& m, const Wrench<double>& w, std::vector<double>& out) const override {
    const Deflection<double> d = deflection(m, contact.mode_of(m).segment);
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
