#include "skyhook/analysis/flow_map.h"

#include <algorithm>
#include <cmath>

#include "skyhook/base/error.h"
#include "skyhook/formalism/way.h"
#include "skyhook/simulation/simulate.h"

namespace skyhook::analysis {
namespace {

using simulation::Equations;

// Positions that no rate depends on: their columns of A are zero, up to rounding of the largest in their row.
std::vector<int> kept_states(const Linearisation& linear, const std::vector<char>& spins) {
  constexpr double rounding = 1e-11;
  const int n = linear.coordinates, m = linear.A.rows;
  std::vector<int> out;
  for (int j = 0; j < m; ++j) {
    bool matters = j >= n;
    if (!matters && spins[static_cast<std::size_t>(j)]) continue;
    for (int i = n; i < m && !matters; ++i) {
      double most = 0;
      for (int k = 0; k < m; ++k) most = std::max(most, std::abs(linear.A(i, k)));
      matters = std::abs(linear.A(i, j)) > rounding * most;
    }
    if (matters) out.push_back(j);
  }
  return out;
}

// Angles that grow in the steady motion, as those of wheels do: they need not come back, and of what is round nothing depends on them.
std::vector<char> spinning(const Equations& eq, const OperatingPoint& at, const Linearisation& linear) {
  std::vector<char> out;
  for (const int iv : linear.independent) {
    const int iq = eq.position_of(iv);
    out.push_back(at.is_given_motion && iq >= 0 && !formalism::counts_way(eq, iq) &&
                  std::abs(at.state.v[static_cast<std::size_t>(iv)]) > 1e-9);
  }
  return out;
}

void refuse_spinning_rotations(const Equations& eq, const formalism::State& state) {
  for (const auto& r : eq.rotations()) {
    double rate = 0;
    for (int i = 0; i < 3; ++i) rate = std::max(rate, std::abs(state.v[static_cast<std::size_t>(r.iv + i)]));
    if (rate > 1e-9)
      throw ModelError({},
                       "\"" + eq.owner_of_velocity(r.iv) +
                           "\" spins, and its rotation has no angle of its own: it never comes back to where it was.",
                       "Let it turn on a revolute joint, or on one with Cardan angles.");
  }
}

// Collects x along a run.
struct PassageSink : simulation::Sink {
  Passage out;
  std::function<void(const simulation::Sample&)> take;
  void begin(const simulation::RunInfo& i) override { out.unit = i.channels.empty() ? "-" : i.channels.front().unit; }
  void sample(const simulation::Sample& s) override { take(s); }
  void step(const simulation::StepRecord&) override {}
  void event(const simulation::EventRecord&) override {}
  void end(const simulation::RunSummary&) override {}
};

// Tangent coordinates from one unit quaternion to another: twice the vector part of conj(a) b, as an angle.
void turn_between(const double* a, const double* b, double* out) {
  const double w = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3], sign = w < 0 ? -1 : 1;
  const double x[3] = {a[0] * b[1] - a[1] * b[0] - a[2] * b[3] + a[3] * b[2],
                       a[0] * b[2] - a[2] * b[0] - a[3] * b[1] + a[1] * b[3],
                       a[0] * b[3] - a[3] * b[0] - a[1] * b[2] + a[2] * b[1]};
  const double sine = std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
  const double factor = sine > 0 ? 2 * std::atan2(sine, std::abs(w)) / sine : 2.0;
  for (int i = 0; i < 3; ++i) out[i] = sign * factor * x[i];
}

}  // namespace

FlowMap::FlowMap(simulation::Prepared prepared, OperatingPoint at, const Linearisation& linear,
                 model::Experiment experiment, ModelAt model_at, FlowOptions options)
    : prepared_(std::move(prepared)),
      at_(std::move(at)),
      experiment_(std::move(experiment)),
      model_at_(std::move(model_at)),
      options_(std::move(options)),
      kept_(kept_states(linear, spinning(*prepared_.active, at_, linear))),
      n_(linear.coordinates),
      independent_(linear.independent),
      shape_(linear.shape),
      drift_(linear.drift) {
  refuse_spinning_rotations(*prepared_.active, at_.state);
  for (const int k : kept_) {
    const int iv = k < n_ ? independent_[k] : -1, iq = iv < 0 ? -1 : prepared_.active->position_of(iv);
    if (iq >= 0 && formalism::counts_way(*prepared_.active, iq)) ways_.push_back(iv);
  }
  experiment_.analysis = "simulate", experiment_.start.clear(), experiment_.from_time = at_.state.t;
  experiment_.tolerance = options_.tolerance, experiment_.largest_step = 0;
  experiment_.outputs = {options_.output};
}

double FlowMap::nominal(int k) const {
  return kind(k) == Kind::inner ? prepared_.active->nominal(prepared_.active->moving() + kept_[k] - 2 * n_) : 1.0;
}

double FlowMap::carried(int k) const {
  return kind(k) == Kind::velocity
             ? std::abs(at_.state.v[static_cast<std::size_t>(
                   independent_[static_cast<std::size_t>(kept_[static_cast<std::size_t>(k)] - n_)])])
             : 0.0;
}

bool FlowMap::is_way(int iv) const { return std::ranges::find(ways_, iv) != ways_.end(); }

// The operating point with what the parameter changes of the start: all velocities, and where ways begin.
const formalism::State* FlowMap::reference(double parameter) const {
  constexpr std::size_t most = 4;
  for (const auto& [at, state] : references_) {
    if (at == parameter) return &state;
  }
  formalism::State out = at_.state;
  if (options_.state_at) {
    auto there = options_.state_at(parameter);
    if (!there || there->q.size() != out.q.size() || there->v.size() != out.v.size()) return nullptr;
    if (references_.size() >= most) references_.erase(references_.begin());
    return &references_.emplace_back(parameter, std::move(*there)).second;
  }
  const simulation::Prepared p = simulation::prepare(model_at_(parameter), experiment_);
  const formalism::State& start = prepared_.state;
  if (p.ok() && p.state.v.size() == out.v.size() && p.state.q.size() == out.q.size()) {
    for (std::size_t i = 0; i < out.v.size(); ++i) out.v[i] += p.state.v[i] - start.v[i];
    for (const int iv : ways_) {
      const int iq = prepared_.active->position_of(iv);
      out.q[iq] +=
          p.state.q[iq] - start.q[iq] + at_.state.t * (p.state.v[iv] - start.v[iv]);  // where it has come to by then
    }
  }
  if (references_.size() >= most) references_.erase(references_.begin());
  return &references_.emplace_back(parameter, std::move(out)).second;
}

formalism::State FlowMap::state_of(const formalism::State& from, const Vector& x) const {
  const Equations& eq = *prepared_.active;
  Vector all(static_cast<std::size_t>(2 * n_ + eq.ns())), dq(static_cast<std::size_t>(eq.nv()));
  for (std::size_t k = 0; k < kept_.size(); ++k) all[kept_[k]] = x[k];
  formalism::State out = from;
  for (int i = 0; i < eq.moving(); ++i) {
    for (int j = 0; j < n_; ++j) {
      dq[i] += shape_(i, j) * all[j];
      out.v[i] += shape_(i, j) * all[n_ + j] + drift_(i, j) * all[j];
    }
  }
  for (int i = 0; i < eq.ns(); ++i) out.v[eq.moving() + i] += all[2 * n_ + i];
  eq.plus(out.q, dq);
  return out;
}

Vector FlowMap::read(const formalism::State& from, double t, CSpan q, CSpan v) const {
  const Equations& eq = *prepared_.active;
  Vector d(static_cast<std::size_t>(eq.nv())), x;
  for (int i = 0; i < eq.moving(); ++i) {
    if (const int iq = eq.position_of(i); iq >= 0) d[i] = q[iq] - from.q[iq];
  }
  for (const int iv : ways_) d[iv] -= from.v[iv] * (t - from.t);
  for (const auto& r : eq.rotations()) turn_between(&from.q[r.iq], &q[r.iq], &d[r.iv]);
  for (const int k : kept_) {
    const int of = k < n_ ? independent_[k] : k < 2 * n_ ? independent_[k - n_] : eq.moving() + k - 2 * n_;
    x.push_back(k < n_ ? d[of] : v[of] - from.v[of]);
  }
  return x;
}

Vector FlowMap::rate_of(const formalism::State& from, CSpan v, CSpan v_rate) const {
  Vector out;
  for (const int k : kept_) {
    const int of = k < n_       ? independent_[k]
                   : k < 2 * n_ ? independent_[k - n_]
                                : prepared_.active->moving() + k - 2 * n_;
    out.push_back(k >= n_ ? v_rate[of] : is_way(of) ? v[of] - from.v[of] : v[of]);
  }
  return out;
}

Passage FlowMap::passage_of(const formalism::State& from, const simulation::Prepared& p,
                            const model::Experiment& e) const {
  PassageSink sink;
  const auto nq = static_cast<std::size_t>(prepared_.active->nq()),
             nv = static_cast<std::size_t>(prepared_.active->nv());
  sink.take = [&](const simulation::Sample& s) {
    const CSpan q = s.y.subspan(0, nq), v = s.y.subspan(nq, nv);
    sink.out.t.push_back(s.t), sink.out.x.push_back(read(from, s.t, q, v));
    sink.out.output.push_back(s.channels[0]);
    sink.out.rate = rate_of(from, v, s.yp.subspan(nq, nv));
  };
  if (!p.ok()) return sink.out.problem = p.problem(), sink.out;
  const simulation::RunSummary summary =
      simulation::simulate(p, e, sink, {.should_stop = options_.should_stop, .all_reactions = false});
  if (summary.status != simulation::RunStatus::finished)
    sink.out.problem = summary.reason.empty() ? "the run was interrupted." : summary.reason;
  return sink.out;
}

namespace {
Passage without_reference() {
  Passage out;
  out.problem = "there is no steady motion at this value, beside which a cycle could be counted.";
  return out;
}
}  // namespace

Passage FlowMap::run(double parameter, const Vector& x, double T, double size, int samples) const {
  model::Experiment e = experiment_;
  e.until = e.from_time + T, e.output_step = T / samples;
  e.absolute_tolerance = e.tolerance * std::min(1.0, size);
  const formalism::State* const steady = reference(parameter);
  if (!steady) return without_reference();
  const formalism::State from = *steady, start = state_of(from, x);
  return passage_of(from, simulation::prepare(model_at_(parameter), e, &start), e);
}

Passage FlowMap::run_of(double parameter, const simulation::Prepared& started, model::Experiment experiment,
                        int samples) const {
  if (started.state.q.size() != at_.state.q.size() || started.state.v.size() != at_.state.v.size())
    throw ModelError(
        experiment.where,
        "experiment \"" + experiment.name + "\" has other coordinates than the model whose cycles are followed.",
        "Take one that starts the same model otherwise.");
  experiment.outputs = {options_.output}, experiment.output_step = (experiment.until - experiment.from_time) / samples;
  const formalism::State* const steady = reference(parameter);
  if (!steady) return without_reference();
  return passage_of(formalism::State(*steady), started, experiment);
}

}  // namespace skyhook::analysis
