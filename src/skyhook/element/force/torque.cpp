#include "skyhook/element/force/torque.h"

#include "skyhook/element/finding.h"
#include "skyhook/element/formula_force.h"

namespace skyhook::element {

namespace {

struct TorqueLaw final : model::WrenchLaw<TorqueLaw> {
  explicit TorqueLaw(FormulaVector given) : formulas(std::move(given)) {}

  // The variables in the order of Torque::variables.
  template <class T>
  void law(const model::Relative<T>& m, model::Wrench<T>& out) const {
    out.f = {};
    out.n = formulas.at(std::array{m.t, m.w.x, m.w.y, m.w.z});
  }
  std::vector<model::Quantity> quantities() const override {
    constexpr const char* meaning = "moment on `to`, axes of `from`";
    return {{"mx", "N.m", meaning}, {"my", "N.m", meaning}, {"mz", "N.m", meaning}};
  }
  void measure(const model::Relative<double>&, const model::Wrench<double>& w,
               std::vector<double>& out) const override {
    out.insert(out.end(), {w.n.x, w.n.y, w.n.z});
  }

  FormulaVector formulas;
};

}  // namespace

void Torque::add_to(model::FieldSource& source, model::Model& model) const {
  const FormulaVector components({x, y, z});
  if (signal.index >= 0 && !value) fail(source, "signal", "only `value` can use a signal.", "Remove `signal`.");
  const Place place = place_formulas(*this, components, value.has_value(), /*for_angle=*/true, source, model);
  if (place.has_coordinate()) return add_formula(*value, signal, place, source, model);
  model::Contribution force = begin_contribution(place.pair, source);
  force.wrench = std::make_shared<TorqueLaw>(components);
  model.contributions.push_back(std::move(force));
}

}  // namespace skyhook::element
