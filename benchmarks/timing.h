// How time is measured here: batches of all the compared calls in turn, many rounds, and the least time of each. The
// machine may be busy with other work or clocked down, for seconds: that only adds time, and many rounds outlast it.
#pragma once
#include <chrono>
#include <cmath>
#include <ctime>
#include <functional>
#include <limits>
#include <vector>

namespace skyhook::bench {

using Call = std::function<void()>;

inline double now() {  // s
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Of this process: what others do beside it does not count. For work of seconds, which cannot be repeated often.
inline double processor_now() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

inline double seconds_of(const Call& call, long count) {
  const double begin = now();
  for (long i = 0; i < count; ++i) call();
  return now() - begin;
}

struct TimingOptions {
  int rounds = 121;
  double batch = 2e-3;  // s
};

// Seconds of each call; NaN for one that is empty.
inline std::vector<double> least_seconds(const std::vector<Call>& calls, const TimingOptions& options = {}) {
  std::vector<long> count(calls.size(), 1);
  std::vector<double> least(calls.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t k = 0; k < calls.size(); ++k) {
    while (calls[k] && seconds_of(calls[k], count[k]) < options.batch) count[k] *= 2;
  }
  for (int round = 0; round < options.rounds; ++round) {
    for (std::size_t k = 0; k < calls.size(); ++k) {
      if (calls[k]) least[k] = std::fmin(least[k], seconds_of(calls[k], count[k]) / static_cast<double>(count[k]));
    }
  }
  return least;
}

}  // namespace skyhook::bench
