// Work of elements that store no energy, from the power at the ends of steps and in their middle: the quartic through those of the
// step and of the one before it. Within a step it is the integral of the same curve, so samples cost nothing. Where the curve does not
// settle more values are taken, and with drives, whose forces no error test sees, the step is halved until the curves settle. Beside
// events, where laws have corners, only what lies inside the step is looked at.
#pragma once
#include <functional>

#include "skyhook/simulation/power_curve.h"
#include "skyhook/simulation/recorder.h"
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

  // At the end of the open step, where the power was asked for there.
  using Energies = Recorder::Energies;
  const Energies* at_end(double t) const { return is_known_ && energies_.t == t ? &energies_ : nullptr; }

 private:
  using Value = PowerCurve::Value;
  struct Piece {
    double from, to;
    PowerCurve curve;
  };
  void look(Evaluator& s);
  void look_at_end(Evaluator& s);
  void look_along(Evaluator& s);
  void look_closer(const Value& first, const Value& middle, const Value& last, int halvings, Evaluator& s);
  void look_inside(double from, double to, int halvings, Evaluator& s);
  PowerCurve inside(double from, double to, Evaluator& s);
  bool settles(const PowerCurve& curve, const Value& first, const Value& middle, const Value& last) const;
  bool is_small(double work, double h) const;
  Value value_at(double t, Evaluator& s);

  double tolerance_;
  StateAt state_at_;
  Look look_at_end_;
  std::vector<double> lambda_;
  double t_ = 0, largest_power_ = 0;
  // The open step: its ends and its middle; those of the step before it, if that ended here.
  Value first_, middle_, last_, first_before_, middle_before_;
  End end_ = End::step;
  bool is_open_ = false, is_known_ = false;
  bool has_first_ = false, has_last_ = false, has_middle_ = false, has_before_ = false;  // their powers are known
  std::vector<Piece> pieces_;  // of the open step, one after the other
  Energies energies_{};
};

}  // namespace skyhook::simulation
