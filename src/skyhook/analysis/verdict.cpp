#include "skyhook/analysis/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "skyhook/analysis/unknown.h"

namespace skyhook::analysis {
namespace {

using Runs = std::vector<const ComparedRun*>;

// Those with an error, loosest tolerance first.
Runs runs_of(const Comparison& comparison, const std::string& solver) {
  Runs out;
  for (const ComparedRun& r : comparison.runs) {
    if (r.solver == solver && r.finished() && std::isfinite(r.error.positions)) out.push_back(&r);
  }
  std::stable_sort(out.begin(), out.end(), [](const auto* a, const auto* b) { return a->tolerance > b->tolerance; });
  return out;
}

std::vector<std::string> solvers_of(const Comparison& comparison) {
  std::vector<std::string> out;
  for (const ComparedRun& r : comparison.runs) {
    if (std::find(out.begin(), out.end(), r.solver) == out.end()) out.push_back(r.solver);
  }
  return out;
}

double log_of(double x) { return std::log(std::max(x, 1e-30)); }  // errors and times may be 0

double between(double a, double b, double share) { return std::exp(log_of(a) + share * (log_of(b) - log_of(a))); }

bool within(const ComparedRun& r, double error) { return r.error.positions <= error; }

// The loosest run that is as exact as wanted and has no tighter one that is not: a single hit may be luck.
std::size_t first_within(const Runs& runs, double error) {
  std::size_t k = runs.size();
  while (k > 0 && within(*runs[k - 1], error)) --k;
  return k;
}

void find_work(const Runs& runs, double error, SolverVerdict& out) {
  const std::size_t k = first_within(runs, error);
  out.seconds = out.evaluations = unknown;
  if (k == runs.size()) {
    const bool any = std::any_of(runs.begin(), runs.end(), [&](const auto* r) { return within(*r, error); });
    out.reach = any ? Reach::not_for_sure : Reach::not_reached;
    return;
  }
  const ComparedRun& b = *runs[k];
  out.reach = k == 0 ? Reach::at_most : Reach::interpolated;
  const ComparedRun& a = *runs[k == 0 ? 0 : k - 1];
  const double fall = log_of(a.error.positions) - log_of(b.error.positions);
  const double share = k == 0 ? 1 : (log_of(a.error.positions) - log_of(error)) / fall;
  out.seconds = between(a.cost.seconds, b.cost.seconds, share);
  out.evaluations = between(static_cast<double>(a.cost.residuals), static_cast<double>(b.cost.residuals), share);
}

// Least squares in logarithms, over runs whose error is not that of the reference.
double slope_of(const Runs& runs) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (const ComparedRun* r : runs) {
    if (r->at_limit || !(r->error.positions > 0)) continue;
    const double u = std::log(r->tolerance), v = std::log(r->error.positions);
    n += 1, x += u, y += v, xx += u * u, xy += u * v;
  }
  return n < 2 ? unknown : (n * xy - x * y) / (n * xx - x * x);
}

double best_error(const Runs& runs, double reference_error) {
  double out = unknown;
  for (const ComparedRun* r : runs) out = std::fmin(out, r->error.positions);
  return runs.empty() ? unknown : std::fmax(out, reference_error);
}

bool can_tell(const Comparison& comparison, double error) {
  return !(error < 3 * comparison.reference.error.positions);  // as ComparedRun::at_limit
}

double usual_error(const Comparison& comparison) {
  double best = 1e-5;
  long most = -1;
  for (const int k : {5, 4, 6, 3, 7, 2, 8, 1, 9, 10, 11, 12}) {  // nearest to 1e-5 first
    const double error = std::pow(10.0, -k);
    if (!can_tell(comparison, error)) continue;
    long enclosing = 0;
    for (const std::string& solver : solvers_of(comparison)) {
      const Runs runs = runs_of(comparison, solver);
      const std::size_t at = first_within(runs, error);
      enclosing += at > 0 && at < runs.size() ? 1 : 0;
    }
    if (enclosing > most) most = enclosing, best = error;
  }
  return best;
}

}  // namespace

Verdict judge(const Comparison& comparison, std::optional<double> error) {
  Verdict out{error ? *error : usual_error(comparison)};
  out.beyond_reference = !can_tell(comparison, out.error);
  for (const std::string& solver : solvers_of(comparison)) {
    const Runs runs = runs_of(comparison, solver);
    SolverVerdict v{solver};
    find_work(runs, out.error, v);
    v.best_error = best_error(runs, comparison.reference.error.positions), v.slope = slope_of(runs);
    out.solvers.push_back(v);
  }
  const auto cost = [](const SolverVerdict& v) {
    return v.reaches() ? v.seconds : std::numeric_limits<double>::infinity();
  };
  std::stable_sort(out.solvers.begin(), out.solvers.end(),
                   [&](const auto& a, const auto& b) { return cost(a) < cost(b); });
  for (SolverVerdict& v : out.solvers) v.ratio = v.seconds / out.solvers[0].seconds;
  return out;
}

std::string sentence(const Verdict& verdict) {
  const auto& s = verdict.solvers;
  if (s.empty()) return "";
  if (verdict.beyond_reference)
    return fmt::format("The reference is not exact enough to tell an error of {:g}.", verdict.error);
  if (!s[0].reaches()) return fmt::format("No solver reaches an error of {:g} here.", verdict.error);
  if (s.size() == 1 || !s[1].reaches())
    return fmt::format("{} reaches an error of {:g}{}.", s[0].solver, verdict.error,
                       s.size() == 1 ? "" : ", the others do not");
  return fmt::format("{} reaches an error of {:g} first; {} takes {:.3g} times as long.", s[0].solver, verdict.error,
                     s[1].solver, s[1].ratio);
}

}  // namespace skyhook::analysis
