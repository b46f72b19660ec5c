// Trees on which simulators are compared, told once for all of them. No Skyhook type stands here: the peers are compiled
// with other flags.
#pragma once
#include <array>
#include <string>
#include <vector>

namespace skyhook::bench {

struct WorkloadBody {
  enum class Joint { about_x, about_y, about_z, free };
  int parent;  // -1: the ground
  Joint joint;
  std::array<double, 3> at;  // joint point from the parent's, parent axes
  int nq() const { return joint == Joint::free ? 7 : 1; }
  int nv() const { return joint == Joint::free ? 6 : 1; }
};

// Every body has the same mass and inertia: centre of mass below the joint point, inertia about it.
constexpr double mass = 1.0, com_z = -0.25, gravity_z = -9.81;
constexpr std::array<double, 3> inertia{0.02, 0.03, 0.01};

// Coordinates body by body. A hinge: angle, rate, acceleration. A free body: displacement of its joint point in parent
// axes and quaternion w, x, y, z; velocity of the joint point in parent axes and angular velocity in body axes; their
// derivatives. Forces are those that do work on these velocities.
struct Workload {
  std::string name;
  std::vector<WorkloadBody> bodies;
  std::vector<double> q, v, a;
  int size() const { return static_cast<int>(bodies.size()); }
};

Workload chain(int n);        // hinges about x, y, z in turn, each 0.5 m below the last
Workload binary_tree(int n);  // body i hangs on body (i - 1) / 2, to the right if odd, to the left if even
Workload free_bodies();       // the seven bodies of a railway carriage, on nothing
std::vector<Workload> all_workloads();

// One simulator on one workload. The calls evaluate at the workload's state and leave the result inside.
struct TreeSimulator {
  virtual ~TreeSimulator() = default;
  virtual void residual() = 0;                        // M a - f
  virtual void forward() = 0;                         // a = M^-1 f
  virtual std::vector<double> residual_forces() = 0;  // of the last residual(), in the workload's convention
  virtual std::vector<double> accelerations() = 0;    // of the last forward(), likewise
};

}  // namespace skyhook::bench
