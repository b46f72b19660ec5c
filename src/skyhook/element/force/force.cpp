#include "skyhook/element/force/force.h"

#include "skyhook/element/finding.h"
#include "skyhook/element/formula_force.h"

namespace skyhook::element {

namespace {

struct ForceLaw final : model::WrenchLaw<ForceLaw> {
  ForceLaw(FormulaVector given, bool follows_to) : formulas(std::move(given)), follows(follows_to) {}

  // The variables in the order of Force::variables, along the axes that the components are along.
  template <class T>
  void law(const model::Relative<T>& m, model::Wrench<T>& out) const {
    const Vec3<T> r = follows ? transpose_times(m.R, m.r) : m.r, v = follows ? transpose_times(m.R, m.v) : m.v;
    out.f = formulas.at(std::array{m.t, r.x, r.y, r.z, v.x, v.y, v.z});
    if (follows) out.f = m.R * out.f;
    out.n = {};
  }
  bool between_points() const override { return !follows; }
  std::vector<model::Quantity> quantities() const override {
    constexpr const char* meaning = "force on `to`, axes of `from`";
    return {{"fx", "N", meaning}, {"fy", "N", meaning}, {"fz", "N", meaning}};
  }
  void measure(const model::Relative<double>&, const model::Wrench<double>& w,
               std::vector<double>& out) const override {
    out.insert(out.end(), {w.f.x, w.f.y, w.f.z});
  }

  FormulaVector formulas;
  bool follows;  // components are along the axes of `to`
};

}  // namespace

void Force::add_to(model::FieldSource& source, model::Model& model) const {
  const FormulaVector components({x, y, z});
  if (signal.index >= 0 && !value) fail(source, "signal", "only `value` can use a signal.", "Remove `signal`.");
  const Place place = place_formulas(*this, components, value.has_value(), /*for_angle=*/false, source, model);
  if (place.has_coordinate()) return add_formula(*value, signal, place, source, model);
  model::Contribution force = begin_contribution(place.pair, source);
  force.wrench = std::make_shared<ForceLaw>(components, axes == "to");
  model.contributions.push_back(std::move(force));
}

}  // namespace skyhook::element
