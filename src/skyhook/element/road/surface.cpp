#include "skyhook/element/road/surface.h"

#include "skyhook/math/dual.h"

namespace skyhook::element {

namespace {

struct FormulaRelief final : model::Relief {
  explicit FormulaRelief(model::Formula of) : law(std::move(of)) {}
  model::Formula law;

  model::Bend at(double x, double y) const override {
    using Twice = Dual<2, Dual<2>>;
    Twice at[2] = {Twice(Dual<2>::variable(x, 0)), Twice(Dual<2>::variable(y, 1))};
    at[0].d[0] = Dual<2>(1.0), at[1].d[1] = Dual<2>(1.0);
    const Twice h = law.evaluate(std::span<const Twice>(at, 2));
    return {h.v.v, h.v.d[0], h.v.d[1], h.d[0].d[0], h.d[0].d[1], h.d[1].d[1]};
  }
  bool varies_across() const override { return true; }
};

}  // namespace

void FormulaSurface::add_to(model::FieldSource& source, model::Model& model) const {
  put(std::make_shared<FormulaRelief>(*height), source, model);
}

}  // namespace skyhook::element
