// FASTSIM [Kalker 1982]: the patch in slices along rolling, each a brush of independent bristles under a bound of friction that is a parabola.
// docs/theory/17_creep_forces.md (17.16) to (17.21).
//
// In units of the patch it depends on four numbers, and a slice of it on three: derivatives are taken there and chained.
#pragma once
#include <vector>

#include "skyhook/element/rail/kalker.h"
#include "skyhook/math/lanes.h"

namespace skyhook::element::rail {

// Creepages in units of the patch, lengths over a along x and over b across, tractions over the largest bound f p0: u_x = a xi_x/(L1 f p0),
// u_y = a xi_y/(L2 f p0), turn_y = a^2 phi/(L3 f p0), turn_x = a b phi/(L3 f p0).
template <class T>
struct ReducedCreep {
  T x, y, turn_x, turn_y;
};
// Over f N; arm_x is the moment of the forces across about the centre, over f N a, arm_y that of those along x, over f N b: M = a arm_x - b arm_y.
template <class T>
struct ReducedForce {
  T x{}, y{}, arm_x{}, arm_y{};
};

// Slices across are equal in the angle theta, y = sin(theta): what a slice gives ends like cos^3 at the borders where it sticks, like cos^4 where it
// slides, and equal steps of such a function leave an error of fourth order, or of none. Cells along are equal.
struct FastsimGrid {
  int across = 24, along = 16;
};

inline double sum(const Lanes& x) { return (x[0] + x[1]) + (x[2] + x[3]); }

// Where a bristle in the middle of a cell is, its traction over f p0, and whether it slides.
struct Bristle {
  double x, y, px, py;  // x over a, y over b
  bool slides;
};

struct SliceSum;

class Fastsim {
 public:
  explicit Fastsim(FastsimGrid grid = {});

  ReducedForce<double> force(const ReducedCreep<double>& u) const;
  ReducedForce<Dual<4>> slopes(const ReducedCreep<double>& u) const;
  // For pictures: all cells, slice by slice, from the leading edge on.
  std::vector<Bristle> patch(const ReducedCreep<double>& u) const;

  // Four slices, each in its own units (half length l, tractions over l^2): rigid slip (c_x, c_y + turn x) at x. Sums of px, py and x py over its
  // cells, as integrals from -1 to 1.
  template <class T>
  struct Slice {
    T x, y, arm;
  };
  Slice<Lanes> slices(const Lanes& cx, const Lanes& cy, const Lanes& turn) const;
  Slice<Dual<3, Lanes>> slice_slopes(const Lanes& cx, const Lanes& cy, const Lanes& turn) const;

  // Four neighbours; their number is rounded up to fours.
  struct Lines {
    Lanes y, half;  // sin and cos of theta
    Lanes force;    // weight of their sums in the force over f N
  };
  const std::vector<Lines>& lines() const { return lines_; }

 private:
  struct Cell {
    double centre, step, middle;  // its middle, the way from the one before, and the middle of that way
    double bound;                 // mean of 1 - x^2 over the cell: full sliding is exact
    double turning;               // integral of dx/(1 - x^2) over the way, over the way
  };
  template <class T>
  void advance(const Cell& cell, const T& wx, const T& wy, T& px, T& py) const;
  template <class T, class Visit>
  void march(const T& cx, const T& cy, const T& turn, const Visit& visit) const;
  template <std::size_t count>
  void add_together(const ReducedCreep<double>& u, std::size_t first, SliceSum& to) const;
  template <class T>
  Slice<T> summed(const T& cx, const T& cy, const T& turn) const;

  std::vector<Cell> cells_;
  std::vector<Lines> lines_;
  double gentle_;  // sliding per cell up to which the two rules for its direction are mixed
};

std::vector<Fastsim::Lines> slices_across(int count);

// What slices give, added up.
struct SliceSum {
  Lanes x, y, arm_x, arm_y;
  void add(const Fastsim::Lines& line, const Fastsim::Slice<Lanes>& s) {
    const Lanes fx = line.force * s.x;
    x += fx, y += line.force * s.y, arm_x += line.force * line.half * s.arm, arm_y += line.y * fx;
  }
  ReducedForce<double> force() const { return {sum(x), sum(y), sum(arm_x), sum(arm_y)}; }
};

// Over all slices, whatever gives a slice: `Slices` has slices() and slice_slopes().
template <class Slices>
ReducedForce<double> summed_force(const Slices& of, const ReducedCreep<double>& u) {
  SliceSum all;
  for (const Fastsim::Lines& line : of.lines()) {
    const Lanes per = Lanes(1.0) / line.half;
    all.add(line, of.slices((Lanes(u.x) - Lanes(u.turn_x) * line.y) * per, Lanes(u.y) * per, Lanes(u.turn_y)));
  }
  return all.force();
}

template <class Slices>
ReducedForce<Dual<4>> summed_slopes(const Slices& of, const ReducedCreep<double>& u) {
  using D = Dual<4, Lanes>;
  D x, y, arm_x, arm_y;
  for (const Fastsim::Lines& line : of.lines()) {
    const Lanes per = Lanes(1.0) / line.half;
    const auto s = of.slice_slopes((Lanes(u.x) - Lanes(u.turn_x) * line.y) * per, Lanes(u.y) * per, Lanes(u.turn_y));
    const auto add = [&](D& to, const Dual<3, Lanes>& f, const Lanes& weight) {
      const Lanes each = weight * per;
      to.v += weight * f.v;
      to.d[0] += each * f.d[0], to.d[1] += each * f.d[1], to.d[2] -= each * line.y * f.d[0], to.d[3] += weight * f.d[2];
    };
    add(x, s.x, line.force), add(y, s.y, line.force);
    add(arm_x, s.arm, line.force * line.half), add(arm_y, s.x, line.force * line.y);
  }
  const auto total = [](const D& f) {
    Dual<4> out(sum(f.v));
    for (std::size_t k = 0; k < 4; ++k) out.d[k] = sum(f.d[k]);
    return out;
  };
  return {total(x), total(y), total(arm_x), total(arm_y)};
}

// Displacement over traction of the bristles, along, across and for spin, times the shear modulus (m): L1, L2, L3 of (17.16).
template <class T>
struct Flexibilities {
  T x, y, spin;
};

template <class T>
Flexibilities<T> three_flexibilities(const Creep<T>& at, const CreepCoefficients<T>& C) {
  using std::sqrt;
  return {T(8.0 / 3.0) * at.a / C.C11, T(8.0 / 3.0) * at.a / C.C22,
          T(0.25 * 3.14159265358979323846) * at.a * at.a / (sqrt(at.a * at.b) * C.C23)};
}

// One for all, (17.21): the mean of the three by the squares of what they belong to, so that creep along one axis keeps its own. Kalker's weights, the sizes over the
// root of the sum of squares, add up to as much as sqrt(3).
template <class T>
T mean_flexibility(const Creep<T>& at, const Flexibilities<T>& L) {
  const T tiny(1e-18);  // (1e-9)^2: creepages below it have no direction
  const T x2 = at.x * at.x + tiny, y2 = at.y * at.y + tiny, s2 = at.a * at.b * at.spin * at.spin + tiny;
  return (x2 * L.x + y2 * L.y + s2 * L.spin) / (x2 + y2 + s2);
}

// (17.21): how much of the one mean is taken: nothing without creep, all where the linear theory has thrice the friction, from where on all slides. With the square of
// creep, so that slopes at no creep are those of the three.
template <class T>
T share_of_mean(const Creep<T>& at, const CreepCoefficients<T>& C, double shear) {
  const T area = at.a * at.b, x = C.C11 * at.x, y = C.C22 * at.y, spin2 = area * C.C23 * C.C23 * at.spin * at.spin;
  const T k = T(shear / 3.0) * area / (at.friction * at.load), t = k * k * (x * x + y * y + spin2);
  return value_of(t) < 1.0 ? t * (T(2.0) - t) : T(1.0);
}

template <class T>
Flexibilities<T> flexibilities(const Creep<T>& at, const CreepCoefficients<T>& C, double shear, Flexibility how) {
  const Flexibilities<T> three = three_flexibilities(at, C);
  if (how == Flexibility::three) return three;
  const T mean = mean_flexibility(at, three);
  if (how == Flexibility::one) return {mean, mean, mean};
  const T share = share_of_mean(at, C, shear);
  return {three.x + share * (mean - three.x), three.y + share * (mean - three.y),
          three.spin + share * (mean - three.spin)};
}

// (17.17): what the creepages are in units of the patch.
template <class T>
ReducedCreep<T> reduced(const Creep<T>& at, const Flexibilities<T>& L, double shear) {
  const T k = T(0.5 * 3.14159265358979323846 * shear) * at.a * at.b * at.a / (at.friction * at.load);
  const T turn = k * at.a * at.spin / L.spin;
  return {k * at.x / L.x, k * at.y / L.y, turn * at.b / at.a, turn};
}

// `Model` gives force() and slopes() of reduced creep.
template <class Model>
struct FastsimCreep : CreepLawOf<FastsimCreep<Model>> {
  FastsimCreep(const CreepOptions& options, Model given)
      : shear(options.material.shear), how(options.flexibilities), coefficients(options), model(std::move(given)) {}

  double shear;
  Flexibility how;
  CoefficientsOf coefficients;
  Model model;

  template <class T>
  CreepForce<T> law(const Creep<T>& at) const {
    const CreepCoefficients<T> C = coefficients.without_C33(at.a, at.b);
    const ReducedForce<T> f = of(reduced(at, flexibilities(at, C, shear, how), shear));
    const T most = at.friction * at.load;
    return {most * f.x, most * f.y, most * (at.a * f.arm_x - at.b * f.arm_y)};
  }

 private:
  ReducedForce<double> of(const ReducedCreep<double>& u) const { return model.force(u); }
  template <int N>
  ReducedForce<Dual<N>> of(const ReducedCreep<Dual<N>>& u) const {
    const ReducedForce<Dual<4>> f = model.slopes({u.x.v, u.y.v, u.turn_x.v, u.turn_y.v});
    const auto chained = [&](const Dual<4>& y) {
      Dual<N> out(y.v);
      for (std::size_t k = 0; k < N; ++k)
        out.d[k] = y.d[0] * u.x.d[k] + y.d[1] * u.y.d[k] + y.d[2] * u.turn_x.d[k] + y.d[3] * u.turn_y.d[k];
      return out;
    };
    return {chained(f.x), chained(f.y), chained(f.arm_x), chained(f.arm_y)};
  }
};

}  // namespace skyhook::element::rail
