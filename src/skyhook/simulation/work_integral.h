// Work of elements that store no energy, from the power at the ends of steps and in their middle: the quartic through those of the
// step and of the one before it. Within a step it is the integral of the same curve, so samples cost nothing. Where the curve does not
// settle more values are taken, and with drives, whose forces no error test sees, the step is halved until the curves settle. Beside
// events, where laws have corners, only what lies inside the step is looked at. Where drives keep their rates, as that of a train does, the power changes with the
// state alone, and the ends of steps tell it as long as the curve through six of them settles.
//
// Where samples lie as close as steps the books ride on them: the power is known there, and the curve through the last samples tells
// the work (sampled_power.h). Nothing else is evaluated as long as that curve settles. No integrator follows an oscillation in four steps a
// period, so that what is no further apart than four steps passes over none: where steps are shorter some of their ends are taken with the samples; where they are
// far shorter the ride ends.
//
// A curve may err by little beside the power that flows, or else by so much that all such errors together, with their signs, stay below a tenth of the tolerance of the energy
// that is exchanged, none of them over a fiftieth: how far two quadratures of the whole run differ, one of lower order. The balance of energy, whose closure is relative to the same, is off by that much
// at most.
#pragma once
#include <algorithm>
#include <functional>
#include <optional>

#include "skyhook/simulation/power_curve.h"
#include "skyhook/simulation/recorder.h"
#include "skyhook/simulation/sampled_power.h"
#include "skyhook/simulation/snapshot.h"

namespace skyhook::simulation {

class WorkIntegral {
 public:
  using StateAt = std::function<const formalism::State&(double t)>;  // within the last step
  using Look = std::function<void(const Snapshot&)>;
  // `tolerance`: of the work that drives do, relative. `at_end`: is shown the ends of steps where they are evaluated, once each.
  WorkIntegral(double tolerance, StateAt state_at, Look at_end = {})
      : tolerance_(tolerance), state_at_(std::move(state_at)), look_at_end_(std::move(at_end)) {}

  // A copy that finds the states elsewhere, and shows nothing.
  WorkIntegral along(StateAt state_at) const {
    WorkIntegral copy = *this;
    copy.state_at_ = std::move(state_at), copy.look_at_end_ = {};
    return copy;
  }

  // Goes on from the instant that the snapshot shows.
  void begin(const Snapshot& s);
  // A step up to t was taken from the end of the last one, or up to an event at t: what is asked for next lies in it.
  enum class End { step, event };
  void open(double t, End end = End::step);
  // The work done since the last call. What lies beyond the open step is one of its own.
  double until(double t, Evaluator& s);
  // The same, but the integral does not go on from there: for a sample within a step.
  double up_to(double t, Evaluator& s);

  // Whether the integral goes on from sample to sample, and not from step to step.
  bool rides() const { return rides_; }
  // Whether the power at the next sample is worth its price. `each`: it is wanted at every sample of a ride; else where samples lie closer than
  // is needed some are left out, and the work there is that of the curve so far.
  bool wants_sample(bool each) const { return rides_ ? each || left_out_ + 1 >= stride_ : pause_ == 0; }
  double extrapolated(double t) const { return samples_.work_beyond(t); }  // since the last sample, in a ride
  // The power at a sample in the open step. Riding: the work since the sample before, or nothing where the curve does not tell; then the ride
  // is over. Else nothing; see may_ride(). `exchanged`: energy so far.
  std::optional<double> take(const Snapshot& sample, double power, double exchanged);
  void pass_sample() { rides_ ? ++left_out_ : pause_ = std::max(0, pause_ - 1); }  // whose power was not asked for
  // Riding: the end of the open step is to be taken too, in the same way.
  bool wants_end() const;
  std::optional<double> take_end(Evaluator& s, double exchanged);
  // Energy so far, for steps that no sample tells of.
  void know_exchanged(double energy) { exchanged_ = energy; }
  // After take(): the curve has settled, until() the sample and ride from there on.
  bool may_ride() const { return is_settled_; }
  void ride() { rides_ = true, ends_.restart(); }
  // The work up to the beginning of the open step, where a ride has left some of it behind.
  double catch_up(Evaluator& s);

  // At the end of the open step, where the power was asked for there.
  using Energies = Recorder::Energies;
  const Energies* at_end(double t) const { return knows_end_ && energies_.t == t ? &energies_ : nullptr; }

 private:
  using Value = PowerCurve::Value;
  struct Piece {
    double from, to;
    PowerCurve curve;
  };
  void look(Evaluator& s);
  void look_at_end(Evaluator& s);
  bool look_over_ends(Evaluator& s);
  void look_along(Evaluator& s);
  void look_closer(const Value& first, const Value& middle, const Value& last, int halvings, Evaluator& s);
  void look_inside(double from, double to, int halvings, Evaluator& s);
  PowerCurve inside(double from, double to, Evaluator& s);
  bool settles(const PowerCurve& curve, const Value& first, const Value& middle, const Value& last);
  bool is_small(double work, double h) const;
  Value value_at(double t, Evaluator& s);
  void end_ride();
  void lose_samples();
  void rest();  // no ride for a while
  void choose_stride(double error);
  const formalism::State& bridge(double t) const;
  double work_behind(Evaluator& s);
  bool may_err_by(double error, double h);
  std::optional<SampledPower::Work> settled(const SampledPower& of, double h);
  std::optional<double> take_node(const Snapshot& s, double power, double exchanged);

  static constexpr int shortest_pause = 4;
  static constexpr double most_steps = 4;  // between places where the power is known
  double tolerance_;
  StateAt state_at_;
  Look look_at_end_;
  std::vector<double> lambda_;
  double t_ = 0, largest_power_ = 0;
  // The open step: its ends and its middle; those of the step before it, if that ended here.
  Value first_, middle_, last_, first_before_, middle_before_;
  End end_ = End::step;
  bool is_open_ = false, is_known_ = false, knows_end_ = false;
  bool has_first_ = false, has_last_ = false, has_middle_ = false, has_before_ = false;  // their powers are known
  std::vector<Piece> pieces_;  // of the open step, one after the other
  Energies energies_{};
  SampledPower samples_;
  SampledPower ends_;  // of the last steps, where the power was asked for there
  // Between the sample at t_, up to which a ride has come, and the open step there are no states to ask for: the cubic between its ends.
  struct Bridge {
    formalism::State from, to, at;
    std::vector<double> acceleration, rate_from, rate_to;
  };
  mutable Bridge bridge_;
  bool rides_ = false;
  bool is_settled_ = false;
  int stride_ = 1, left_out_ = 0;                // samples of a ride: of how many one is taken; since the last
  double last_sample_ = 0, sample_spacing_ = 0;  // of a ride
  double exchanged_ = 0, erred_ = 0;             // energy; of it, by what curves have erred, with signs
  int pause_ = 0, patience_ = shortest_pause;    // in samples: until their power is looked at again
};

}  // namespace skyhook::simulation
