// Linear filters as transfer functions in continuous time, and what they make of a signal.
//
// A filter is a product of sections (b0 + b1 s + b2 s^2)/(a0 + a1 s + a2 s^2). As one state-space system x' = A x + B u, y = C x + D u it is
// integrated exactly from sample to sample for the input that a Signal is: a cubic between samples, or a line where no rates are known,
//
//   x(t + h) = Phi x(t) + Gamma (u, h u', h^2 u'', h^3 u''')(t),   (Phi Gamma; 0 N') = exp (h A, h B e1^T; 0, N)
//
// with N the shift that differentiates the polynomial. So the sample rate enters by the interpolation of the samples alone, steps may be of
// any length, and jumps are jumps. The record begins in the steady state of its first value: an offset makes no transient.
#pragma once
#include <complex>
#include <string>
#include <vector>

#include "skyhook/analysis/signal.h"

namespace skyhook::analysis {

struct Section {
  double b[3], a[3];  // by powers of s in rad/s; a[2] = 0: of first order
};

struct Filter {
  std::string name;
  std::vector<Section> sections;
};

std::complex<double> response(const Filter& filter, double frequency);  // Hz

// Wk, Wd, Wc, We, Wj, Wf of ISO 2631-1 and Wb of EN 12299 (ISO 2631-4). ModelError with their names.
Filter weighting(const std::string& name);
const std::vector<std::string>& weighting_names();

// Sperling's ride index (German and Swedish railways, as in Garg and Dukkipati, Dynamics of Railway Vehicle Systems, 1984): |H| is B(f), with f in Hz
//   horizontal, vertical   k ((1.911 f^2 + (0.25 f^2)^2)/((1 - 0.277 f^2)^2 + (1.563 f - 0.0368 f^3)^2))^(1/2),  k = 0.737, 0.588: comfort of passengers
//   ride                   1.14 ([(1 - 0.056 f^2)^2 + (0.645 f)^2] 3.55 f^2 / ([(1 - 0.252 f^2)^2 + (1.547 f - 0.00444 f^3)^2] (1 + 3.55 f^2)))^(1/2)
enum class SperlingIndex { horizontal, vertical, ride };
Filter sperling(SperlingIndex index);

enum class Pass { low, high, band };
// Of order n, -3 dB at the cut-off frequency in Hz; band: a high pass at `first` behind which a low pass at `second` stands, each of that order.
Filter butterworth(int order, Pass pass, double first, double second = 0);
Filter in_series(const Filter& a, const Filter& b);

// Its rates are those of the filter's output. Forward alone: causal. Zero phase: forward and then backward, which squares the gain, and
// delays nothing.
enum class Direction { forward, zero_phase };
Signal filtered(const Filter& filter, const Signal& signal, Direction direction = Direction::forward);

}  // namespace skyhook::analysis
