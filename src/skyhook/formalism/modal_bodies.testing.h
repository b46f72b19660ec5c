// Bodies of modes for tests: particles with any shapes, whose moments are sums; slender beams with exact shapes.
#pragma once
#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "skyhook/formalism/random_model.testing.h"
#include "skyhook/model/modal_body.h"

namespace skyhook::formalism::testing {

// Particles at X that mode k moves by shapes[particle][k].
struct Particles {
  std::vector<double> mass;
  std::vector<Vec3d> X;
  std::vector<std::vector<Vec3d>> shapes;
  int modes() const { return static_cast<int>(shapes[0].size()); }
};
Particles random_particles(Random& random, int count, int modes);

// Their mass, moments, and stiffness of the sums of springs; points are to be added.
model::ModalBody body_of(const Particles& particles);
// Symmetric positive matrices of stiffness and damping, and, on demand, any geometric stiffness.
void add_random_matrices(Random& random, bool with_geometric, model::ModalBody& body);
void add_point(const Vec3d& at, const std::vector<Vec3d>& shift, const std::vector<Vec3d>& turn,
               model::ModalBody& body);
// Mass, centre and inertia of the undeformed body, as the model's body has them too.
void put_modal(std::shared_ptr<const model::ModalBody> modal, model::Body& body);

// Bodies of a model become bodies of modes: every so many of them, with points where anything stands on them, of which some do not move.
std::shared_ptr<model::Model> with_modes(const model::Model& given, unsigned seed, bool with_geometric);

// A slender beam along x from 0 to length, clamped at its reference frame, by the first clamped-free shapes of Euler and Bernoulli in y and
// in z, in turn: mode 2k moves y, mode 2k + 1 z. Points "root", "middle", "tip" and any further ones.
struct Beam {
  double length = 1, mass_per_length = 1, EIy = 1, EIz = 1;  // EIy resists bending in z, EIz in y
  int shapes = 3;
  double damping = 0;     // ratio of each mode
  bool stiffens = false;  // by centrifugal tension
  double radius =
      0;  // of its section, for the inertia about x: without it a line that bends alike in y and z turns about x freely
};
model::ModalBody cantilever(const Beam& beam);
// The same body seen from another frame: of each shape a translation and a small rotation are taken away. Chord frame: no point of the line
// from root to tip leaves it at its ends; mean axes (Buckens): the shapes have neither momentum nor moment of momentum.
model::ModalBody in_chord_frame(const model::ModalBody& beam, double length);
model::ModalBody in_mean_axes(const model::ModalBody& beam);

// (beta_n L) of the clamped-free beam: cos x cosh x = -1.
double clamped_free(int n);
// phi_n and its first two derivatives by xi = x / L; phi(1) = 2 in absolute value.
std::array<double, 3> clamped_shape(int n, double xi);

}  // namespace skyhook::formalism::testing
