#include "overhead.h"

#include <algorithm>
#include <limits>

#include "dae_run.h"
#include "plain_ida.h"
#include "timing.h"

namespace skyhook::bench {
namespace {

// Oscillators x'' = -x - 0.3 x^3 + 0.1 (neighbours - 2 x) - 0.02 x', of which a residual costs next to nothing.
class Oscillators : public DaeProblem {
 public:
  explicit Oscillators(int unknowns) : m_(static_cast<std::size_t>(unknowns / 2)) {
    PatternBuilder builder(unknowns, unknowns);
    const int m = unknowns / 2;
    for (int i = 0; i < m; ++i) {
      builder.add(i, i), builder.add(i, m + i), builder.add(m + i, m + i);
      for (int j = std::max(i - 1, 0); j <= std::min(i + 1, m - 1); ++j) builder.add(m + i, j);
    }
    structure_.pattern = std::make_shared<const Pattern>(builder.build());
    structure_.y.resize(static_cast<std::size_t>(unknowns));
    structure_.dF_dyp_constant = true;
  }
  const Structure& structure() const override { return structure_; }
  std::unique_ptr<Workspace> workspace() const override { return std::make_unique<Workspace>(); }

  double acceleration(const double* y, std::size_t i) const {
    const double left = i > 0 ? y[i - 1] : 0, right = i + 1 < m_ ? y[i + 1] : 0;
    return -y[i] - 0.3 * y[i] * y[i] * y[i] + 0.1 * (left + right - 2 * y[i]) - 0.02 * y[m_ + i];
  }

  Eval residual(const Point& p, Span F, Workspace&) const override {
    for (std::size_t i = 0; i < m_; ++i) {
      F[i] = p.yp[i] - p.y[m_ + i];
      F[m_ + i] = p.yp[m_ + i] - acceleration(p.y.data(), i);
    }
    return Eval::ok;
  }

  Eval derivatives(const Point& p, Csc& dF_dy, Csc& dF_dyp, Workspace&) const override {
    const Pattern& pattern = *structure_.pattern;
    const auto m = static_cast<int>(m_);
    for (int j = 0; j < 2 * m; ++j) {
      for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k) {
        const int i = pattern.row[k];
        dF_dyp.value[k] = i == j ? 1 : 0;
        dF_dy.value[k] = i < m ? (i == j ? 0 : -1) : i == j ? 0.02 : i - m == j ? 1.2 + 0.9 * p.y[j] * p.y[j] : -0.1;
      }
    }
    return Eval::ok;
  }

 private:
  std::size_t m_;
  Structure structure_;
};

DaeCase oscillators(int unknowns) {
  const auto problem = std::make_shared<Oscillators>(unknowns);
  DaeCase out{"oscillators", problem};
  const auto n = static_cast<std::size_t>(unknowns), m = n / 2;
  out.until = 100, out.largest_step = 100, out.absolute = 0.01, out.positions = m;
  out.y.assign(n, 0), out.yp.assign(n, 0);
  for (std::size_t i = 0; i < m; ++i) out.y[i] = 1 + 0.01 * static_cast<double>(i);
  for (std::size_t i = 0; i < m; ++i) out.yp[m + i] = problem->acceleration(out.y.data(), i);
  return out;
}

}  // namespace

// Time of a run less the calls of the problem's functions, each at the price it has alone.
void overhead(Report& report) {
  constexpr int unknowns = 100;
  constexpr double tolerance = 1e-6, patience = 2;
  const DaeCase c = oscillators(unknowns);
  const auto workspace = c.problem->workspace();
  std::vector<double> F(c.y.size());
  Csc dF_dy(c.problem->structure().pattern), dF_dyp(c.problem->structure().pattern);
  const Point point{c.t, c.y, c.yp};
  const std::vector<double> call = least_seconds({[&] { c.problem->residual(point, F, *workspace); },
                                                  [&] { c.problem->derivatives(point, dF_dy, dF_dyp, *workspace); }});
  std::vector<TimedRun> timed{{&c, Method::bdf, c.options(tolerance)}, {&c, Method::ida, c.options(tolerance)}};
  measure(timed, patience);
  Table table;
  table.add_column("integrator");
  for (const char* name : {"steps", "residuals", "Jacobians", "factorisations"}) table.add_column(name);
  for (const char* name : {"time / step", "of it outside the problem"}) table.add_column(name, "us", 3);
  std::vector<double> outside;
  for (const TimedRun& r : timed) {
    const Cost cost = integrate(c, r.method, r.options).cost;
    const auto steps = static_cast<double>(cost.steps);
    outside.push_back(
        (r.least - call[0] * static_cast<double>(cost.residuals) - call[1] * static_cast<double>(cost.jacobians)) /
        steps);
    table.add_row({std::string(r.method == Method::bdf ? "bdf" : "ida"), cost.steps, cost.residuals, cost.jacobians,
                   cost.factorisations, 1e6 * r.least / steps, 1e6 * outside.back()});
  }
  PlainIdaRun plain;
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 7; ++k) {
    plain = plain_ida(*c.problem, c.y, c.yp, c.until, tolerance, tolerance * c.absolute);
    least = std::min(least, plain.seconds);
  }
  const auto plain_steps = static_cast<double>(plain.steps);
  outside.push_back(
      (least - call[0] * static_cast<double>(plain.residuals) - call[1] * static_cast<double>(plain.jacobians)) /
      plain_steps);
  table.add_row({std::string("IDA as delivered"), plain.steps, plain.residuals, plain.jacobians, plain.factorisations,
                 1e6 * least / plain_steps, 1e6 * outside.back()});
  report.add("overhead", "Fifty coupled oscillators, 100 unknowns, tolerance 1e-6, exact Jacobian", table);
  report.judge("bdf: time of a step outside the problem's functions, 100 unknowns", outside[0] / outside[2], 0.35,
               "IDA as delivered");
  report.judge("bdf: the same beside our wrapping of IDA with its own vectors and matrix", outside[0] / outside[1],
               0.35, "ida");
}

}  // namespace skyhook::bench
