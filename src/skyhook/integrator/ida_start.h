// The first steps of `ida`, at the start and after jumps. IDA itself starts at order 1, doubles its steps until they err by a
// tolerance, and only then, behind steps of equal length, raises its order: a start costs some tolerances. Where a controller
// restarts it thousands of times, that adds up. So the first steps are those of our BDF's starter, of order 4, whose cubic IDA
// takes over as its history. At the start of a run it is one step: `ida` is to be another program than `bdf`. After a jump there are more
// of them where a few reach the limit.
#pragma once
#include <optional>

#include "skyhook/integrator/bdf_history.h"
#include "skyhook/integrator/bdf_starter.h"

namespace skyhook::integrator {

class IdaStart {
 public:
  IdaStart(const DaeProblem& problem, const Options& options);

  void restart(Jump jump);
  // The next step is a starter's: there has been none since the jump, or a few more of them reach the limit.
  bool is_due() const { return !has_begun_ || steps_.goes_on(); }
  void give_up() { has_begun_ = true, gave_up_ = true; }
  bool gave_up() const { return gave_up_; }

  struct Step {
    double h;
    bool at_limit;
  };
  // From y and y' at t, which move to its end. Nothing: no step was good, let IDA try.
  struct Until {
    double limit, due;  // as of Bdf::step()
  };
  std::optional<Step> step(double t, const Until& until, Span y, Span yp, Cost& cost);
  int dominant() const { return starter_.dominant(); }  // of the last step
  // Within the last step; `back` before its end.
  void interpolate(double back, Span y, Span yp) const { history_.interpolate(back, BdfStarter::order, y, yp); }

  // What IDA begins with: values at the end of the step (0) and at this distance, twice, three times before it.
  static constexpr int values = BdfStarter::order + 1;
  double distance() const { return distance_; }

 private:
  double first_guess(double t, double span, CSpan y, CSpan yp) const;
  void take(double h, Span y, Span yp);

  const Structure& structure_;
  Options options_;
  BdfNewton newton_;
  BdfStarter starter_;
  StarterSteps steps_;
  BdfHistory history_;
  double distance_ = 0;
  bool has_begun_ = false, gave_up_ = false;
  Jump jumped_ = Jump::state;
};

}  // namespace skyhook::integrator
