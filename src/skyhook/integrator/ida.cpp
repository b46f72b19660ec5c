#include "skyhook/integrator/ida.h"

#include <fmt/format.h>
#include <ida/ida.h>
#include <nvector/nvector_serial.h>

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>
#include <exception>
#include <limits>
#include <new>
#include <optional>
#include <utility>

#include "skyhook/corrector/differences.h"
#include "skyhook/integrator/common.h"
#include "skyhook/integrator/ida_vector.h"
#include "skyhook/math/klu.h"

namespace skyhook::integrator {

namespace {

// ---- owners of SUNDIALS objects

struct Free {
  void operator()(SUNContext c) const { SUNContext_Free(&c); }
  void operator()(N_Vector v) const { N_VDestroy(v); }
  void operator()(SUNMatrix m) const { SUNMatFreeEmpty(m); }
  void operator()(SUNLinearSolver s) const { SUNLinSolFreeEmpty(s); }
};
struct FreeIda {
  void operator()(void* memory) const { IDAFree(&memory); }
};
template <class Pointer>
using Owned = std::unique_ptr<std::remove_pointer_t<Pointer>, Free>;

template <class T>
T* required(T* pointer) {
  if (!pointer) throw std::bad_alloc();
  return pointer;
}

Owned<SUNContext> new_context() {
  SUNContext context = nullptr;
  SUNContext_Create(nullptr, &context);
  return Owned<SUNContext>(required(context));
}

Span values(const Owned<N_Vector>& v) { return {N_VGetArrayPointer(v.get()), std::size_t(N_VGetLength(v.get()))}; }

// ---- small pieces of the method

bool differential(const Variable& v) { return v.in_error_test && v.index == 0; }

// Steps IDA may repeat before it gives up. Its 10 end at 1e-6 of the last step, not enough to pass a sudden stop.
constexpr int repetitions = 20;

constexpr int highest_order = 5;

}  // namespace

struct Ida::State {
  State(const DaeProblem& problem, Options options, double t, CSpan y, CSpan yp);
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  StepResult step(double t_limit);
  void restart(double at, CSpan y_at, CSpan yp_at);
  void interpolate(double at, Span y_at, Span yp_at) const;

  // what IDA calls back
  int residual(double at, CSpan y_at, CSpan yp_at, Span F);
  int jacobian(double at, double alpha, CSpan y_at, CSpan yp_at, CSpan F);
  int weights(CSpan y_at, Span w) const;
  int factor();
  template <class Function>
  int guarded(Function&& function);

  void create_ida();
  void create_linear_solver();
  double choose_first_step(double span) const;
  void set_limit(double t_limit);
  int call_ida(double t_limit);
  void read_cost();
  StepResult arrived(StepStatus status, double at) const;
  int dominant_variable() const;
  Eval exact_jacobian(const Point& point, double alpha);
  Eval difference_jacobian(const Point& point, CSpan F, double alpha);
  int verdict(Eval eval, const std::string& blame_if_none);
  int blame_row(CSpan F);
  int blame_entry();
  double current_step() const;

  StepResult failed(int flag, const Cost& before);
  std::string what_failed(int flag, const Cost& before) const;
  std::string largest_residual();

  const DaeProblem& problem;
  const Structure& structure;
  Options options;
  std::unique_ptr<Workspace> workspace;
  Csc J, dF_dyp;
  Klu klu;
  std::optional<DifferenceJacobian> differences;
  Cost cost, cost_before;  // before: of all steps up to the last restart
  double t, limit = std::numeric_limits<double>::quiet_NaN();
  double begin_step = 0;      // 0: to be chosen
  double longest_step = 0;    // since the last restart, or before the one just asked for; 0: none yet
  std::string blame;          // of the last failed evaluation in this step
  std::exception_ptr thrown;  // by the problem: must not pass through IDA's C code

  Owned<SUNContext> context = new_context();  // before all that live in it
  Owned<N_Vector> y, yp, id, error, weight;
  Owned<SUNMatrix> matrix;
  Owned<SUNLinearSolver> linear_solver;
  std::unique_ptr<void, FreeIda> ida;
};

// ---- construction

Ida::State::State(const DaeProblem& p, Options o, double t0, CSpan y0, CSpan yp0)
    : problem(p),
      structure(p.structure()),
      options(o),
      workspace(p.workspace()),
      J(structure.pattern),
      dF_dyp(structure.pattern),
      klu(structure.pattern),
      t(t0) {
  assert(int(y0.size()) == structure.size() && int(yp0.size()) == structure.size());
  using Source = JacobianStrategy::Source;
  if (options.jacobian.source == Source::dense) differences.emplace(problem, single_columns(structure.size()));
  if (options.jacobian.source == Source::grouped) differences.emplace(problem, group_columns(*structure.pattern));
  for (auto* v : {&y, &yp, &id, &error, &weight}) {
    v->reset(required(N_VNew_Serial(structure.size(), context.get())));
    use_own_operations(v->get());
  }
  std::copy(y0.begin(), y0.end(), values(y).begin());
  std::copy(yp0.begin(), yp0.end(), values(yp).begin());
  std::transform(structure.y.begin(), structure.y.end(), values(id).begin(), differential);
  create_ida();
  create_linear_solver();
}

void Ida::State::create_ida() {
  ida.reset(required(IDACreate(context.get())));
  void* m = ida.get();
  const IDAResFn residual_of = [](double at, N_Vector ya, N_Vector ypa, N_Vector F, void* state) {
    State& s = *static_cast<State*>(state);
    const std::size_t n = s.structure.size();
    return s.guarded([&] {
      return s.residual(at, {N_VGetArrayPointer(ya), n}, {N_VGetArrayPointer(ypa), n}, {N_VGetArrayPointer(F), n});
    });
  };
  const IDAEwtFn weights_of = [](N_Vector ya, N_Vector w, void* state) {
    const State& s = *static_cast<State*>(state);
    const std::size_t n = s.structure.size();
    return s.weights({N_VGetArrayPointer(ya), n}, {N_VGetArrayPointer(w), n});
  };
  IDAInit(m, residual_of, t, y.get(), yp.get());
  IDASetUserData(m, this);
  IDAWFtolerances(m, weights_of);
  IDASetErrHandlerFn(
      m, [](int, const char*, const char*, char*, void*) {}, nullptr);  // failures are reported by value
  IDASetMaxOrd(m, order_limit(options, highest_order));
  if (options.kappa > 0) IDASetNonlinConvCoef(m, options.kappa);
  IDASetMinStep(m, options.smallest_step);
  if (options.largest_step > 0) IDASetMaxStep(m, options.largest_step);
  IDASetMaxConvFails(m, repetitions);
  IDASetMaxErrTestFails(m, repetitions);
  IDASetId(m, id.get());
  IDASetSuppressAlg(m, !std::all_of(structure.y.begin(), structure.y.end(), differential));
}

// The matrix is only a name for State::J: IDA hands it from the Jacobian function to the solver and never looks inside.
// IDA multiplies solutions by 2 / (1 + alpha/alpha_of_the_matrix) when alpha has changed: its default for such a pair.
void Ida::State::create_linear_solver() {
  matrix.reset(required(SUNMatNewEmpty(context.get())));
  matrix->ops->getid = [](SUNMatrix) { return SUNMATRIX_CUSTOM; };
  matrix->ops->zero = [](SUNMatrix) { return 0; };  // the Jacobian function writes every entry

  linear_solver.reset(required(SUNLinSolNewEmpty(context.get())));
  linear_solver->content = this;
  linear_solver->ops->gettype = [](SUNLinearSolver) { return SUNLINEARSOLVER_DIRECT; };
  linear_solver->ops->getid = [](SUNLinearSolver) { return SUNLINEARSOLVER_CUSTOM; };
  linear_solver->ops->setup = [](SUNLinearSolver solver, SUNMatrix) {
    return static_cast<State*>(solver->content)->factor();
  };
  linear_solver->ops->solve = [](SUNLinearSolver solver, SUNMatrix, N_Vector x, N_Vector b, double) {
    State& s = *static_cast<State*>(solver->content);
    N_VScale(1.0, b, x);
    s.klu.solve({N_VGetArrayPointer(x), std::size_t(s.structure.size())});
    return 0;
  };
  IDASetLinearSolver(ida.get(), linear_solver.get(), matrix.get());

  const IDALsJacFn jacobian_of = [](double at, double alpha, N_Vector ya, N_Vector ypa, N_Vector F, SUNMatrix,
                                    void* state, N_Vector, N_Vector, N_Vector) {
    State& s = *static_cast<State*>(state);
    const std::size_t n = s.structure.size();
    return s.guarded([&] {
      return s.jacobian(at, alpha, {N_VGetArrayPointer(ya), n}, {N_VGetArrayPointer(ypa), n},
                        {N_VGetArrayPointer(F), n});
    });
  };
  IDASetJacFn(ida.get(), jacobian_of);
}

// ---- what IDA calls back: 0 is fine, positive asks for a smaller step, negative ends the run

template <class Function>
int Ida::State::guarded(Function&& function) {
  try {
    return function();
  } catch (...) {
    thrown = std::current_exception();
    return -1;
  }
}

int Ida::State::verdict(Eval eval, const std::string& blame_if_none) {
  if (eval == Eval::ok) return 0;
  blame = workspace->blame.empty() ? blame_if_none : workspace->blame;
  return eval == Eval::fatal ? -1 : 1;
}

int Ida::State::residual(double at, CSpan y_at, CSpan yp_at, Span F) {
  ++cost.residuals;
  workspace->blame.clear();
  const Eval eval = problem.residual({at, y_at, yp_at}, F, *workspace);
  return eval == Eval::ok ? blame_row(F) : verdict(eval, "The equations could not be evaluated.");
}

int Ida::State::blame_row(CSpan F) {
  const auto bad = std::find_if(F.begin(), F.end(), [](double f) { return !std::isfinite(f); });
  if (bad == F.end()) return 0;
  const std::string& row = structure.rows[bad - F.begin()];
  return verdict(Eval::recoverable, fmt::format("The {} gave a value that is not a finite number.", row));
}

Eval Ida::State::exact_jacobian(const Point& point, double alpha) {
  const Eval eval = problem.derivatives(point, J, dF_dyp, *workspace);
  for (std::size_t k = 0; k < J.value.size(); ++k) J.value[k] += alpha * dF_dyp.value[k];
  return eval;
}

Eval Ida::State::difference_jacobian(const Point& point, CSpan F, double alpha) {
  cost.residuals += differences->residuals_per_jacobian();
  cost.residuals_for_jacobian += differences->residuals_per_jacobian();
  return differences->evaluate(point, F, alpha, J, *workspace);
}

int Ida::State::blame_entry() {
  const auto bad = std::find_if(J.value.begin(), J.value.end(), [](double v) { return !std::isfinite(v); });
  if (bad == J.value.end()) return 0;
  const auto k = bad - J.value.begin();
  const std::vector<int>& start = structure.pattern->start;
  const auto column = std::upper_bound(start.begin(), start.end(), k) - start.begin() - 1;
  return verdict(Eval::recoverable, fmt::format("The derivative of the {} with respect to {} is not a finite number.",
                                                structure.rows[structure.pattern->row[k]], structure.y[column].name));
}

int Ida::State::jacobian(double at, double alpha, CSpan y_at, CSpan yp_at, CSpan F) {
  ++cost.jacobians;
  workspace->blame.clear();
  const Point point{at, y_at, yp_at};
  const Eval eval = differences ? difference_jacobian(point, F, alpha) : exact_jacobian(point, alpha);
  return eval == Eval::ok ? blame_entry() : verdict(eval, "The derivatives could not be evaluated.");
}

int Ida::State::factor() {
  ++cost.factorisations;
  if (klu.factor(J.value)) return 0;
  blame = fmt::format(
      "The equations do not determine {} here (singular Jacobian): look for a locked position, a body without "
      "mass or constraints that repeat each other.",
      structure.y[klu.singular_column()].name);
  return 1;
}

int Ida::State::weights(CSpan y_at, Span w) const {
  const double h =
      cost.steps == cost_before.steps ? begin_step : current_step();  // before its first step IDA's own is not set
  for (int i = 0; i < structure.size(); ++i) {
    w[i] = error_weight(structure.y[i], y_at[i], h, options);
    if (!(std::isfinite(w[i]) && w[i] > 0)) return -1;
  }
  return 0;
}

double Ida::State::current_step() const {
  double h = 0;
  IDAGetCurrentStep(ida.get(), &h);
  return h;
}

// ---- stepping

StepResult Ida::State::step(double t_limit) {
  assert(t_limit >= t - rounding(t));
  if (t_limit - t <= rounding(t_limit)) return arrived(StepStatus::reached_limit, t_limit);
  set_limit(t_limit);
  blame.clear();
  const Cost before = cost;
  const int flag = call_ida(t_limit);
  read_cost();
  if (thrown) std::rethrow_exception(std::exchange(thrown, nullptr));
  if (flag < 0) return failed(flag, before);
  StepResult result = arrived(flag == IDA_TSTOP_RETURN ? StepStatus::reached_limit : StepStatus::ok, t);
  result.dominant = dominant_variable();
  longest_step = std::max(longest_step, result.h);
  return result;
}

// IDA counts from 0 again, and forgets its limit.
void Ida::State::restart(double at, CSpan y_at, CSpan yp_at) {
  t = at, begin_step = 0, cost_before = cost;
  limit = std::numeric_limits<double>::quiet_NaN();
  std::copy(y_at.begin(), y_at.end(), values(y).begin());
  std::copy(yp_at.begin(), yp_at.end(), values(yp).begin());
  IDAReInit(ida.get(), t, y.get(), yp.get());
}

// IDA's own guess 0.5 / ||y'|| is smaller by sqrt(tolerance) and costs a dozen doublings when accelerations are large. How far
// the limit is tells nothing after a restart; the steps before it do.
double Ida::State::choose_first_step(double span) const {
  const bool anew = longest_step > 0;
  const double h =
      first_step(structure, values(y), values(yp),
                 {options.initial_step, finer_tolerance(options), anew ? longest_step : span, anew ? 1.0 : 1e-3});
  return std::max(h, options.smallest_step);
}

void Ida::State::set_limit(double t_limit) {
  if (begin_step == 0) {
    begin_step = choose_first_step(t_limit - t);
    IDASetInitStep(ida.get(), begin_step);
    longest_step = 0;
  }
  if (t_limit == limit) return;
  IDASetStopTime(ida.get(), t_limit);
  limit = t_limit;
}

int Ida::State::call_ida(double t_limit) {
  const auto begin = std::chrono::steady_clock::now();
  const int flag = IDASolve(ida.get(), t_limit, &t, y.get(), yp.get(), IDA_ONE_STEP);
  cost.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (flag == IDA_TSTOP_RETURN) limit = std::numeric_limits<double>::quiet_NaN();  // IDA forgets a limit it has reached
  return flag;
}

void Ida::State::read_cost() {
  IDAGetNumSteps(ida.get(), &cost.steps);
  IDAGetNumErrTestFails(ida.get(), &cost.error_test_failures);
  IDAGetNonlinSolvStats(ida.get(), &cost.newton_iterations, &cost.newton_failures);
  cost.steps += cost_before.steps, cost.error_test_failures += cost_before.error_test_failures;
  cost.newton_iterations += cost_before.newton_iterations, cost.newton_failures += cost_before.newton_failures;
}

StepResult Ida::State::arrived(StepStatus status, double at) const {
  StepResult result{.status = status, .t = at, .reason = {}};
  IDAGetLastStep(ida.get(), &result.h);
  IDAGetLastOrder(ida.get(), &result.order);
  return result;
}

int Ida::State::dominant_variable() const {
  IDAGetEstLocalErrors(ida.get(), error.get());
  IDAGetErrWeights(ida.get(), weight.get());
  const Span e = values(error), w = values(weight), tested = values(id);
  int dominant = -1;
  double largest = 0;
  for (int i = 0; i < structure.size(); ++i)
    if (const double size = tested[i] * w[i] * std::abs(e[i]); size > largest) largest = size, dominant = i;
  return dominant;
}

void Ida::State::interpolate(double at, Span y_at, Span yp_at) const {
  const auto get = [&](int k, const Owned<N_Vector>& now, Span out) {
    // IDA has no polynomial before its first step, and its own at t differs from y by rounding.
    if (at == t || IDAGetDky(ida.get(), at, k, error.get()) != IDA_SUCCESS) {
      assert(std::abs(at - t) <= rounding(t));
      std::copy_n(values(now).begin(), out.size(), out.begin());
    } else {
      std::copy_n(values(error).begin(), out.size(), out.begin());
    }
  };
  get(0, y, y_at);
  if (!yp_at.empty()) get(1, yp, yp_at);
}

// ---- failure in the user's words

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

// ---- the public face

Ida::Ida(const DaeProblem& problem, Options options, double t, CSpan y, CSpan yp)
    : state_(std::make_unique<State>(problem, options, t, y, yp)) {}
Ida::~Ida() = default;
Ida::Ida(Ida&&) noexcept = default;
Ida& Ida::operator=(Ida&&) noexcept = default;

StepResult Ida::step(double t_limit) { return state_->step(t_limit); }
void Ida::interpolate(double t, Span y, Span yp) const { state_->interpolate(t, y, yp); }
void Ida::restart(Jump, double t, CSpan y, CSpan yp) { state_->restart(t, y, yp); }
double Ida::t() const { return state_->t; }
CSpan Ida::y() const { return values(state_->y); }
CSpan Ida::yp() const { return values(state_->yp); }
const Cost& Ida::cost() const { return state_->cost; }

}  // namespace skyhook::integrator
