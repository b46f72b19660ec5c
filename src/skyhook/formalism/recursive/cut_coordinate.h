// A force on the coordinate of a hinge or slider that was cut, as a law between its two frames: the coordinate is then
// no state but measured from the relative motion. An angle is measured within half a turn of the design position.
#pragma once
#include <cmath>
#include <memory>

#include "skyhook/model/model.h"

namespace skyhook::formalism::recursive {

struct CutCoordinate : model::WrenchLaw<CutCoordinate> {
  Vec3d axis;  // fixed in A
  bool turns;  // hinge or slider
  double reference;
  std::shared_ptr<const model::CoordinateElement> element;

  CutCoordinate(const model::Dof& dof, double reference_value,
                std::shared_ptr<const model::CoordinateElement> law_of_force)
      : axis(dof.axis),
        turns(dof.kind == model::Dof::Kind::revolute),
        reference(reference_value),
        element(std::move(law_of_force)) {}

  template <class T>
  T coordinate(const model::Relative<T>& m) const {
    using std::atan2;
    if (!turns) return dot(Vec3<T>(axis), m.r) + T(reference);
    const Vec3d u = perpendicular(axis), v = cross(axis, u);
    const Vec3<T> turned = m.R * Vec3<T>(u);
    return atan2(dot(Vec3<T>(v), turned), dot(Vec3<T>(u), turned)) + T(reference);
  }
  template <class T>
  T rate(const model::Relative<T>& m) const {
    return dot(Vec3<T>(axis), turns ? m.w : m.v);
  }

  double force(double x, double v, double t, const model::Setting& set) const { return element->force(x, v, t, set); }
  model::Local force(const model::Local& x, const model::Local& v, const model::Local& t,
                     const model::Setting& set) const {  // chain rule
    return model::chain_rule(element->force(Dual<2>::variable(x.v, 0), Dual<2>::variable(v.v, 1), t.v, set), x, v);
  }

  template <class T>
  void law(const model::Relative<T>& m, model::Wrench<T>& out) const {
    const Vec3<T> along = force(coordinate(m), rate(m), m.t, m.set) * Vec3<T>(axis);
    (turns ? out.n : out.f) = along;
  }
  double energy(const model::Relative<double>& m) const override { return element->energy(coordinate(m)); }
  std::vector<model::Quantity> quantities() const override { return {{"force", turns ? "N.m" : "N"}}; }
  void measure(const model::Relative<double>& m, const model::Wrench<double>&,
               std::vector<double>& out) const override {
    out.push_back(force(coordinate(m), rate(m), m.t, m.set));
  }
};

// Of an element that switches.
struct CutSwitchingCoordinate final : CutCoordinate, model::Switching {
  const model::SwitchingCoordinate& switching;  // a side of the element, which the base keeps

  CutSwitchingCoordinate(const model::Dof& dof, double reference_value,
                         std::shared_ptr<const model::CoordinateElement> law_of_force,
                         const model::SwitchingCoordinate& side)
      : CutCoordinate(dof, reference_value, std::move(law_of_force)), switching(side) {}

  model::Stroke<double> stroke(const model::Relative<double>& m) const { return {coordinate(m), rate(m), m.t, m.set}; }
  int first_mode(const model::Relative<double>& m) const override { return switching.first_mode(stroke(m)); }
  double watch(const model::Relative<double>& m) const override { return switching.watch(stroke(m)); }
  int next_mode(const model::Relative<double>& m) const override { return switching.next_mode(stroke(m)); }
  std::string event(int from, int to) const override { return switching.event(from, to); }
};

inline std::shared_ptr<const model::WrenchElement> cut_coordinate(
    const model::Dof& dof, double reference, const std::shared_ptr<const model::CoordinateElement>& element) {
  const auto* side = dynamic_cast<const model::SwitchingCoordinate*>(element.get());
  if (side) return std::make_shared<CutSwitchingCoordinate>(dof, reference, element, *side);
  return std::make_shared<CutCoordinate>(dof, reference, element);
}

}  // namespace skyhook::formalism::recursive
