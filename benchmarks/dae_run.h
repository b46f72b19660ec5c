// A model as equations F(t, y, y') = 0 with consistent values to start from, and runs of implicit integrators on them without
// anything around: for comparisons of integrators and of Jacobians.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "skyhook/integrator/step.h"
#include "skyhook/problem/problem.h"

namespace skyhook::bench {

struct DaeCase {
  std::string name;
  std::shared_ptr<const DaeProblem> problem;
  double t = 0, until = 0;                // s
  double largest_step = 0;                // s
  double tolerance = 1e-6, absolute = 1;  // of the experiment; its absolute tolerance in terms of the relative one
  std::vector<double> y, yp;
  std::size_t positions = 0;  // q stands first in y
  int unknowns() const { return problem->structure().size(); }
  integrator::Options options(double relative_tolerance, const JacobianStrategy& jacobian = {}) const;
};

struct CaseInput {
  std::string name, file, experiment;  // the file below models/
  std::vector<std::pair<std::string, std::string>> set = {};
  bool explicit_formalism = false;  // ggl_explicit instead of ggl
  double until = 0;                 // s; 0: as the experiment says
};
DaeCase make_case(const CaseInput& input);

enum class Method { bdf, ida, radau5 };

struct DaeRun {
  Cost cost;
  double seconds = 0;                        // with the construction of the integrator
  std::vector<std::vector<double>> samples;  // positions at `sample_count` times, where they are wanted
  std::string failure;                       // empty: it has reached the end
};
constexpr int sample_count = 200;

struct RunWish {
  bool samples = false;
  std::function<void(double t, const Cost& so_far)> after_step = {};
};
DaeRun integrate(const DaeCase& what, Method method, const integrator::Options& options, const RunWish& wish = {});

// Largest |q - q_ref| / max(1, largest |q_ref| of this coordinate), over all samples or of the last. NaN: a run failed.
struct PositionError {
  double largest, at_end;
};
PositionError error_of(const DaeRun& run, const DaeRun& reference);

// Least times of runs, all in turn, so that other work of the machine hits all alike. A run is repeated until it has taken
// `patience` seconds in all, but once at least.
struct TimedRun {
  const DaeCase* what;
  Method method;
  integrator::Options options;
  double least = 1e300, spent = 0;
};
void measure(std::vector<TimedRun>& runs, double patience);

double geometric_mean(const std::vector<double>& values);

}  // namespace skyhook::bench
