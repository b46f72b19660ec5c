// What a run of given length makes of a state, in independent coordinates about an operating point (docs/theory/20_limit_cycles.md):
//
//   x = (y, y', c),   phi_T(x) = read(run of length T from state(x))                                          (20.1)
//
// y are the independent coordinates of the linear system there, c inner states. Coordinates of which nothing depends (the way along a straight
// line, the angle of a round wheel) are left out: they need not come back. Ways that are kept, of a bogie whose car is driven along the line, are counted from where
// they would be at the speed of the start: in that frame the motion is periodic. With the parameter the speeds of the start change, and x is what is beside them.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "skyhook/analysis/linearisation.h"
#include "skyhook/model/model.h"

namespace skyhook::analysis {

// What a run has passed through: x and one channel at even times, the rate of x at the end.
struct Passage {
  std::string problem;  // why the run has not reached its end; empty: it has
  std::vector<double> t;
  std::vector<Vector> x;       // at these
  std::vector<double> output;  // likewise
  Vector rate;                 // dx/dt at the end
  std::string unit;            // of the output
  const Vector& start() const { return x.front(); }
  const Vector& end() const { return x.back(); }
};

struct FlowOptions {
  double tolerance = 1e-10;  // relative, of runs
  model::Output output;      // a channel, or a formula of channels
  std::function<bool()> should_stop = {};
  // The steady motion with another value of the parameter, in the coordinates of the operating point; absent: velocities change as the start's do.
  std::function<std::optional<formalism::State>(double parameter)> state_at = {};
};

class FlowMap {
 public:
  using ModelAt = std::function<std::shared_ptr<const model::Model>(double parameter)>;
  // `experiment`: solver and start time of the runs. ModelError: a rotation without coordinates of its own spins, which never comes back.
  FlowMap(simulation::Prepared prepared, OperatingPoint at, const Linearisation& linear, model::Experiment experiment,
          ModelAt model_at, FlowOptions options);

  int size() const { return static_cast<int>(kept_.size()); }
  double tolerance() const { return options_.tolerance; }  // of runs
  const std::vector<int>& kept() const { return kept_; }   // which of the states of the linear system x has
  enum class Kind { position, velocity, inner };
  Kind kind(int k) const { return kept_[k] < n_ ? Kind::position : kept_[k] < 2 * n_ ? Kind::velocity : Kind::inner; }
  double carried(int k) const;  // of a velocity: how fast it goes in the steady motion itself
  double nominal(int k) const;  // usual size of an inner state, 1 of all others
  // From x for T seconds with the parameter. `size`: of motions that matter, for the absolute tolerance, relative to 1 m or 1 rad; `samples`: intervals.
  Passage run(double parameter, const Vector& x, double T, double size, int samples) const;
  // A run of an experiment of the same model at that value, as it starts by itself, in so many intervals.
  Passage run_of(double parameter, const simulation::Prepared& started, model::Experiment experiment,
                 int samples) const;

 private:
  Passage passage_of(const formalism::State& from, const simulation::Prepared& p, const model::Experiment& e) const;
  const formalism::State* reference(double parameter) const;  // null: there is no steady motion
  formalism::State state_of(const formalism::State& from, const Vector& x) const;
  Vector read(const formalism::State& from, double t, CSpan q, CSpan v) const;
  Vector rate_of(const formalism::State& from, CSpan v, CSpan v_rate) const;
  bool is_way(int iv) const;

  simulation::Prepared prepared_;
  OperatingPoint at_;
  model::Experiment experiment_;
  ModelAt model_at_;
  FlowOptions options_;
  std::vector<int> kept_;
  int n_;                         // of y
  std::vector<int> independent_;  // velocity coordinates
  DenseMatrix shape_, drift_;
  std::vector<int> ways_;  // velocity coordinates of kept positions that count a way
  mutable std::vector<std::pair<double, formalism::State>> references_;  // of the last parameters
};

}  // namespace skyhook::analysis
