#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "skyhook/integrator/ida_state.h"

// Failures of `ida` in the user's words.
namespace skyhook::integrator {

StepResult Ida::State::failed(int flag, const Cost& before) {
  StepResult result{.status = StepStatus::failed, .t = t, .h = current_step(), .reason = what_failed(flag, before)};
  IDAGetLastOrder(ida.get(), &result.order);
  const bool about_the_solution = flag == IDA_CONV_FAIL || flag == IDA_ERR_FAIL;
  if (const std::string because = blame; !because.empty())
    result.reason += " " + because;
  else if (about_the_solution)
    result.reason += " " + largest_residual();
  return result;
}

std::string Ida::State::what_failed(int flag, const Cost& before) const {
  const double h = current_step();
  const bool at_smallest = h <= 1.001 * options.smallest_step;
  const std::string when = at_smallest ? fmt::format("Step size fell to {:.3g} s at t = {:.9g} s: ", h, t)
                                       : fmt::format("No step succeeded at t = {:.9g} s, down to {:.3g} s: ", t, h);
  switch (flag) {
    case IDA_CONV_FAIL:
      return when + fmt::format(
                        "the corrector did not converge ({} times). Look for a force that jumps, an "
                        "inconsistent start or a position where the mechanism locks.",
                        cost.newton_failures - before.newton_failures);
    case IDA_ERR_FAIL: {
      const int worst = dominant_variable();
      return when + fmt::format(
                        "the error of {} stayed above its tolerance ({} times). Look for a jump or kink of a "
                        "force or drive there, or loosen the tolerance.",
                        worst < 0 ? "the solution" : structure.y[worst].name,
                        cost.error_test_failures - before.error_test_failures);
    }
    case IDA_REP_RES_ERR:
    case IDA_FIRST_RES_FAIL: return when + "the equations could not be evaluated.";
    case IDA_RES_FAIL: return fmt::format("The equations could not be evaluated after t = {:.9g} s.", t);
    case IDA_LSETUP_FAIL: return fmt::format("The Jacobian could not be evaluated after t = {:.9g} s.", t);
    case IDA_TOO_MUCH_ACC:
      return fmt::format(
          "The tolerances are finer than the rounding of numbers allows at t = {:.9g} s. Loosen "
          "relative_tolerance and absolute_tolerance.",
          t);
    case IDA_BAD_EWT:
    case IDA_ILL_INPUT:
      return fmt::format(
          "The tolerances give no error weight at t = {:.9g} s. Set absolute_tolerance above zero and "
          "check the start for values that are not finite.",
          t);
    default: return fmt::format("The integrator stopped at t = {:.9g} s ({}).", t, flag);
  }
}

// Rows have different units. Each is compared with what the row changes by when all variables move by their tolerance.
std::string Ida::State::largest_residual() {
  N_Vector y_now = nullptr, yp_now = nullptr;
  IDAGetCurrentY(ida.get(), &y_now);
  IDAGetCurrentYp(ida.get(), &yp_now);
  const std::size_t n = structure.size();
  std::vector<double> F(n), size(n, std::numeric_limits<double>::min());
  const CSpan y_at(N_VGetArrayPointer(y_now), n), yp_at(N_VGetArrayPointer(yp_now), n);
  if (residual(t + current_step(), y_at, yp_at, F) != 0) return blame;
  const Span w = values(weight);
  IDAGetErrWeights(ida.get(), weight.get());
  const Pattern& p = *structure.pattern;
  for (int j = 0; j < p.cols; ++j)
    for (int k = p.start[j]; k < p.start[j + 1]; ++k) size[p.row[k]] += std::abs(J.value[k]) / w[j];
  std::size_t worst = 0;
  for (std::size_t i = 1; i < n; ++i)
    if (std::abs(F[i]) * size[worst] > std::abs(F[worst]) * size[i]) worst = i;
  return fmt::format("Largest residual: {}.", structure.rows[worst]);
}

}  // namespace skyhook::integrator
