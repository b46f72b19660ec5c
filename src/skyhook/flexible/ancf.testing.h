// Beams of nodal coordinates at rest under dead loads and moments, by Newton's method on their forces alone.
#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "skyhook/flexible/ancf.h"
#include "skyhook/math/klu.h"

namespace skyhook::flexible::testing {

using Numbers = std::vector<double>;

inline AncfBeam ancf_sample(AncfBeam::Kind kind, AncfBeam::Forces forces) {
  AncfBeam beam;
  beam.name = "sample", beam.kind = kind, beam.forces = forces, beam.to = {2, 0, 0}, beam.elements = 3;
  beam.material = {1e5, 1e5 / 2.6, 800}, beam.poisson = 0.3, beam.section = rectangle_section(0.1, 0.1, 0, 0.3);
  return beam;
}

inline std::size_t ancf_number(const model::NodalMesh& mesh, const std::string& name) {
  const auto at = std::ranges::find(mesh.names, name);
  REQUIRE_MESSAGE(at != mesh.names.end(), name);
  return static_cast<std::size_t>(at - mesh.names.begin());
}

// Adds what acts at q to f, and its derivatives to K, on the pattern of the mesh.
using AncfLoad = std::function<void(const Numbers& q, Numbers& f, Numbers& K)>;

inline AncfLoad dead_load(const Numbers& load) {
  return [load](const Numbers&, Numbers& f, Numbers&) {
    for (std::size_t i = 0; i < f.size(); ++i) f[i] += load[i];
  };
}

// A moment that turns the vector `stem` ("slope_y") of a node in the plane of two components: M d(angle) = M (a x da) / |a|^2.
inline AncfLoad tip_moment(const model::NodalMesh& mesh, const std::string& stem, char first, char second, int node,
                           double moment) {
  const auto number = [&](char c) { return ancf_number(mesh, stem + "_" + c + "_" + std::to_string(node)); };
  const std::size_t i = number(first), j = number(second);
  const auto slot = [&](std::size_t row, std::size_t column) {
    return static_cast<std::size_t>(mesh.pattern.find(static_cast<int>(row), static_cast<int>(column)));
  };
  const std::size_t ii = slot(i, i), ij = slot(i, j), ji = slot(j, i), jj = slot(j, j);
  return [=, x0 = mesh.design[i], y0 = mesh.design[j]](const Numbers& q, Numbers& f, Numbers& K) {
    const double x = x0 + q[i], y = y0 + q[j], s = x * x + y * y, m = moment / s, b = 2 * m / s;
    f[i] -= m * y, f[j] += m * x;
    K[ii] += b * x * y, K[ij] += b * y * y - m, K[ji] += m - b * x * x, K[jj] -= b * x * y;
  };
}

// Displacements at rest under `load`, which grows in `steps`.
inline Numbers ancf_rest(const model::NodalMesh& mesh, const AncfLoad& load, int steps) {
  const auto n = static_cast<std::size_t>(mesh.coordinates);
  Numbers q(n, 0.0), v(n, 0.0);
  const auto pattern = std::make_shared<const Pattern>(mesh.pattern);
  Klu lu(pattern, Klu::Use::once);
  double last = 0;
  for (int step = 1; step <= steps; ++step) {
    last = INFINITY;
    for (int it = 0; it < 200 && last > 1e-10; ++it) {
      Numbers taken(n, 0.0), rest(n, 0.0), K(pattern->row.size(), 0.0), D(K.size(), 0.0), by_load(K.size(), 0.0);
      mesh.forces->add(q, v, taken);
      mesh.forces->add_derivatives(q, v, K, D);
      load(q, rest, by_load);
      const double share_of_load = static_cast<double>(step) / steps;
      for (std::size_t i = 0; i < n; ++i) rest[i] = share_of_load * rest[i] - taken[i];
      for (std::size_t k = 0; k < K.size(); ++k) K[k] -= share_of_load * by_load[k];
      REQUIRE(lu.factor(K));
      lu.solve_refined(rest);
      last = 0;
      for (const double x : rest) last = std::max(last, std::abs(x));
      const double share = std::min(1.0, 0.05 / last);  // far from the solution steps are too long
      for (std::size_t i = 0; i < n; ++i) q[i] += share * rest[i];
    }
  }
  CHECK(last < 1e-9);
  return q;
}

struct Tip {
  double x, y;
};
// Of a beam that is clamped at its start, under a force across its tip.
inline Tip ancf_tip(const AncfBeam& beam, double force, int steps) {
  const model::NodalMesh mesh = ancf_mesh(beam);
  Numbers load(static_cast<std::size_t>(mesh.coordinates), 0.0);
  const std::string node = std::to_string(beam.elements);
  load[ancf_number(mesh, "y_" + node)] = force;
  const Numbers q = ancf_rest(mesh, dead_load(load), steps);
  return {q[ancf_number(mesh, "x_" + node)], q[ancf_number(mesh, "y_" + node)]};
}

}  // namespace skyhook::flexible::testing
