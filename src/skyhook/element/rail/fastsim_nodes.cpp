#include "skyhook/element/rail/fastsim_nodes.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace skyhook::element::rail::fastsim_nodes {
namespace {

// The largest one is 1: u_x (face 0), u_y (1) or turn_y (2). `some` runs from 0 to 1, `any` from -1 to 1.
std::array<double, 3> on_cube(int face, double some, double any) {
  if (face == 0) return {1, any, some};
  if (face == 1) return {some, 1, any};
  return {some, any, 1};
}

// Between the ends of the axes.
Lanes inner(const Fastsim& law, int face, int i, int j, int k, int l) {
  constexpr double none = 1e-3, all = 1e4;  // rho at the ends: between these and the ends nothing changes
  const std::array<double, 3> d = on_cube(face, half.at(i), full.at(j));
  const double ratio = std::exp(wide.at(l)), r = radial.at(k),
               rho = std::clamp(r < 1.0 ? rho0 * r / (1.0 - r) : all, none, all), s = (rho + rho0) / rho;
  const ReducedForce<double> f = law.force({rho * d[0], rho * d[1], rho * d[2] * ratio, rho * d[2]});
  return {s * f.x, s * f.y, s * f.arm_x, s * f.arm_y};
}

// Of an axis: beyond its ends by the parabola through the next three.
void go_on(std::vector<Lanes>& nodes, std::size_t first, std::size_t stride, const Axis& axis) {
  const auto at = [&](int n) -> Lanes& { return nodes[first + static_cast<std::size_t>(n) * stride]; };
  const auto beyond = [](const Lanes& a, const Lanes& b, const Lanes& c) { return Lanes(3.0) * (a - b) + c; };
  const int last = axis.nodes() - 1;
  at(0) = beyond(at(1), at(2), at(3)), at(last) = beyond(at(last - 1), at(last - 2), at(last - 3));
}

}  // namespace

std::vector<Lanes> evaluated(const Fastsim& law) {
  std::vector<Lanes> out(faces * per_face);
  for (int face = 0; face < faces; ++face) {
    for (int i = 0; i < half.nodes(); ++i) {
      for (int j = 0; j < full.nodes(); ++j) {
        for (int k = 1; k + 1 < radial.nodes(); ++k) {
          for (int l = 1; l + 1 < wide.nodes(); ++l) out[place(face, i, j, k, l)] = inner(law, face, i, j, k, l);
        }
        for (int l = 1; l + 1 < wide.nodes(); ++l)
          go_on(out, place(face, i, j, 0, l), static_cast<std::size_t>(wide.nodes()), radial);
        for (int k = 0; k < radial.nodes(); ++k) go_on(out, place(face, i, j, k, 0), 1, wide);
      }
    }
  }
  return out;
}

}  // namespace skyhook::element::rail::fastsim_nodes
