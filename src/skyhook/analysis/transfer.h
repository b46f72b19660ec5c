// Transfer functions of a linear system, H(s) = C (s - A)^-1 B(s) + D(s) at s = 2 pi i f, and its response to random excitation.
//
// A drive is one input here, and so is a road: B(s) = B_value + s B_rate + s^2 B_acceleration.
#pragma once
#include <functional>
#include <vector>

#include "skyhook/analysis/linear_outputs.h"
#include "skyhook/math/eigenproblem.h"

namespace skyhook::analysis {

class Transfer {
 public:
  Transfer(const Linearisation& linear, const LinearOutputs& outputs);
  const std::vector<formalism::NamedQuantity>& inputs() const { return inputs_; }
  // Of all outputs over one input; NaN where s is an eigenvalue.
  ComplexVector at(int input, double frequency) const;

 private:
  struct Columns {
    LinearInput::Kind kind;
    int number;
    int value = -1, rate = -1, acceleration = -1;  // among those of B
  };
  const Linearisation& linear_;
  const LinearOutputs& outputs_;
  std::vector<formalism::NamedQuantity> inputs_;
  std::vector<Columns> columns_;
};

// One of several inputs of one process that reaches them one after the other: wheels on a track, the rear ones later by wheelbase over speed.
struct RandomInput {
  int input = 0;
  double delay = 0;   // s
  int track = 0;      // inputs of one track are the same but for their delays
  double factor = 1;  // of the amplitude
};

struct RandomExcitation {
  std::function<double(double f)> density;  // one-sided, unit^2/Hz of the inputs
  std::vector<RandomInput> inputs;
  double coherence = 0;  // between tracks: 0, they know nothing of each other; 1, they are the same
};

struct RandomResponse {
  Vector frequencies;             // Hz
  std::vector<Vector> densities;  // by output, over frequency: unit^2/Hz
  Vector rms;                     // by output, of frequencies within the range
  Vector
      crossings;  // by output: up through zero, 1/s; a normal process exceeds a as often as crossings exp(-a^2 / 2 rms^2)
};
// From `low` to `high`; points are put where the response bends until the rms of each output changes by less than `tolerance`.
RandomResponse random_response(const Transfer& transfer, const RandomExcitation& excitation, double low, double high,
                               double tolerance = 1e-6);

}  // namespace skyhook::analysis
