// The scalar laws of line_force.h acting on a joint coordinate instead: x its value, v its rate.
#pragma once
#include "skyhook/element/line_force.h"

namespace skyhook::element {

template <class Derived>
struct SwitchingOnCoordinate : model::SwitchingCoordinate {
  int first_mode(const model::Stroke<double>& s) const override { return switching().first_mode(s); }
  double watch(const model::Stroke<double>& s) const override { return switching().watch(s); }
  int next_mode(const model::Stroke<double>& s) const override { return switching().next_mode(s); }
  std::string event(int from, int to) const override { return switching().event(from, to); }

 private:
  const auto& switching() const { return static_cast<const Derived&>(*this).law; }
};

template <class Derived>
struct TabulatedOnCoordinate : model::TabulatedCoordinate {
  void look(const model::Stroke<double>& s, model::TableLooks& looks) const override {
    static_cast<const Derived&>(*this).law.look(s, looks);
  }
};

// Some of these laws read the time, others never do, and of formulas each tells.
template <class Law>
concept FormulaLaw = requires(const Law& law) { law.reads(0); };

template <class Derived>
struct PerhapsTimeless : model::Timeless {
  bool is_timeless() const override { return !static_cast<const Derived&>(*this).law.reads(Derived::time); }
  bool reads_position() const override { return static_cast<const Derived&>(*this).law.reads(Derived::position); }
};

template <class Law>
struct CoordinateForce final
    : model::CoordinateElement,
      std::conditional_t<SwitchingLaw<Law>, SwitchingOnCoordinate<CoordinateForce<Law>>, NotSwitching>,
      std::conditional_t<TabulatedLaw<Law>, TabulatedOnCoordinate<CoordinateForce<Law>>, NotTabulated>,
      std::conditional_t<FormulaLaw<Law>, PerhapsTimeless<CoordinateForce<Law>>,
                         std::conditional_t<TimelessLaw<Law>, model::Timeless, NotTimeless>> {
  static constexpr int time = 0, position = 1;  // variables of formulas
  explicit CoordinateForce(Law given) : law(std::move(given)) {}
  // Pulling together means shortening: it drives the coordinate down.
  double force(double x, double v, double t, const model::Setting& set) const override {
    return -Law::pull * force_of(law, x, v, t, set);
  }
  Dual<2> force(const Dual<2>& x, const Dual<2>& v, double t, const model::Setting& set) const override {
    return Dual<2>(-Law::pull) * force_of(law, x, v, t, set);
  }
  double energy(double x) const override { return law.energy(x); }

  Law law;
};

}  // namespace skyhook::element
