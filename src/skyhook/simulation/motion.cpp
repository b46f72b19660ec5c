#include "skyhook/simulation/motion.h"

#include <algorithm>
#include <optional>

#include "skyhook/corrector/iteration_matrix.h"
#include "skyhook/formalism/consistency.h"
#include "skyhook/formulation/descriptor.h"
#include "skyhook/formulation/ggl_explicit.h"
#include "skyhook/formulation/incremental.h"
#include "skyhook/formulation/mechanical.h"
#include "skyhook/formulation/partitioning.h"
#include "skyhook/formulation/projected.h"
#include "skyhook/integrator/adams.h"
#include "skyhook/integrator/bdf.h"
#include "skyhook/integrator/dopri5.h"
#include "skyhook/integrator/hem5.h"
#include "skyhook/integrator/ida.h"
#include "skyhook/integrator/newmark.h"
#include "skyhook/integrator/radau5.h"
#include "skyhook/integrator/two_loop.h"
#include "skyhook/model/analysis_options.h"
#include "skyhook/model/nodal_mesh.h"
#include "skyhook/simulation/onto_constraints.h"
#include "skyhook/simulation/plausibility.h"

namespace skyhook::simulation {
namespace {

using formalism::EquationsOfMotion;
using integrator::StepResult;

template <class Integrator>
void refine(Integrator& integrator) {
  if constexpr (requires { integrator.refine(); }) integrator.refine();
}

// How many values a state has that begins with (q, v).
std::size_t size_of_state(const DaeProblem& problem) { return problem.structure().y.size(); }
std::size_t size_of_state(const OdeProblem& problem) { return problem.structure().y.size(); }
std::size_t size_of_state(const MechanicalProblem& problem) { return problem.structure().y.size(); }
std::size_t size_of_state(const LocalProblem& problem) {
  const LocalSizes& sizes = problem.local_sizes();
  return problem.structure().y.size() + static_cast<std::size_t>(sizes.nq) - static_cast<std::size_t>(sizes.nd);
}

// For problems whose unknowns begin with (q, v).
template <class Problem, class Integrator>
class Pair : public Motion {
 public:
  template <class... Options>
  explicit Pair(const EquationsOfMotion& equations, Options&&... options)
      : problem_(std::make_shared<const Problem>(equations, std::forward<Options>(options)...)),
        equations_(equations),
        nq_(static_cast<std::size_t>(equations.nq())),
        nv_(static_cast<std::size_t>(equations.nv())),
        y_(size_of_state(*problem_)),
        foretells_(has_multipliers && !equations.loads().empty()) {
    if (foretells_) yp_.resize(y_.size());
  }

  template <class Options>
  void begin(const MotionStart& start, const Options& options) {
    fill(start);
    if constexpr (std::is_base_of_v<DaeProblem, Problem>)
      integrator_.emplace(*problem_, options, start.t, y_, yp_);
    else
      integrator_.emplace(*problem_, options, start.t, y_);
  }
  // The ends of steps are on the constraints of positions and velocities: so are the states between them.
  void stay_on_constraints(double tolerance) { keeps_constraints_ = true, tolerance_ = tolerance; }

  bool restart(integrator::Jump jump, const MotionStart& start) override {
    fill(start);
    if constexpr (std::is_base_of_v<DaeProblem, Problem>)
      integrator_->restart(jump, start.t, y_, yp_);
    else
      integrator_->restart(jump, start.t, y_);
    return true;
  }

  StepResult step(double t_limit) override {
    StepResult result = step_integrator(t_limit);
    if (result.dominant >= static_cast<int>(nq_ + nv_)) result.dominant = -1;
    return result;
  }
  void stops_at(double t) override { due_ = t; }
  bool interpolate(double t, Span q, Span v) override {
    if (t != integrator_->t()) integrator_->interpolate(t, y_, foretells_ ? Span(yp_) : Span());
    t_interpolated_ = t;
    const CSpan y = t == integrator_->t() ? CSpan(integrator_->y()) : y_;
    std::ranges::copy(y.first(nq_), q.begin());
    std::ranges::copy(y.subspan(nq_, nv_), v.begin());
    return true;
  }
  bool sample(double t, Span q, Span v) override {
    if (t != integrator_->t() && onto_) onto_->solver().wear_out();  // of what was recorded nothing may be seen
    return sample_to_record(t, q, v);
  }
  bool sample_to_record(double t, Span q, Span v) override {
    sample_to_leave_out(t, q, v);
    is_moved_ = false;
    if (t != integrator_->t()) put_onto_constraints(t, q, v);
    return true;
  }
  bool sample_to_leave_out(double t, Span q, Span v) override {
    if (t != integrator_->t()) refine(*integrator_);
    return interpolate(t, q, v);
  }
  void put_onto_constraints(double t, Span q, Span v) override {
    is_moved_ = keeps_constraints_;
    if (!keeps_constraints_) return;
    if (!onto_) onto_.emplace(equations_, tolerance_);
    onto_->move_if_near(t, q, v);
  }
  bool foretell(double t, Span a, Span lambda) override {
    if constexpr (has_multipliers) {
      if (!foretells_ || t != t_interpolated_) return false;
      const bool is_end = t == integrator_->t();
      const CSpan y = is_end ? CSpan(integrator_->y()) : y_, yp = is_end ? CSpan(integrator_->yp()) : yp_;
      std::ranges::copy(yp.subspan(nq_, nv_), a.begin());
      std::ranges::copy(y.subspan(nq_ + nv_, lambda.size()), lambda.begin());
    }
    return foretells_;
  }
  formalism::AccelerationSolver* solver_of_records() override {
    return foretells_ && onto_ ? &onto_->solver() : nullptr;
  }
  formalism::AccelerationSolver* solver_of_sample() override { return is_moved_ ? &onto_->solver() : nullptr; }
  std::unique_ptr<Motion> clone() const override {
    if constexpr (std::is_copy_constructible_v<Integrator>) return std::make_unique<Pair>(*this);
    return nullptr;
  }
  double t() const override { return integrator_->t(); }
  Cost cost() const override {
    Cost cost = integrator_->cost();
    if constexpr (requires { integrator_->repairs(); }) cost.projections = integrator_->repairs();
    return cost;
  }
  long left_beside() const override { return onto_ ? onto_->left() : 0; }
  double stiff_rate() const override {
    if constexpr (requires { integrator_->is_stiff(); })
      return integrator_->is_stiff() ? integrator_->stiff_rate() : 0.0;
    return 0;
  }
  void forget_stiffness() override {
    if constexpr (requires { integrator_->forget_stiffness(); }) integrator_->forget_stiffness();
  }

 private:
  StepResult step_integrator(double t_limit) {
    if constexpr (requires { integrator_->step(t_limit, due_); })
      return integrator_->step(t_limit, due_);
    else
      return integrator_->step(t_limit);
  }
  // Multipliers follow (q, v) where they are unknowns; those that vanish in the solution stand behind them.
  void fill(const MotionStart& start) {
    std::fill(y_.begin(), y_.end(), 0.0);
    std::ranges::copy(start.q, y_.begin());
    std::ranges::copy(start.v, y_.begin() + static_cast<std::ptrdiff_t>(nq_));
    if constexpr (std::is_base_of_v<DaeProblem, Problem>) {
      std::ranges::copy(start.lambda, y_.begin() + static_cast<std::ptrdiff_t>(nq_ + nv_));
      yp_.assign(y_.size(), 0.0);
      equations_.kinematics(start.q, start.v, Span(yp_).first(nq_));
      std::ranges::copy(start.a.first(nv_), yp_.begin() + static_cast<std::ptrdiff_t>(nq_));
      problem_->fill_unknowns(start.t, y_, *problem_->workspace());
    }
  }

  std::shared_ptr<const Problem> problem_;  // of all copies
  EquationsOfMotion equations_;
  std::size_t nq_, nv_;
  std::vector<double> y_, yp_;
  // y' and multipliers are known between steps, and loads that depend on multipliers make other guesses far from the solution.
  static constexpr bool has_multipliers =
      std::is_same_v<Problem, formulation::Ggl> && std::is_same_v<Integrator, integrator::Bdf>;
  bool foretells_;
  double t_interpolated_ = 0;
  double due_ = 0;
  std::optional<Integrator> integrator_;
  bool keeps_constraints_ = false;  // at the ends of steps
  double tolerance_ = 0;
  std::optional<OntoConstraints> onto_;  // when there is a sample
  bool is_moved_ = false;                // the last one, by it
};

// Independent coordinates in charts.
template <class Integrator>
class Partitioned : public Motion {
 public:
  template <class Options>
  Partitioned(const EquationsOfMotion& equations, const MotionStart& start, const Options& options)
      : equations_(equations),
        end_{start.t, {start.q.begin(), start.q.end()}, {start.v.begin(), start.v.end()}},
        begin_(end_),
        problem_(std::make_shared<const formulation::Partitioning>(equations, end_)),
        y_(problem_->initial()),
        integrator_(*problem_, options, start.t, y_) {}

  StepResult step(double t_limit) override {
    std::swap(begin_, end_);
    StepResult result = integrator_.step(t_limit);
    result.dominant = state_of(result.dominant);
    end_.t = integrator_.t();
    expand(end_.t, end_.q, end_.v);
    return result;
  }
  // Near dead centres the interpolated increments may leave their reach: there the ends of the step tell enough.
  bool interpolate(double t, Span q, Span v) override {
    if (expand(t, q, v)) return true;
    between_ends(t, q, v);
    formalism::State state{t, {q.begin(), q.end()}, {v.begin(), v.end()}};
    if (!formalism::assemble(equations_, state, {}).ok || !formalism::fit_velocities(equations_, state, {}).ok)
      return false;
    std::ranges::copy(state.q, q.begin());
    std::ranges::copy(state.v, v.begin());
    return true;
  }
  bool sample(double t, Span q, Span v) override {
    refine(integrator_);
    return interpolate(t, q, v);
  }
  std::unique_ptr<Motion> clone() const override { return std::make_unique<Partitioned>(*this); }
  double t() const override { return integrator_.t(); }
  Cost cost() const override { return integrator_.cost(); }
  double stiff_rate() const override { return integrator_.is_stiff() ? integrator_.stiff_rate() : 0.0; }
  void forget_stiffness() override { integrator_.forget_stiffness(); }
  bool wants_other_rows() override { return problem_->wants_other_rows(integrator_.workspace()); }

 private:
  bool expand(double t, Span q, Span v) {
    using Of = formulation::Partitioning::Of;
    const bool now = t == integrator_.t();
    if (!now) integrator_.interpolate(t, y_, {});
    const Eval e = problem_->state(t, now ? integrator_.y() : CSpan(y_), now ? Of::next_step : Of::last_step, q, v,
                                   integrator_.workspace());
    if (e != Eval::ok) blame = integrator_.workspace().blame;
    return e == Eval::ok;
  }

  // The cubic through positions and their rates; velocities are its slope, or with quaternions on a line.
  void between_ends(double t, Span q, Span v) const {
    const double h = end_.t - begin_.t, s = h > 0 ? (t - begin_.t) / h : 1.0;
    std::vector<double> from(q.size()), to(q.size());
    equations_.kinematics(begin_.q, begin_.v, from);
    equations_.kinematics(end_.q, end_.v, to);
    for (std::size_t i = 0; i < q.size(); ++i) {
      const double change = end_.q[i] - begin_.q[i], a = h * from[i], b = h * to[i];
      q[i] = begin_.q[i] + s * (a + s * (3 * change - 2 * a - b + s * (a + b - 2 * change)));
      if (q.size() == v.size()) v[i] = (a + s * (6 * change - 4 * a - 2 * b + 3 * s * (a + b - 2 * change))) / h;
    }
    for (std::size_t i = 0; i < v.size() && q.size() != v.size(); ++i)
      v[i] = begin_.v[i] + s * (end_.v[i] - begin_.v[i]);
  }

  // The state that an unknown is; unknowns are increments first, then their rates. Those of a ball have no position.
  int state_of(int unknown) {
    if (unknown < 0) return -1;
    const auto names = problem_->independent(integrator_.workspace());
    const bool is_rate = static_cast<std::size_t>(unknown) >= names.size();
    const std::string& name = names[static_cast<std::size_t>(unknown) % names.size()];
    const auto index_in = [](const std::vector<std::string>& list, const std::string& wanted) {
      const auto found = std::ranges::find(list, wanted);
      return found == list.end() ? -1 : static_cast<int>(found - list.begin());
    };
    const int q = index_in(equations_.position_names(), name);
    if (q >= 0 && !is_rate) return q;
    const int v = index_in(equations_.velocity_names(), q >= 0 ? name + "_rate" : name);
    return v < 0 ? q : static_cast<int>(equations_.position_names().size()) + v;
  }

  EquationsOfMotion equations_;
  formalism::State end_, begin_;                              // of the last step
  std::shared_ptr<const formulation::Partitioning> problem_;  // of all copies
  std::vector<double> y_;
  Integrator integrator_;
};

using enum Formulation;

bool keeps_constraints(Formulation formulation) {
  return formulation == ggl || formulation == ggl_explicit || formulation == index1_projected ||
         formulation == index2_projected || formulation == projecting;
}

formulation::Incremental::Form form_of(Formulation formulation) {
  using Form = formulation::Incremental::Form;
  return formulation == ggl ? Form::stabilised : Form::index3;
}

bool is_newmark(Integrator integrator) {
  return integrator == Integrator::hht || integrator == Integrator::generalised_alpha;
}

struct Maker {
  const model::Experiment& experiment;
  const EquationsOfMotion& equations;
  const MotionStart& start;
  bool keeps_constraints = false;  // at the ends of steps, for positions and velocities

  // The equations alone, of a formulation for implicit methods.
  std::unique_ptr<DaeProblem> problem(Formulation formulation) const {
    if (formulation == ggl) return std::make_unique<formulation::Ggl>(equations);
    if (formulation == ggl_explicit) return std::make_unique<formulation::GglExplicit>(equations);
    return std::make_unique<formulation::Descriptor>(equations, descriptor(formulation));
  }

  // A model at rest invites steps that pass over a short input which sets in later.
  double largest_step() const {
    constexpr double part = 1.0 / 50;
    return experiment.largest_step > 0 ? experiment.largest_step : part * (experiment.until - experiment.from_time);
  }

  // What Newton's method leaves over in a line of nodal coordinates strains it: it is stiff in every direction but those of its turns, and derivatives are those
  // of where it was. Strains of a tolerance would hold far more energy than the motion has (theory 24, "Which method").
  static constexpr double radau5_on_lines = 1e-3, newmark_on_lines = 1e-6, bdf_on_lines = 1e-6;
  bool has_lines() const {
    return std::ranges::any_of(equations.model().bodies,
                               [](const model::Body& b) { return model::mesh_of(b) != nullptr; });
  }

  // kappa_on_lines: where lines of nodal coordinates move and none is given; 0: the method's own.
  integrator::Options options(double kappa_on_lines = 0) const {
    integrator::Options o;
    o.relative_tolerance = experiment.tolerance;
    o.absolute_tolerance = experiment.absolute_tolerance > 0 ? experiment.absolute_tolerance : experiment.tolerance;
    o.largest_step = largest_step(), o.max_order = experiment.max_order, o.kappa = experiment.kappa;
    if (kappa_on_lines > 0 && has_lines()) {
      o.persistent_newton = true;
      if (o.kappa == 0) o.kappa = kappa_on_lines;
    }
    o.jacobian = find_jacobian(experiment.jacobian).value_or(JacobianStrategy{});
    return o;
  }

  formulation::Metric metric() const {
    return experiment.metric == "euclidean" ? formulation::Metric::euclidean : formulation::Metric::mass;
  }

  formulation::DescriptorOptions descriptor(Formulation formulation) const {
    using formulation::Level;
    formulation::DescriptorOptions o;
    o.alpha = experiment.baumgarte, o.metric = metric();
    o.project = formulation == index1_projected || formulation == index2_projected;
    o.level = formulation == index3                                      ? Level::index3
              : formulation == baumgarte                                 ? Level::baumgarte
              : formulation == index1 || formulation == index1_projected ? Level::index1
                                                                         : Level::index2;
    return o;
  }

  template <class Problem, class Integrator, class... More>
  std::unique_ptr<Motion> make(More&&... more) const {
    auto pair = std::make_unique<Pair<Problem, Integrator>>(equations, std::forward<More>(more)...);
    constexpr bool is_radau5 = std::is_same_v<Integrator, integrator::Radau5>,
                   is_bdf = std::is_same_v<Integrator, integrator::Bdf>;
    pair->begin(start, options(is_radau5 ? radau5_on_lines : is_bdf ? bdf_on_lines : 0.0));
    if (keeps_constraints) pair->stay_on_constraints(experiment.tolerance);
    return pair;
  }

  template <class Integrator>
  std::unique_ptr<Motion> implicit(Formulation formulation) const {
    using formulation::Ggl;
    constexpr auto rates =
        std::is_same_v<Integrator, integrator::Bdf> ? Ggl::LineRates::by_strain : Ggl::LineRates::alike;
    if (formulation == ggl) return make<Ggl, Integrator>(Ggl::Unknowns::kept, rates);
    if constexpr (!std::is_same_v<Integrator, integrator::Radau5>) {
      if (formulation == ggl_explicit) return make<formulation::GglExplicit, Integrator>();
    }
    return make<formulation::Descriptor, Integrator>(descriptor(formulation));
  }

  model::MethodOptions method_options() const {
    if (experiment.options) return *experiment.options;
    return {};
  }

  integrator::NewmarkOptions newmark_options() const {
    integrator::NewmarkOptions o{options(newmark_on_lines), {}, {}};
    const model::MethodOptions method = method_options();
    o.rho_infinity = method.rho_infinity, o.hht_alpha = method.hht_alpha;
    return o;
  }

  integrator::TwoLoopOptions two_loop_options() const {
    using Formula = integrator::TwoLoopOptions::Formula;
    using Outer = integrator::TwoLoopOptions::Outer;
    integrator::TwoLoopOptions o{options()};
    if (const double span = experiment.until - experiment.from_time; span > 0) o.span = span;
    const model::MethodOptions method = method_options();
    o.formula = method.formula == "bdf2"          ? Formula::bdf2
                : method.formula == "trapezoidal" ? Formula::trapezoidal
                : method.formula == "hht"         ? Formula::hht
                                                  : Formula::park;
    o.outer = method.outer_loop == "simple"           ? Outer::simple
              : method.outer_loop == "newton_krylov"  ? Outer::newton_krylov
              : method.outer_loop == "preconditioned" ? Outer::preconditioned
                                                      : Outer::automatic;
    o.krylov_depth = method.krylov_depth, o.hht_alpha = method.hht_alpha, o.step_exponent = method.step_exponent;
    return o;
  }

  template <class Integrator>
  std::unique_ptr<Motion> incremental(Formulation formulation) const {
    auto pair = std::make_unique<Pair<formulation::Incremental, Integrator>>(equations, form_of(formulation));
    pair->begin(start, newmark_options());
    if (keeps_constraints) pair->stay_on_constraints(experiment.tolerance);
    return pair;
  }

  template <class Integrator>
  std::unique_ptr<Motion> ordinary(Formulation formulation) const {
    if (formulation == partitioning) return std::make_unique<Partitioned<Integrator>>(equations, start, options());
    using Positions = formulation::ProjectionOptions::Positions;
    formulation::ProjectionOptions o;
    o.positions = formulation == projecting         ? Positions::controlled
                  : formulation == index1_projected ? Positions::always
                                                    : Positions::never;
    o.velocities = formulation != index1 && formulation != baumgarte;
    o.alpha = formulation == baumgarte ? experiment.baumgarte : 0.0;
    o.metric = metric();
    return make<formulation::Projected, Integrator>(o);
  }
};

}  // namespace

void require_jacobian(const Solver& solver, const model::Experiment& experiment, const EquationsOfMotion& equations) {
  const bool has_strategies = solver.integrator == Integrator::bdf || is_newmark(solver.integrator);
  if (!has_strategies || experiment.jacobian == "auto") return;
  const Maker maker{experiment, equations, {}};
  std::unique_ptr<DaeProblem> problem;
  if (is_newmark(solver.integrator))
    problem = std::make_unique<formulation::Incremental>(equations, form_of(solver.formulation));
  else
    problem = maker.problem(solver.formulation);
  const std::string reason = why_not(*problem, maker.options().jacobian);
  if (reason.empty()) return;
  throw ModelError(line_of(experiment, "jacobian"),
                   "the Jacobian strategy \"" + experiment.jacobian + "\" does not fit this model: " + reason + ".",
                   "Choose the solver bdf/ggl_explicit, or leave `jacobian` out.");
}

std::unique_ptr<Motion> start_motion(const Solver& solver, const model::Experiment& experiment,
                                     const EquationsOfMotion& equations, const MotionStart& start) {
  if (equations.nv() == 0) return nullptr;
  const Maker maker{experiment, equations, start, keeps_constraints(solver.formulation)};
  if (solver.integrator == Integrator::bdf) return maker.implicit<integrator::Bdf>(solver.formulation);
  if (solver.integrator == Integrator::ida) return maker.implicit<integrator::Ida>(solver.formulation);
  if (solver.integrator == Integrator::radau5) return maker.implicit<integrator::Radau5>(solver.formulation);
  if (solver.integrator == Integrator::dopri5) return maker.ordinary<integrator::Dopri5>(solver.formulation);
  if (solver.integrator == Integrator::adams) return maker.ordinary<integrator::Adams>(solver.formulation);
  if (solver.integrator == Integrator::hht) return maker.incremental<integrator::Hht>(solver.formulation);
  if (solver.integrator == Integrator::generalised_alpha)
    return maker.incremental<integrator::GeneralisedAlpha>(solver.formulation);
  if (solver.integrator == Integrator::two_loop)
    return std::make_unique<Partitioned<integrator::TwoLoop>>(equations, start, maker.two_loop_options());
  return maker.make<formulation::Mechanical, integrator::Hem5>();
}

}  // namespace skyhook::simulation
