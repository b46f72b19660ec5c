// A force on the coordinate of a joint that is cut, as a law between its two frames: the coordinate is then no state but measured from
// the relative motion. Its turns are counted from Setting::angles.
#pragma once
#include <memory>

#include "skyhook/formalism/recursive/measured_coordinate.h"

namespace skyhook::formalism::recursive {

struct CutCoordinate : model::WrenchLaw<CutCoordinate> {
  MeasuredCoordinate measured;
  double reference;
  std::shared_ptr<const model::CoordinateElement> element;

  CutCoordinate(const model::Joint& joint, int scalar, std::shared_ptr<const model::CoordinateElement> law_of_force)
      : measured(joint, scalar),
        reference(joint.reference[static_cast<std::size_t>(scalar)]),
        element(std::move(law_of_force)) {}

  bool turns() const { return measured.turns(); }
  template <class T>
  T coordinate(const model::Relative<T>& m) const {
    return measured.value(m.r, m.R, m.set.angles) + T(reference);
  }
  template <class T>
  Vec3<T> unit(const model::Relative<T>& m) const {
    return measured.unit(m.R, m.set.angles);
  }
  template <class T>
  T rate(const model::Relative<T>& m) const {
    return dot(unit(m), turns() ? m.w : m.v);
  }

  double force(double x, double v, double t, const model::Setting& set) const { return element->force(x, v, t, set); }
  model::Local force(const model::Local& x, const model::Local& v, const model::Local& t,
                     const model::Setting& set) const {
    return model::scalar_force([&](const auto& of_x, const auto& of_v) { return element->force(of_x, of_v, t.v, set); },
                               x, v, set);
  }

  template <class T>
  void law(const model::Relative<T>& m, model::Wrench<T>& out) const {
    const Vec3<T> along = force(coordinate(m), rate(m), m.t, m.set) * unit(m);
    (turns() ? out.n : out.f) = along;
  }
  double energy(const model::Relative<double>& m) const override { return element->energy(coordinate(m)); }
  std::vector<model::Quantity> quantities() const override { return {{"force", turns() ? "N.m" : "N"}}; }
  void measure(const model::Relative<double>& m, const model::Wrench<double>&,
               std::vector<double>& out) const override {
    out.push_back(force(coordinate(m), rate(m), m.t, m.set));
  }
};

// Of an element that switches.
struct CutSwitchingCoordinate final : CutCoordinate, model::Switching {
  const model::SwitchingCoordinate& switching;  // a side of the element, which the base keeps

  CutSwitchingCoordinate(const model::Joint& joint, int scalar,
                         std::shared_ptr<const model::CoordinateElement> law_of_force,
                         const model::SwitchingCoordinate& side)
      : CutCoordinate(joint, scalar, std::move(law_of_force)), switching(side) {}

  model::Stroke<double> stroke(const model::Relative<double>& m) const { return {coordinate(m), rate(m), m.t, m.set}; }
  int first_mode(const model::Relative<double>& m) const override { return switching.first_mode(stroke(m)); }
  double watch(const model::Relative<double>& m) const override { return switching.watch(stroke(m)); }
  int next_mode(const model::Relative<double>& m) const override { return switching.next_mode(stroke(m)); }
  std::string event(int from, int to) const override { return switching.event(from, to); }
};

inline std::shared_ptr<const model::WrenchElement> cut_coordinate(
    const model::Joint& joint, int scalar, const std::shared_ptr<const model::CoordinateElement>& element) {
  const auto* side = dynamic_cast<const model::SwitchingCoordinate*>(element.get());
  if (side) return std::make_shared<CutSwitchingCoordinate>(joint, scalar, element, *side);
  return std::make_shared<CutCoordinate>(joint, scalar, element);
}

}  // namespace skyhook::formalism::recursive
