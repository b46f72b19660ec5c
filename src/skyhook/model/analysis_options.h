// What an experiment says of an analysis that is no run, in the words of its command: `skyhook equilibrium`, `modes`, `linearize`, `response`,
// `nominal`.
// What the command line gives wins.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "skyhook/base/error.h"

namespace skyhook::model {

// What is evaluated at the end of a run: a standard, and its channels and settings as written (analysis/evaluate.h).
struct EvaluationOptions {
  std::string standard, name;
  std::vector<std::pair<std::string, std::string>> given;
  Location where;
};

// Of integrators of low order, in runs.
struct MethodOptions {
  double rho_infinity = 0.8;             // generalised_alpha: what a step leaves of vibrations far above 1 / h
  double hht_alpha = -0.1;               // hht, and two_loop by that formula
  std::string formula = "park";          // two_loop
  std::string outer_loop = "automatic";  // two_loop
  int krylov_depth = 0;                  // two_loop: vectors that a new one is made orthogonal to; 0: all
  double step_exponent = 1.0 / 3;        // two_loop: of the step rule
};

struct AnalysisOptions : MethodOptions {
  // Of the steady motion in which it is in equilibrium: what is found of it.
  std::string steer;                 // a coordinate, with the sideslip: no side force is left
  std::vector<std::string> rolling;  // coordinates that spin: nothing drives or brakes them
  double way = 0;                    // m, by which what travels along tracks stands further on

  // Where it is linearised; neither: at the equilibrium.
  std::optional<double> at;  // s, of the run
  bool at_start = false;     // as the experiment starts

  // modes
  std::string sweep;  // root locus, "speed=10..100/19"
  bool crossing = false;
  int lowest = 0;  // 0: it is not said

  // linearize: all where there are none; response: the first excites
  std::vector<std::string> inputs;

  // response
  std::optional<double> low, high;        // Hz
  int per_octave = 0;                     // 0: it is not said
  std::string psd;                        // formula of f in Hz
  std::vector<std::string> also, beside;  // "NAME=DELAY"
  std::optional<double> coherence;

  // nominal
  std::vector<std::string> vary, weights;  // names or patterns; "NAME=NUMBER"
  std::optional<double> alpha;

  // simulate
  std::vector<EvaluationOptions> evaluations;
  std::string samples = "solved";  // or "curve": some are taken from the curve through others
};

}  // namespace skyhook::model
