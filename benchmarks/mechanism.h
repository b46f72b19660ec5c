// Mechanisms with closed loops, for the time that a simulator needs to reach an accuracy. No Skyhook type stands here.
#pragma once
#include <string>
#include <vector>

namespace skyhook::bench {

// One run from start to end. Angles in rad, in the order of the reference.
struct MechanismRun {
  double seconds = 0;         // inside the integrator
  double seconds_in_all = 0;  // with set-up and output
  long steps = 0;
  std::vector<double> angles;  // at the end; empty: the run failed
};

// One simulator on one mechanism.
struct MechanismSimulator {
  virtual ~MechanismSimulator() = default;
  virtual MechanismRun run(double tolerance) = 0;
};

// Angles at the end (0.03 s): beta, Theta, gamma, Phi, delta, Omega, epsilon.
// Source: Test Set for IVP Solvers 2.4, II-13.
std::vector<double> andrews_reference();

// Absolute angles of crank 0, coupler 1, crank 1, coupler 2, ... from the x axis after 10 s; at the start the cranks hang
// down and turn at 1 rad/s. One degree of freedom, integrated by itself: J theta'' = -m g L ((n+1)/2 + n) cos(theta).
std::vector<double> four_bars_reference(int n);

}  // namespace skyhook::bench
