// Values between samples, by the cubic that has the stored values and rates at both ends (Hermite). Its error is of
// fourth order in the sampling step; that of its derivative of third.
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>

#include "skyhook/math/hermite.h"

namespace skyhook::io {

// Which of two samples at the same time is meant: the one before or after an event.
enum class Side { before, after };

// The samples that enclose a time. left == right: the time is that of a sample.
struct Bracket {
  std::size_t left = 0, right = 0;
};

// `time` is not empty and does not decrease; t lies within it. Samples with equal times end a smooth piece, so no
// bracket spans an event.
inline Bracket find_bracket(std::span<const double> time, double t, Side side) {
  const auto index = [&](auto at) { return static_cast<std::size_t>(at - time.begin()); };
  const std::size_t not_before = index(std::lower_bound(time.begin(), time.end(), t));
  const std::size_t beyond = index(std::upper_bound(time.begin(), time.end(), t));
  if (not_before != beyond) {
    const std::size_t exact = side == Side::before ? not_before : beyond - 1;
    return {exact, exact};
  }
  const std::size_t last = time.size() - 1;
  return {beyond > 0 ? beyond - 1 : 0, std::min(beyond, last)};
}

using Node = HermiteNode;
using skyhook::hermite, skyhook::hermite_rate;

}  // namespace skyhook::io
