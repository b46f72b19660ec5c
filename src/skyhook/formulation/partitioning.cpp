#include "skyhook/formulation/partitioning.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "skyhook/formalism/way.h"
#include "skyhook/formulation/chart.h"
#include "skyhook/formulation/reduced_response.h"

namespace skyhook::formulation {
namespace {

using formalism::EquationsOfMotion;

// "crank.angle" of a tangent coordinate; in balls, which have no such coordinate, the name of its velocity.
std::string name_of(const EquationsOfMotion& eq, int iv) {
  const int iq = eq.position_of(iv);
  return iq >= 0 ? eq.position_names()[iq] : eq.velocity_names()[iv];
}

// y at the origin of a chart, where d' = v.
void start_of(const Chart& chart, const std::vector<double>& v, Span y) {
  const std::size_t n = y.size() / 2;
  for (std::size_t k = 0; k < n; ++k) y[k] = 0, y[n + k] = v[chart.independent()[k]] / chart.scale()[k];
}

}  // namespace

struct Partitioning::Work : WorkspaceOf<Partitioning::Work> {
  Work(const EquationsOfMotion& eq, const formalism::State& start, const std::vector<int>& independent)
      : chart(eq),
        now(eq, start.t, start.q, independent, chart),
        least(now.sensitivity(chart).energy),
        rcond(now.rcond()) {}
  ChartWork chart;
  Chart now;
  std::optional<Chart> before;  // of the last step, where it is not `now`
  double least;                 // sensitivity of this chart, or that with which it was kept
  double rcond;                 // likewise
  bool poor_rows = false;
  long renewals = 0;
  // The end of the last step, as it was accepted: where rows have become poor it might not be found again.
  formalism::State end = {.t = std::numeric_limits<double>::quiet_NaN()};
  std::vector<double> end_y = {};
  std::optional<ReducedResponse> response = {};
  std::vector<double> dq = {}, dv = {}, d = {};
  bool is_end(double t, CSpan y) const { return t == end.t && std::ranges::equal(y, end_y); }
};

Partitioning::Partitioning(EquationsOfMotion equations, formalism::State start, PartitioningOptions options)
    : equations_(std::move(equations)), start_(std::move(start)), options_(options) {
  const auto partition = equations_.choose_dependent(start_);
  independent_ = partition.independent, condition_ = partition.condition;
  // The chart may change, the structure may not: names say what the coordinate was at the start.
  for (const char* what : {"", "rate of "}) {
    for (std::size_t k = 0; k < independent_.size(); ++k) {
      const std::string at_start = name_of(equations_, independent_[k]);
      const int iq = equations_.position_of(independent_[k]);
      structure_.y.push_back(
          {.nominal = equations_.nominal(independent_[k]),
           .counts_way = *what == 0 && iq >= 0 && formalism::counts_way(equations_, iq),
           .name = fmt::format("{}independent coordinate {} (at the start {})", what, k + 1, at_start)});
    }
  }
  for (const auto& variable : structure_.y) structure_.rows.push_back("derivative of " + variable.name);
}

std::unique_ptr<Workspace> Partitioning::workspace() const {
  return std::make_unique<Work>(equations_, start_, independent_);
}

std::vector<double> Partitioning::initial() const {
  std::vector<double> y(2 * independent_.size());
  const Work work(equations_, start_, independent_);
  start_of(work.now, start_.v, y);
  return y;
}

long Partitioning::factorisations(const Workspace& workspace) const {
  const auto& work = static_cast<const Work&>(workspace).chart;
  return work.solver.factorisations() + work.factorisations;
}

long Partitioning::renewals(const Workspace& workspace) const { return static_cast<const Work&>(workspace).renewals; }

bool Partitioning::wants_other_rows(const Workspace& workspace) const {
  return static_cast<const Work&>(workspace).poor_rows;
}

std::vector<std::string> Partitioning::independent(const Workspace& workspace) const {
  std::vector<std::string> names;
  for (const int i : static_cast<const Work&>(workspace).now.independent()) names.push_back(name_of(equations_, i));
  return names;
}

Eval Partitioning::rhs(double t, CSpan y, Span yp, Workspace& workspace) const {
  auto& work = static_cast<Work&>(workspace);
  const std::size_t n = independent_.size();
  Eval e = work.now.expand(t, y.first(n), y.subspan(n), work.chart);
  if (e == Eval::ok) e = work.now.accelerations(t, yp.subspan(n), work.chart);
  std::copy(y.begin() + static_cast<long>(n), y.end(), yp.begin());
  std::fill_n(yp.begin() + static_cast<long>(n - equations_.ns()), equations_.ns(), 0.0);
  if (e != Eval::ok) work.blame = work.chart.blame;
  return e;
}

Eval Partitioning::prepare(double t, CSpan y, double b, double c, Workspace& workspace) const {
  auto& work = static_cast<Work&>(workspace);
  const std::size_t n = independent_.size();
  if (!work.response) {
    work.response.emplace(equations_);
    for (auto* x : {&work.dq, &work.dv, &work.d}) x->resize(static_cast<std::size_t>(equations_.nv()));
  }
  Eval e = work.now.expand(t, y.first(n), y.subspan(n), work.chart);
  if (e == Eval::ok) e = work.now.accelerations(t, Span(work.d).first(n), work.chart);
  if (e == Eval::ok)
    e = work.response->prepare(equations_, {t, work.chart.q, work.chart.v, work.chart.a, work.chart.lambda}, b, c,
                               work.chart.equations);
  if (e != Eval::ok) work.blame = work.chart.blame;
  return e;
}

// The chart's matrix is that of the last evaluation, near the one that prepare() has seen.
void Partitioning::respond(CSpan dx, CSpan dv, Span dF, Workspace& workspace) const {
  auto& work = static_cast<Work&>(workspace);
  work.now.spread(dx, work.dq, work.chart);
  work.now.spread(dv, work.dv, work.chart);
  work.response->solve(work.dq, work.dv, work.d);
  work.now.gather(work.d, dF, work.chart);
}

Eval Partitioning::state(double t, CSpan y, Of of, Span q, Span v, Workspace& workspace) const {
  auto& work = static_cast<Work&>(workspace);
  const std::size_t n = independent_.size();
  if (of == Of::next_step && work.is_end(t, y)) {
    std::ranges::copy(work.end.q, q.begin()), std::ranges::copy(work.end.v, v.begin());
    return Eval::ok;
  }
  Chart& chart = of == Of::last_step && work.before ? *work.before : work.now;
  const Eval e = chart.expand(t, y.first(n), y.subspan(n), work.chart);
  std::copy(work.chart.q.begin(), work.chart.q.end(), q.begin());
  std::copy(work.chart.v.begin(), work.chart.v.end(), v.begin());
  if (e != Eval::ok) work.blame = work.chart.blame;
  return e;
}

bool Partitioning::accepted(double t, Span y, Workspace& workspace) const {
  auto& work = static_cast<Work&>(workspace);
  const std::size_t n = independent_.size();
  work.before.reset();
  if (work.now.expand(t, y.first(n), y.subspan(n), work.chart) != Eval::ok) return false;
  work.now.accept(work.chart);
  work.end.t = t, work.end.q = work.chart.q, work.end.v = work.chart.v;
  work.end_y.assign(y.begin(), y.end());
  const Need why = need(work);
  return why != Need::none && renew(t, y, why, work);
}

// A better choice of the independent coordinates may be worth a new beginning; a new origin is, whatever the choice.
Partitioning::Need Partitioning::need(Work& work) const {
  const auto sensitivity = work.now.sensitivity(work.chart);
  work.least = std::min(work.least, sensitivity.energy);
  if (work.now.turned() > options_.largest_turn || sensitivity.growth > options_.largest_error_growth)
    return Need::new_origin;
  const bool grown = sensitivity.energy > options_.largest_growth * std::max(work.least, 1.0);
  return grown || work.now.rcond() < options_.least_rcond * work.rcond ? Need::better_choice : Need::none;
}

// False: no better chart is to be had, as at a singular position. The present one serves on.
bool Partitioning::renew(double t, Span y, Need need, Work& work) const {
  const formalism::State here{t, work.chart.q, work.chart.v};
  const auto partition = equations_.choose_dependent(here);
  work.poor_rows = partition.rank < equations_.ng() || partition.condition > options_.poor_rows * condition_;
  if (partition.rank < equations_.ng()) return false;
  const double present = work.now.sensitivity(work.chart).energy;
  Chart next(equations_, t, here.q, partition.independent, work.chart);
  const double energy = next.sensitivity(work.chart).energy;
  const bool better = energy * options_.least_gain < present || work.now.rcond() * options_.least_gain < next.rcond();
  if (need == Need::better_choice && !better) {
    work.least = present, work.rcond = work.now.rcond();  // look again when it has worsened further
    return false;
  }
  work.before.emplace(std::move(work.now));
  work.now = std::move(next);
  work.least = energy, work.rcond = work.now.rcond();
  ++work.renewals;
  start_of(work.now, here.v, y);
  return true;
}

}  // namespace skyhook::formulation
