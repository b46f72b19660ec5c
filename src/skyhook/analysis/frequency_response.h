// Frequency response of recorded channels: what remains of an input, and how late, over frequency.
//
// With the Fourier transforms U and Y of a whole record, H1 and the coherence over a band of frequencies are
//
//   H = sum Y U* / sum |U|^2,    coherence = |sum Y U*|^2 / (sum |U|^2 sum |Y|^2)
//
// For a linear system the record of a run that begins and ends at rest gives H exactly, whatever the input, but for the
// change of H within a band. Coherence below 1 tells of nonlinearity, other inputs, or a record that does not end at rest.
#pragma once
#include <complex>
#include <span>
#include <string>
#include <vector>

namespace skyhook::analysis {

struct ResponseOptions {
  double low = 0, high = 0;  // Hz; 0: as far as the input has power
  int per_octave = 24;       // bands, where the record is long enough
};

struct ResponseBand {
  double frequency = 0;           // Hz: centre of the input's power in the band
  double input = 0;               // spectral density of the input's energy, input^2 s/Hz
  std::complex<double> response;  // output/input
  double coherence = 0;
};

struct FrequencyResponse {
  std::vector<std::vector<ResponseBand>> outputs;  // by output, then by rising frequency
  std::vector<bool> ends_at_rest;                  // by output
  std::string problem;                             // why there is none
};

// Samples are `step` apart; all signals count from their first value.
FrequencyResponse frequency_response(double step, std::span<const double> input,
                                     const std::vector<std::vector<double>>& outputs, const ResponseOptions& options);

// Phases in rad, continued from band to band without jumps of a whole turn.
std::vector<double> phases(const std::vector<ResponseBand>& bands);

}  // namespace skyhook::analysis
