// Rates that a record lacks, and rates that its samples do not bear out.
//
// A run leaves rates out where differences of its samples make the better curve (simulation/rate_trial.h): there they are NaN, and differences are taken when the record is read.
//
// What the samples do not bear out is a quantity that passes faster than it is sampled, such as the force of a wheel whose flange touches for 2 ms
// between samples 20 ms apart. Each such rate is right where it was taken, but the cubic between samples (hermite.h) would carry it over a whole step.
#pragma once
#include <cstddef>
#include <span>

namespace skyhook {

// In place of each rate that is no number that of the parabola through the sample and one on each side; at ends of the record and at both sides of an event (equal times) through
// the two nearest on one side. Where there are no three samples it stays. How many were filled.
std::size_t fill_unknown_rates(std::span<const double> t, std::span<const double> x, std::span<double> v);

// Puts NaN in place of them, so that the curve is a line on both sides, and counts them. The rate v bends the cubic by at most 4/27 h |v|, h the longer of the two
// steps beside it; it is unresolved where that is more than the range of the seven samples about it, at ends of the record of as many as are there. Of a sine with three
// samples a period or more none is: it bends by 0.31 amplitudes at most, and the samples range over 1.5. Records of less than four samples stay as they are.
std::size_t forget_unresolved_rates(std::span<const double> t, std::span<const double> x, std::span<double> v);

}  // namespace skyhook
