// Are exact rates of channels, a look beside each sample, worth their price?
//
// Where steps are about as long as the time between samples they are not: an exact rate is that of the solution through the state of the sample, with fast motions that
// the integrator has damped in its step, and the cubic with such rates is further from the motion that is recorded than that with differences of the samples beside
// it. How far each is off the motion itself tells: now and then a few samples are looked beside and the middles between them are looked at too. Exact rates are
// left out while they are further off than differences in the geometric mean over all channels (of root mean squares over the middles; without channels that differences show well), and bring none
// nearer by a factor of 2.5 or more. Whoever reads the record takes differences then (math/unresolved_rates.h).
#pragma once
#include <array>
#include <cstddef>
#include <vector>

#include "skyhook/problem/problem.h"

namespace skyhook::simulation {

class RateTrial {
 public:
  void begin(const std::vector<std::size_t>& channels);  // that are asked for
  // What comes next does not go on smoothly from what was.
  void restart() { known_ = 0; }

  bool wants_rates() const { return is_worth_it_ || is_on(); }  // of the next sample
  bool keeps_rates() const { return is_worth_it_; }             // or they serve the trial alone
  // The values between the last sample and that which comes next.
  bool wants_middle() const { return is_on() && known_ > 0 && nodes_[0].has_rates && !has_middle_; }
  double middle_before(double t) const { return 0.5 * (nodes_[0].t + t); }
  void take_middle(double t, CSpan values);
  // The next sample; no rates: they were left out.
  void take(double t, CSpan values, CSpan rates);

 private:
  struct Node {
    double t = 0, t_middle = 0;  // that before it
    std::vector<double> value, rate, middle;
    bool has_rates = false, has_middle = false;
  };
  // Sums of squares: off in the middles.
  struct Off {
    double exact = 0, differences = 0;
  };
  struct Channel {
    std::size_t number;
    Off now, before;  // in this trial, in those before
    double low = 0, high = 0;
    bool is_known = false;
  };
  bool is_on() const { return left_ > 0; }
  bool may_compare() const;
  void compare();
  void close();
  bool are_better_by_rates() const;

  std::vector<Channel> channels_;
  std::array<Node, 4> nodes_;  // the latest first
  std::size_t known_ = 0;
  std::vector<double> middle_;  // before the next one
  double t_middle_ = 0;
  int compared_ = 0;  // in this trial
  bool has_middle_ = false, is_worth_it_ = true;
  int left_ = 0, pause_ = 0, patience_ = 0;  // samples: of the trial that goes on; to the next, and between two
};

}  // namespace skyhook::simulation
