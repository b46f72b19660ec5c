#include "skyhook/formulation/index_study.testing.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "skyhook/formulation/backward_euler.testing.h"
#include "skyhook/formulation/descriptor.h"
#include "skyhook/formulation/projected.h"
#include "skyhook/integrator/bdf.h"
#include "skyhook/integrator/ida.h"
#include "skyhook/integrator/radau5.h"

namespace skyhook::formulation::testing {
namespace {

using integrator::StepStatus;

std::unique_ptr<DaeProblem> problem_of(const Bead& bead, Form form) {
  if (form == Form::ggl) return std::make_unique<Ggl>(bead.equations);
  const Level level = form == Form::index3 ? Level::index3 : form == Form::index2 ? Level::index2 : Level::index1;
  return std::make_unique<Descriptor>(bead.equations, DescriptorOptions{.level = level});
}

// Calls watch(method) after each step. What is left of it is why it did not come to the end.
template <class Integrator, class Watch>
std::string follow(Integrator&& method, double until, const Watch& watch) {
  for (integrator::StepResult r; r.status != StepStatus::reached_limit;) {
    r = method.step(until);
    if (r.status == StepStatus::failed) return r.reason;
    watch(method);
  }
  return {};
}

template <class Watch>
std::string run(const Trial& trial, const Bead& bead, const Watch& watch) {
  const auto problem = problem_of(bead, trial.form);
  const Bead::Start s = bead.start(problem->structure().size(), keeps_s(trial.form));
  const integrator::Options options{
      .relative_tolerance = trial.tolerance, .absolute_tolerance = trial.tolerance, .kappa = trial.kappa};
  if (trial.method == Method::bdf) return follow(integrator::Bdf(*problem, options, 0, s.y, s.yp), trial.until, watch);
  if (trial.method == Method::ida) return follow(integrator::Ida(*problem, options, 0, s.y, s.yp), trial.until, watch);
  return follow(integrator::Radau5(*problem, options, 0, s.y, s.yp), trial.until, watch);
}

double distance(CSpan y, std::size_t first, const Vec3d& to) {
  return norm(Vec3d{y[first], y[first + 1], y[first + 2]} - to);
}

double size_of(CSpan x) {
  double sum = 0;
  for (const double each : x) sum += each * each;
  return std::sqrt(sum);
}

}  // namespace

std::string name_of(Form form) {
  constexpr std::array names{"index 3", "index 2", "index 1", "GGL"};
  return names[static_cast<std::size_t>(form)];
}

Errors errors_from(double start, const Trial& trial) {
  const Bead bead(start);
  Errors e;
  Cost cost;
  std::vector<double> of_force;
  const std::string failure = run(trial, bead, [&](const auto& method) {
    const CSpan y = method.y();
    const Bead::Exact exact = bead.exact(method.t());
    e.position += std::pow(distance(y, 0, exact.position), 2);
    e.velocity += std::pow(distance(y, bead.nq(), exact.velocity), 2);
    const double force = size_of(y.subspan(bead.nq() + bead.nv(), bead.ng()));
    of_force.push_back(std::abs(force - exact.force) / bead.largest_force());
    if (keeps_s(trial.form))
      e.s += std::pow(y.back() - exact.s, 2), e.foot += std::pow(bead.beside_foot(y, y.back()), 2);
    cost = method.cost();
  });
  if (!failure.empty()) throw std::runtime_error(failure);
  for (double* sum : {&e.position, &e.velocity, &e.s, &e.foot})
    *sum = std::sqrt(*sum / static_cast<double>(of_force.size()));
  std::ranges::sort(of_force);
  e.multiplier = of_force[of_force.size() / 2], e.worst_multiplier = of_force.back();
  e.steps = static_cast<double>(cost.steps), e.iterations = static_cast<double>(cost.newton_iterations);
  e.failures = static_cast<double>(cost.newton_failures);
  return e;
}

Errors errors_of(const Trial& trial) {
  constexpr std::array starts{0.0, 0.4, 0.9, 1.3, 2.0};
  constexpr double part = 1.0 / starts.size();
  Errors mean{.position = 1, .velocity = 1, .multiplier = 1, .worst_multiplier = 1, .s = 1, .foot = 1};
  for (const double from : starts) {
    const Errors e = errors_from(from, trial);
    for (double Errors::*error : {&Errors::position, &Errors::velocity, &Errors::multiplier, &Errors::worst_multiplier,
                                  &Errors::s, &Errors::foot})
      mean.*error *= std::pow(e.*error, part);
    for (double Errors::*count : {&Errors::steps, &Errors::iterations, &Errors::failures})
      mean.*count += e.*count * part;
  }
  return mean;
}

Drift drift_of(const Trial& trial, const std::vector<double>& times) {
  const Bead bead;
  const Projected levels(bead.equations, {});
  auto workspace = levels.workspace();
  Drift drift{std::vector<double>(times.size()), std::vector<double>(times.size())};
  std::vector<double> steps(times.size());
  Trial whole = trial;
  whole.until = times.back();
  const std::string failure = run(whole, bead, [&](const auto& method) {
    for (std::size_t k = 0; k < times.size(); ++k) {
      if (method.t() < 0.8 * times[k] || method.t() > times[k]) continue;
      const auto d = levels.drift(method.t(), method.y().first(bead.y.size()), *workspace);
      drift.position[k] += d.position, drift.velocity[k] += d.velocity, ++steps[k];
    }
  });
  if (!failure.empty()) throw std::runtime_error(failure);
  for (std::size_t k = 0; k < times.size(); ++k) drift.position[k] /= steps[k], drift.velocity[k] /= steps[k];
  return drift;
}

namespace {

class ShakenProblem : public DaeProblem {
 public:
  ShakenProblem(const DaeProblem& problem, int first, int count, double size, double h)
      : problem_(problem), first_(first), count_(count), size_(size), h_(h) {}
  const Structure& structure() const override { return problem_.structure(); }
  std::unique_ptr<Workspace> workspace() const override { return problem_.workspace(); }
  Eval residual(const Point& p, Span F, Workspace& w) const override {
    const Eval e = problem_.residual(p, F, w);
    const double sign = std::lround(p.t / h_) % 2 == 0 ? 1 : -1;
    for (int k = first_; k < first_ + count_; ++k) F[k] += sign * size_;
    return e;
  }
  Eval derivatives(const Point& p, Csc& dF_dy, Csc& dF_dyp, Workspace& w) const override {
    return problem_.derivatives(p, dF_dy, dF_dyp, w);
  }

 private:
  const DaeProblem& problem_;
  int first_, count_;
  double size_, h_;
};

}  // namespace

Reach reach_of_shaking(Form form, Shaken what, double h) {
  constexpr double theta = 1e-8;
  const Bead bead(0.4);
  const auto problem = problem_of(bead, form);
  const int n = problem->structure().size(), ng = static_cast<int>(bead.ng());
  const int lambda = static_cast<int>(bead.nq() + bead.nv());
  const int first = what == Shaken::contact ? n - 1 : what == Shaken::positions ? lambda + ng : lambda;
  const ShakenProblem shaken(*problem, first, what == Shaken::contact ? 1 : ng, theta, h);
  std::vector<double> calm = bead.start(n, keeps_s(form)).y, moved = calm;
  Reach reach;
  for (int step = 0; step < 12; ++step) {
    backward_euler_step(*problem, step * h, h, calm);
    backward_euler_step(shaken, step * h, h, moved);
    if (step < 6) continue;  // the start was not shaken
    const auto change = [&](std::size_t from, std::size_t count) {
      std::vector<double> d;
      for (std::size_t i = from; i < from + count; ++i) d.push_back((moved[i] - calm[i]) / theta);
      return size_of(d);
    };
    const auto take = [](double& largest, double value) { largest = std::max(largest, value); };
    take(reach.position, change(0, 3));
    take(reach.velocity, change(bead.nq(), 3));
    take(reach.multiplier, change(static_cast<std::size_t>(lambda), bead.ng()));
    if (form == Form::ggl) take(reach.eta, change(static_cast<std::size_t>(lambda + ng), bead.ng()));
    if (keeps_s(form)) take(reach.s, change(static_cast<std::size_t>(n - 1), 1));
  }
  return reach;
}

}  // namespace skyhook::formulation::testing
