// What a report says of a channel in numbers, from every sample of the result.
#pragma once
#include "skyhook/problem/problem.h"

namespace skyhook::io::report {

// NaN where there is no value. Mean and rms are over time, by the trapezoidal rule; stretches beside a sample that is not
// finite do not count. Where no time passes between finite samples they are over the samples.
struct Statistics {
  double min, max, mean, rms, first, last, t_min, t_max;
};

Statistics statistics_of(CSpan time, CSpan values);

}  // namespace skyhook::io::report
