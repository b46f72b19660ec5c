// Two masses, the first on a spring whose stiffness is excited, with a stop between them that is open at first:
//   x' = v,   m(x, u) v' = -k (1 + u0) x - u1 sin(x) - c v + f,   z' = w,   w' = -z^3 - f,
//   f = s (z - x - gap) where that is positive.
// Linear in u, so that the update [Arnold 2006] (26) is exact but for differences. The mass is 1 or, as the residual formalism has
// it, 2 + cos(x) + u0.
#pragma once
#include <algorithm>
#include <cmath>

#include "skyhook/problem/problem.h"

namespace skyhook::testing {

struct RigKind {
  bool has_mass = false, tells_mass = true, is_excited = true;
};

class Rig : public DaeProblem {
 public:
  static constexpr double k = 50, c = 3, s = 400, gap = 0.5;

  explicit Rig(RigKind kind = {}) : kind_(kind) {
    structure_.y.resize(4);
    structure_.inputs = kind.is_excited ? 2 : 0;
    structure_.dF_dyp_constant = !kind.has_mass;
    PatternBuilder builder(4, 4);
    for (const auto& [i, j] : {std::pair{0, 0}, {0, 1}, {1, 0}, {1, 1}, {1, 2}, {2, 2}, {2, 3}, {3, 0}, {3, 2}, {3, 3}})
      builder.add(i, j);
    structure_.pattern = std::make_shared<const Pattern>(builder.build());
  }

  const Structure& structure() const override { return structure_; }
  std::unique_ptr<Workspace> workspace() const override { return std::make_unique<Workspace>(); }
  void inputs(double t, Span u) const override {
    if (kind_.is_excited) u[0] = 0.3 * std::sin(t), u[1] = 2 * std::cos(t);
  }
  Eval residual(const Point& p, Span F, Workspace&) const override {
    ++residuals;
    const auto [u0, u1] = excitations(p);
    const double x = p.y[0], v = p.y[1], z = p.y[2], w = p.y[3], f = s * std::max(0.0, z - x - gap);
    F[0] = p.yp[0] - v;
    F[1] = inertia(p) * p.yp[1] + k * (1 + u0) * x + u1 * std::sin(x) + c * v - f;
    F[2] = p.yp[2] - w;
    F[3] = p.yp[3] + z * z * z + f;
    return Eval::ok;
  }
  Eval derivatives(const Point& p, Csc& dF_dy, Csc& dF_dyp, Workspace&) const override {
    const auto [u0, u1] = excitations(p);
    const double x = p.y[0], z = p.y[2], stop = z - x > gap ? s : 0.0;
    const auto set = [&](int i, int j, double value) { dF_dy.value[structure_.pattern->find(i, j)] = value; };
    const double turn = kind_.has_mass ? -std::sin(x) * p.yp[1] : 0.0;
    set(0, 1, -1), set(1, 0, turn + k * (1 + u0) + u1 * std::cos(x) + stop), set(1, 1, c), set(1, 2, -stop);
    set(2, 3, -1), set(3, 0, -stop), set(3, 2, 3 * z * z + stop);
    fill_mass(p, dF_dyp);
    return Eval::ok;
  }
  bool mass(const Point& p, Csc& dF_dyp, Workspace&) const override {
    if (kind_.tells_mass) fill_mass(p, dF_dyp);
    return kind_.tells_mass;
  }

  mutable long residuals = 0;

 private:
  struct Excitations {
    double u0, u1;
  };
  Excitations excitations(const Point& p) const {
    double u[2] = {0, 0};
    if (p.u.empty()) inputs(p.t, u);
    return p.u.empty() ? Excitations{u[0], u[1]} : Excitations{p.u[0], p.u[1]};
  }
  double inertia(const Point& p) const { return kind_.has_mass ? 2 + std::cos(p.y[0]) + excitations(p).u0 : 1.0; }
  void fill_mass(const Point& p, Csc& dF_dyp) const {
    for (int i = 0; i < 4; ++i) dF_dyp.value[structure_.pattern->find(i, i)] = i == 1 ? inertia(p) : 1.0;
  }

  RigKind kind_;
  Structure structure_;
};

}  // namespace skyhook::testing
