#include "skyhook/analysis/mode_shapes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "skyhook/formalism/body_motion.h"
#include "skyhook/formalism/mesh_coordinates.h"
#include "skyhook/model/modal_body.h"
#include "skyhook/model/nodal_mesh.h"

namespace skyhook::analysis {
namespace {

using simulation::Equations;

// The velocities of bodies are linear in those of the coordinates: with displacements in their place they are those of bodies.
std::vector<BodyShape> bodies_of(const Equations& eq, const OperatingPoint& at, const ComplexVector& coordinates) {
  std::vector<BodyShape> out(eq.model().bodies.size());
  for (const bool imaginary : {false, true}) {
    formalism::State s = at.state;
    for (int i = 0; i < eq.nv(); ++i)
      s.v[i] = i >= eq.moving() ? at.state.v[i] : imaginary ? coordinates[i].imag() : coordinates[i].real();
    const formalism::Velocities moved = formalism::velocities_of(eq, s, formalism::Drives::stand);
    const Complex unit = imaginary ? Complex(0, 1) : Complex(1, 0);
    for (std::size_t b = 0; b < out.size(); ++b) {
      for (int k = 0; k < 3; ++k)
        out[b].displacement[k] += unit * moved[b].v[k], out[b].rotation[k] += unit * moved[b].w[k];
    }
  }
  return out;
}

double length_of(const std::array<Complex, 3>& x) {
  return std::sqrt(std::norm(x[0]) + std::norm(x[1]) + std::norm(x[2]));
}

// Of a body that bends: the largest displacement of a point in its frame.
double bend_of(const Equations& eq, const Mode& mode, std::size_t body) {
  const auto its = std::ranges::find(eq.modal(), static_cast<int>(body), &Equations::Modal::body);
  if (its == eq.modal().end()) return 0;
  double most = 0;
  for (const model::ModalPoint& point : eq.model().bodies[body].modal->points) {
    std::array<Complex, 3> shift{};
    for (int k = 0; k < its->modes; ++k) {
      for (int c = 0; c < 3; ++c)
        shift[static_cast<std::size_t>(c)] +=
            point.shift[static_cast<std::size_t>(k)][c] * mode.coordinates[static_cast<std::size_t>(its->iv + k)];
    }
    most = std::max(most, length_of(shift));
  }
  return most;
}

// Of lines that bend far: the largest displacement of a node, or change of a slope at a tenth of their size.
double lines_of(const Equations& eq, const Mode& mode) {
  double most = 0;
  for (const formalism::MeshCoordinates& mesh : formalism::mesh_coordinates(eq)) {
    const model::NodalMesh& own = *model::mesh_of(eq.model().bodies[static_cast<std::size_t>(mesh.body)]);
    double low = 0, high = 0;  // of all coordinates of places
    for (std::size_t k = 0; k < own.design.size(); ++k) {
      if (own.is_length[k]) low = std::min(low, own.design[k]), high = std::max(high, own.design[k]);
    }
    for (int k = 0; k < mesh.count; ++k) {
      const double size = own.is_length[static_cast<std::size_t>(k)] ? 1 : (high - low) / 10;
      most = std::max(most, size * std::abs(mode.coordinates[static_cast<std::size_t>(mesh.iv + k)]));
    }
  }
  return most;
}

// The largest displacement of a body, its rotation at its radius of inertia; without bodies that of a coordinate.
double size_of(const Equations& eq, const Mode& mode) {
  const model::Model& model = eq.model();
  double most = 0;
  for (std::size_t b = 0; b < mode.bodies.size(); ++b) {
    const model::Body& body = model.bodies[b];
    const double trace = body.inertia.r0.x + body.inertia.r1.y + body.inertia.r2.z;
    const double radius = body.mass > 0 ? std::sqrt(0.5 * trace / body.mass) : 0.0;
    most = std::max(most, length_of(mode.bodies[b].displacement) + radius * length_of(mode.bodies[b].rotation) +
                              bend_of(eq, mode, b));
  }
  most = std::max(most, lines_of(eq, mode));
  for (std::size_t i = 0; most == 0 && i < mode.coordinates.size(); ++i)
    most = std::max(most, std::abs(mode.coordinates[i]));
  for (std::size_t i = 0; most == 0 && i < mode.state.size(); ++i) most = std::max(most, std::abs(mode.state[i]));
  return most;
}

// Scaled to 1, the coordinate that moves most being real.
void normalise(const Equations& eq, Mode& mode) {
  const double size = size_of(eq, mode);
  if (!(size > 0)) return;
  Complex most = 1;
  double largest_so_far = 0;
  for (const Complex& x : mode.coordinates) {
    if (std::abs(x) > largest_so_far * (1 + 1e-9)) largest_so_far = std::abs(x), most = x;
  }
  const Complex by = std::abs(most) > 0 ? std::conj(most) / std::abs(most) / size : Complex(1 / size);
  for (Complex& x : mode.state) x *= by;
  for (Complex& x : mode.coordinates) x *= by;
  for (BodyShape& body : mode.bodies) {
    for (int k = 0; k < 3; ++k) body.displacement[k] *= by, body.rotation[k] *= by;
  }
}

void name_by_shares(Mode& mode) {
  constexpr std::size_t most = 3;
  double told = 0;
  std::vector<Share> sorted = mode.kinetic;
  std::ranges::stable_sort(sorted, [](const Share& a, const Share& b) { return a.value > b.value; });
  for (std::size_t k = 0; k < sorted.size() && k < most && told < 0.6 && sorted[k].value > 0.05; ++k)
    mode.name += (k ? ", " : "") + sorted[k].name, told += sorted[k].value;
}

}  // namespace

Mode mode_of(Complex value, const ComplexVector& state) {
  constexpr double rounding = 1e-13;
  Mode out;
  if (std::abs(value.real()) < rounding * std::abs(value)) value = {0.0, value.imag()};
  out.value = value, out.state = state;
  const double size = std::abs(value);
  out.oscillates = std::abs(value.imag()) > 1e-9 * size;
  if (!out.oscillates) out.value = value.real();
  out.frequency = out.oscillates ? size / (2 * std::numbers::pi) : 0.0;
  out.damping = size > 0 && value.real() != 0 ? -value.real() / size : 0.0;
  if (!out.oscillates && size > 0) out.damping = value.real() > 0 ? -1 : 1;
  return out;
}

std::vector<BentCoordinate> bent_coordinates(const Equations& eq) {
  std::vector<BentCoordinate> out;
  for (const auto& body : eq.modal()) {
    for (int k = 0; k < body.modes; ++k) out.push_back({body.iq + k, body.iv + k});
  }
  for (const auto& body : formalism::mesh_coordinates(eq)) {
    for (int k = 0; k < body.count; ++k) out.push_back({body.iq + k, body.iv + k});
  }
  return out;
}

void complete(const Equations& eq, const OperatingPoint& at, ModeEnergies& energies, Mode& mode) {
  mode.bodies = bodies_of(eq, at, mode.coordinates);
  normalise(eq, mode);
  energies.measure(mode);
  name_by_shares(mode);
}

}  // namespace skyhook::analysis
