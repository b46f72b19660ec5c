// Spectra of signals: amplitudes of a whole record, densities by Welch's method, and the transfer between two signals with its coherence.
//
// A Fourier transform needs even samples: a record is taken at even times from the curve that a Signal is, at least as densely as it was
// recorded, so that their number is a power of two. What lies above half the mean sample rate of the record is left out.
#pragma once
#include <complex>
#include <span>
#include <string>
#include <vector>

#include "skyhook/analysis/signal.h"

namespace skyhook::analysis {

std::vector<double> levelled(std::span<const double> values);  // without their line of least squares

// |X_k| of each segment of even samples under a window of Hann, segments overlapping by half, scaled so that a mean of |X_k|^2 is the
// one-sided density. `length` is a power of two.
using Spectrum = std::vector<std::complex<double>>;
std::vector<Spectrum> segment_spectra(std::span<const double> values, std::size_t length, double step);
// Their mean densities, at k/(length step), k = 0 ... length/2 - 1.
std::vector<double> welch(std::span<const double> values, std::size_t length, double step);

// Amplitudes at k/T of a record of length T, k = 0 the mean: without window, so that lines that have whole periods in the record are exact.
Signal amplitude_spectrum(const Signal& s);

// Welch's method: segments of this length in s (0: a quarter of the record), windows of Hann that overlap by half, without the mean line of the
// record. In unit^2/Hz.
Signal power_density(const Signal& s, double segment = 0);

// Of the output over the input by the same segments: H1 = S_yu/S_uu, coherence = |S_yu|^2/(S_uu S_yy).
struct TransferEstimate {
  Signal gain, phase, coherence;  // phase in rad, continued without jumps
};
TransferEstimate transfer_estimate(const Signal& output, const Signal& input, double segment = 0);

}  // namespace skyhook::analysis
