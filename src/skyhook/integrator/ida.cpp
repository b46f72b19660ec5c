#include "skyhook/integrator/ida.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>
#include <utility>

#include "skyhook/integrator/common.h"
#include "skyhook/integrator/ida_state.h"
#include "skyhook/integrator/ida_vector.h"

namespace skyhook::integrator {

namespace {

bool differential(const Variable& v) { return v.in_error_test && v.index == 0; }

// Steps IDA may repeat before it gives up. Its 10 end at 1e-6 of the last step, not enough to pass a sudden stop.
constexpr int repetitions = 20;

constexpr int highest_order = 5;

}  // namespace

// ---- construction

Ida::State::State(const DaeProblem& p, Options o, double t0, CSpan y0, CSpan yp0)
    : problem(p),
      structure(p.structure()),
      options(o),
      workspace(p.workspace()),
      J(structure.pattern),
      dF_dyp(structure.pattern),
      klu(structure.pattern),
      t(t0),
      starter(p, o) {
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
    if (s.hands_over) return 0;
    if (!s.has_matrix) return 1;  // IDA asks for one, and tries again
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
  if (hands_over) {
    starter.interpolate(end_of_start - at, F, {});
    for (std::size_t i = 0; i < F.size(); ++i) F[i] = y_at[i] - F[i];
    return 0;
  }
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
  if (hands_over) return 0;
  ++cost.jacobians;
  workspace->blame.clear();
  const Point point{at, y_at, yp_at};
  const Eval eval = differences ? difference_jacobian(point, F, alpha) : exact_jacobian(point, alpha);
  return eval == Eval::ok ? blame_entry() : verdict(eval, "The derivatives could not be evaluated.");
}

int Ida::State::factor() {
  if (hands_over) return 0;
  ++cost.factorisations;
  has_matrix = klu.factor(J.value);
  if (has_matrix) return 0;
  blame = fmt::format(
      "The equations do not determine {} here (singular Jacobian): look for a locked position, a body without "
      "mass or constraints that repeat each other.",
      structure.y[klu.singular_column()].name);
  return 1;
}

int Ida::State::weights(CSpan y_at, Span w) const {
  if (hands_over) {  // no test of errors, which are not IDA's
    constexpr double next_to_nothing = 1e-30;
    std::fill(w.begin(), w.end(), next_to_nothing);
    return 0;
  }
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
  blame.clear();
  if (starter.is_due()) {
    const StepResult first = start(t_limit);
    if (!starter.gave_up()) return first;
  }
  if (last_is_start) hand_over();
  set_limit(t_limit);
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

// The starter's steps. Where it gives up, IDA starts by itself.
StepResult Ida::State::start(double t_limit) {
  const Stopwatch watch(cost.seconds);
  const auto step = starter.step(t, {t_limit, due}, values(y), values(yp), cost);
  if (!step) {
    starter.give_up();
    begin_alone();
    return {};
  }
  last_is_start = true, last_start = step->h;
  t = step->at_limit ? t_limit : t + step->h;
  return arrived(step->at_limit ? StepStatus::reached_limit : StepStatus::ok, t);
}

// IDA counts from 0 again, and forgets its limit.
void Ida::State::begin_alone() {
  IDAReInit(ida.get(), t, y.get(), yp.get());
  limit = std::numeric_limits<double>::quiet_NaN();
  begin_step = 0, cost_before = cost, last_is_start = false;
}

// IDA offers no way to begin with a history, but it keeps what its corrector finds: in steps of equal length, while its order rises
// with each, the corrector is handed the values of the starter's cubic, and nothing is tested. The next step is IDA's own,
// of order 3.
void Ida::State::hand_over() {
  const double h = starter.distance(), end = t;
  starter.interpolate((IdaStart::values - 1) * h, values(y), values(yp));
  void* m = ida.get();
  IDAReInit(m, end - (IdaStart::values - 1) * h, y.get(), yp.get());
  IDASetInitStep(m, h);
  IDASetMaxStep(m, h);
  IDASetLinearSolutionScaling(m, SUNFALSE);
  hands_over = true, end_of_start = end;
  bool taken = true;
  for (int k = 1; k < IdaStart::values && taken; ++k)
    taken = IDASolve(m, end + h, &t, y.get(), yp.get(), IDA_ONE_STEP) >= 0;
  hands_over = has_matrix = false;
  IDASetLinearSolutionScaling(m, SUNTRUE);
  IDASetMaxStep(m, options.largest_step);
  t = end, begin_step = h, last_is_start = false;
  limit = std::numeric_limits<double>::quiet_NaN();
  if (!taken) return starter.interpolate(0, values(y), values(yp)), begin_alone();
  const Cost before = cost;
  cost_before = {};
  read_cost();
  cost_before.steps = before.steps - cost.steps;
  cost_before.error_test_failures = before.error_test_failures - cost.error_test_failures;
  cost_before.newton_iterations = before.newton_iterations - cost.newton_iterations;
  cost_before.newton_failures = before.newton_failures - cost.newton_failures;
  cost = before;
}

void Ida::State::restart(Jump jump, double at, CSpan y_at, CSpan yp_at) {
  t = at;
  std::copy(y_at.begin(), y_at.end(), values(y).begin());
  std::copy(yp_at.begin(), yp_at.end(), values(yp).begin());
  starter.restart(jump);
  begin_alone();
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
    begin_step = choose_first_step(due - t);
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
  if (last_is_start) {
    result.h = last_start, result.order = BdfStarter::order, result.dominant = starter.dominant();
    return result;
  }
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
  if (last_is_start && at != t) return starter.interpolate(t - at, y_at, yp_at);
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

// ---- the public face

Ida::Ida(const DaeProblem& problem, Options options, double t, CSpan y, CSpan yp)
    : state_(std::make_unique<State>(problem, options, t, y, yp)) {}
Ida::~Ida() = default;
Ida::Ida(Ida&&) noexcept = default;
Ida& Ida::operator=(Ida&&) noexcept = default;

StepResult Ida::step(double t_limit, double due) {
  state_->due = std::max(due, t_limit);
  return state_->step(t_limit);
}
void Ida::interpolate(double t, Span y, Span yp) const { state_->interpolate(t, y, yp); }
void Ida::restart(Jump jump, double t, CSpan y, CSpan yp) { state_->restart(jump, t, y, yp); }
double Ida::t() const { return state_->t; }
CSpan Ida::y() const { return values(state_->y); }
CSpan Ida::yp() const { return values(state_->yp); }
const Cost& Ida::cost() const { return state_->cost; }

}  // namespace skyhook::integrator
