#include "skyhook/simulation/run_clock.h"

#include <numeric>

namespace skyhook::simulation {

double PartSeconds::sum() const { return std::accumulate(seconds.begin(), seconds.end(), 0.0); }

Part RunClock::pass_to(Part part) {
  count();
  const Part before = part_;
  part_ = part;
  return before;
}

const PartSeconds& RunClock::count() {
  const Time time = now();
  spent_[part_] += std::chrono::duration<double>(time - since_).count();
  since_ = time;
  return spent_;
}

}  // namespace skyhook::simulation
