#include "plain_ida.h"

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <algorithm>
#include <stdexcept>

#include "timing.h"

namespace skyhook::bench {
namespace {

struct Called {
  const DaeProblem& problem;
  std::unique_ptr<Workspace> workspace;
  Csc dF_dy, dF_dyp;
  long residuals = 0, jacobians = 0;

  Point point(double t, N_Vector y, N_Vector yp) const {
    const auto n = static_cast<std::size_t>(problem.structure().size());
    return {t, {N_VGetArrayPointer(y), n}, {N_VGetArrayPointer(yp), n}};
  }
};

int residual(double t, N_Vector y, N_Vector yp, N_Vector F, void* data) {
  Called& c = *static_cast<Called*>(data);
  ++c.residuals;
  const auto n = static_cast<std::size_t>(c.problem.structure().size());
  return c.problem.residual(c.point(t, y, yp), {N_VGetArrayPointer(F), n}, *c.workspace) == Eval::ok ? 0 : 1;
}

int jacobian(double t, double alpha, N_Vector y, N_Vector yp, N_Vector, SUNMatrix J, void* data, N_Vector, N_Vector,
             N_Vector) {
  Called& c = *static_cast<Called*>(data);
  ++c.jacobians;
  if (c.problem.derivatives(c.point(t, y, yp), c.dF_dy, c.dF_dyp, *c.workspace) != Eval::ok) return 1;
  const Pattern& p = *c.dF_dy.pattern;
  std::ranges::copy(p.start, SM_INDEXPTRS_S(J));
  std::ranges::copy(p.row, SM_INDEXVALS_S(J));
  for (std::size_t k = 0; k < c.dF_dy.value.size(); ++k) SM_DATA_S(J)[k] = c.dF_dy.value[k] + alpha * c.dF_dyp.value[k];
  return 0;
}

}  // namespace

PlainIdaRun plain_ida(const DaeProblem& problem, const std::vector<double>& y0, const std::vector<double>& yp0,
                      double until, double relative_tolerance, double absolute_tolerance) {
  const auto pattern = problem.structure().pattern;
  const auto n = static_cast<sunindextype>(y0.size());
  Called called{problem, problem.workspace(), Csc(pattern), Csc(pattern)};
  SUNContext context = nullptr;
  SUNContext_Create(nullptr, &context);
  N_Vector y = N_VNew_Serial(n, context), yp = N_VNew_Serial(n, context);
  std::ranges::copy(y0, N_VGetArrayPointer(y));
  std::ranges::copy(yp0, N_VGetArrayPointer(yp));
  SUNMatrix J = SUNSparseMatrix(n, n, pattern->nonzeros(), CSC_MAT, context);
  SUNLinearSolver solver = SUNLinSol_KLU(y, J, context);
  void* ida = IDACreate(context);
  IDAInit(ida, residual, 0, y, yp);
  IDASStolerances(ida, relative_tolerance, absolute_tolerance);
  IDASetUserData(ida, &called);
  IDASetMaxNumSteps(ida, 1000000);
  IDASetLinearSolver(ida, solver, J);
  IDASetJacFn(ida, jacobian);
  double t = 0;
  const double begin = now();
  const int flag = IDASolve(ida, until, &t, y, yp, IDA_NORMAL);
  PlainIdaRun out{now() - begin, 0, called.residuals, called.jacobians, 0};
  IDAGetNumSteps(ida, &out.steps);
  IDAGetNumLinSolvSetups(ida, &out.factorisations);
  IDAFree(&ida);
  SUNLinSolFree(solver);
  SUNMatDestroy(J);
  N_VDestroy(y);
  N_VDestroy(yp);
  SUNContext_Free(&context);
  if (flag < 0) throw std::runtime_error("IDA failed on the oscillators");
  return out;
}

}  // namespace skyhook::bench
