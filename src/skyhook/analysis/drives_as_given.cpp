#include "skyhook/analysis/drives_as_given.h"

#include <fmt/format.h>

#include "skyhook/formalism/linear_names.h"

namespace skyhook::analysis {
namespace {

model::Motion parabola(double t, const double* u) {
  const std::string text =
      fmt::format("({:.17g}) + ({:.17g})*(t - ({:.17g})) + ({:.17g})*(t - ({:.17g}))^2/2", u[0], u[1], t, u[2], t);
  return model::Motion(
      expression::Expression::compile(text, {.variables = {{"t", {}}}, .check_dimensions = false}, {}));
}

}  // namespace

simulation::Prepared with_drives(const simulation::Prepared& prepared, double t, const std::vector<double>& u) {
  const model::Model& before = prepared.active->model();
  const auto motions = formalism::prescribed_motions(*prepared.active);
  auto m = std::make_shared<model::Model>(before);
  const auto replace = [&](const std::optional<model::Motion>& old, std::optional<model::Motion>& drive) {
    for (std::size_t k = 0; old && k < motions.size(); ++k) {
      if (motions[k].motion == &*old) drive = parabola(t, u.data() + 3 * k);
    }
  };
  for (std::size_t j = 0; j < before.joints.size(); ++j) {
    for (std::size_t k = 0; k < before.joints[j].drive.size(); ++k)
      replace(before.joints[j].drive[k], m->joints[j].drive[k]);
  }
  for (std::size_t c = 0; c < before.contributions.size(); ++c) {
    if (before.contributions[c].row) replace(before.contributions[c].row->drive, m->contributions[c].row->drive);
  }
  simulation::Prepared out = prepared;
  out.model = m;
  const auto again = [&](const simulation::Equations& eq) {
    return std::make_shared<const simulation::Equations>(m, prepared.topology, eq.active(), eq.held());
  };
  out.active = again(*prepared.active), out.all = again(*prepared.all);
  return out;
}

}  // namespace skyhook::analysis
