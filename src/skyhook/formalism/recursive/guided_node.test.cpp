// Two routes: lower pairs as chains of nodes, each with its closed formulas, and as one node by the law of the same pose. All that the
// equations tell must be the same. That derivatives of guides are those of their values is shown by differences on random models, which
// have guides of one to three coordinates (formulation/descriptor.test).
#include "skyhook/formalism/recursive/guided_node.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "skyhook/formalism/random_model.testing.h"
#include "skyhook/formalism/recursive/equations.h"

using namespace skyhook;
using formalism::recursive::Equations;
using formalism::testing::Random;
using model::Dof;

namespace {

// Hinges and slides in a row.
struct Chain : model::GuideLaw<Chain> {
  std::vector<Dof> dofs;
  explicit Chain(std::vector<Dof> given) : dofs(std::move(given)) {}
  int coordinates() const override { return static_cast<int>(dofs.size()); }
  template <class T>
  model::GuidePose<T> law(std::span<const T> q) const {
    using std::cos, std::sin;
    model::GuidePose<T> pose{{}, Mat3<T>::identity()};
    for (std::size_t k = 0; k < dofs.size(); ++k) {
      if (dofs[k].kind == Dof::Kind::prismatic)
        pose.r += q[k] * (pose.R * Vec3<T>(dofs[k].axis));
      else
        pose.R = pose.R * axis_rotation(dofs[k].axis, cos(q[k]), sin(q[k]));
    }
    return pose;
  }
};

// All joints of the tree without a ball become guides.
std::shared_ptr<model::Model> guided(const model::Model& given) {
  auto m = std::make_shared<model::Model>(given);
  for (model::Joint& joint : m->joints) {
    auto& dofs = joint.shape.dofs;
    const auto has_axis = [](const Dof& d) { return d.has_axis(); };
    if (joint.cut.value_or(true) || dofs.empty() || !std::ranges::all_of(dofs, has_axis)) continue;
    const auto guide = std::make_shared<const Chain>(dofs);
    for (Dof& dof : dofs) {
      dof.is_guided_angle = dof.kind == Dof::Kind::revolute;
      dof.kind = Dof::Kind::guided, dof.guide = guide;
    }
    joint.shape.rows.clear();
  }
  return m;
}

struct Values {
  std::vector<double> tau, qdot, g, rate, a, g_acceleration, mass, jacobian, stiffness, damping, inertia, eta, G, rates;
};

std::vector<double*> columns(std::vector<double>& values, const Pattern& pattern) {
  values.assign(static_cast<std::size_t>(pattern.nonzeros()), 0.0);
  std::vector<double*> out;
  for (int j = 0; j < pattern.cols; ++j) out.push_back(values.data() + pattern.start[j]);
  return out;
}

// The whole matrix: patterns may differ in what is zero by structure.
std::vector<double> dense(const std::vector<double>& values, const Pattern& pattern) {
  std::vector<double> out(static_cast<std::size_t>(pattern.rows) * static_cast<std::size_t>(pattern.cols), 0.0);
  for (int j = 0; j < pattern.cols; ++j) {
    for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k) out[pattern.row[k] + j * pattern.rows] = values[k];
  }
  return out;
}

// At a motion without symmetry. In place of a chain with its coordinates in reverse order (a reversed link) a guide has them in its own:
// the coordinates are therefore taken by name.
Values values_of(const Equations& eq, unsigned seed) {
  Random random(seed);
  auto ws = eq.workspace();
  const auto n = static_cast<std::size_t>(eq.nv()), c = static_cast<std::size_t>(eq.ng());
  const auto pick = [&](const std::vector<std::string>& names, const char* of) {
    std::vector<double> out;
    for (const std::string& name : names) {
      const std::size_t hash = std::hash<std::string>{}(name + of + std::to_string(seed));
      out.push_back(static_cast<double>(hash % 20001) / 10000.0 - 1);
    }
    return out;
  };
  const std::vector<double> q = pick(eq.tree().q_names, "q"), v = pick(eq.tree().v_names, "v"),
                            a = pick(eq.tree().v_names, "a");
  std::vector<double> lambda(c), eta(c);
  for (auto* x : {&lambda, &eta}) {
    for (double& e : *x) e = random();
  }
  Values out;
  out.tau.resize(n), out.qdot.resize(q.size()), out.g.resize(c), out.rate.resize(c), out.a.resize(n);
  out.g_acceleration.resize(c);
  const formalism::Input in{0.2, q, v, a, lambda, eta};
  REQUIRE(eq.residual(in, {out.tau, out.qdot, out.g, out.rate}, ws) == Eval::ok);
  REQUIRE(eq.accelerations(in, out.a, ws) == Eval::ok);
  REQUIRE(eq.constraint_accelerations(in, out.g_acceleration, ws) == Eval::ok);
  out.mass.resize(eq.mass_pattern().nonzeros()), out.jacobian.resize(eq.constraint_pattern().nonzeros());
  eq.matrices(0.2, q, {out.mass, out.jacobian}, ws);
  std::vector<double> G, rates;
  const auto stiffness = columns(out.stiffness, eq.tangent_pattern()),
             damping = columns(out.damping, eq.tangent_pattern()), inertia = columns(out.inertia, eq.tangent_pattern()),
             of_eta = columns(out.eta, eq.loop_pattern()), jacobian = columns(G, eq.constraint_pattern()),
             g_rate = columns(rates, eq.constraint_pattern());
  REQUIRE(eq.derivatives(
              in, {stiffness.data(), damping.data(), inertia.data(), of_eta.data(), jacobian.data(), g_rate.data()},
              ws) == Eval::ok);
  out.mass = dense(out.mass, eq.mass_pattern()), out.jacobian = dense(out.jacobian, eq.constraint_pattern());
  out.G = dense(G, eq.constraint_pattern()), out.rates = dense(rates, eq.constraint_pattern());
  out.stiffness = dense(out.stiffness, eq.tangent_pattern()), out.damping = dense(out.damping, eq.tangent_pattern());
  out.inertia = dense(out.inertia, eq.tangent_pattern()), out.eta = dense(out.eta, eq.loop_pattern());
  return out;
}

struct Cubic : model::GuideLaw<Cubic> {
  int coordinates() const override { return 1; }
  template <class T>
  model::GuidePose<T> law(std::span<const T> q) const {
    return {{q[0], q[0] * q[0], q[0] * q[0] * q[0]}, Mat3<T>::identity()};
  }
};

double largest(const std::vector<double>& x) {
  double most = 0;
  for (const double e : x) most = std::max(most, std::abs(e));
  return most;
}
double difference(const std::vector<double>& x, const std::vector<double>& y) {
  REQUIRE(x.size() == y.size());
  double most = 0;
  for (std::size_t k = 0; k < x.size(); ++k) most = std::max(most, std::abs(x[k] - y[k]));
  return most / (1 + largest(y));
}

}  // namespace

TEST_CASE("lower pairs as guides give the equations of lower pairs, with all derivatives") {
  for (unsigned seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    const auto model = formalism::testing::random_model(
        seed, {.bodies = 6, .loops = 2, .rods = 1, .forces = 2, .contacts = 2, .reversed = false});
    const Values as_chain = values_of(*formalism::testing::with_every_row(model), seed);
    const Values as_guide = values_of(*formalism::testing::with_every_row(guided(*model)), seed);
    for (const auto part :
         {&Values::tau, &Values::qdot, &Values::g, &Values::rate, &Values::g_acceleration, &Values::mass,
          &Values::jacobian, &Values::G, &Values::rates, &Values::damping, &Values::inertia})
      CHECK(difference(as_guide.*part, as_chain.*part) < 1e-12);
    CHECK(difference(as_guide.a, as_chain.a) < 1e-9);  // through the inverse of M
    CHECK(difference(as_guide.stiffness, as_chain.stiffness) < 1e-11);
    CHECK(difference(as_guide.eta, as_chain.eta) < 1e-11);
  }
}

// All derivatives one after another, in a workspace that may have met others before.
std::vector<double> derivatives_of(const Equations& eq, const formalism::Input& in, Equations::Workspace& ws) {
  std::array<std::vector<double>, 6> values;
  const Pattern &tangent = eq.tangent_pattern(), &loop = eq.loop_pattern(), &rows = eq.constraint_pattern();
  const auto k = columns(values[0], tangent), d = columns(values[1], tangent), m = columns(values[2], tangent),
             of_eta = columns(values[3], loop), G = columns(values[4], rows), rates = columns(values[5], rows);
  REQUIRE(eq.derivatives(in, {k.data(), d.data(), m.data(), of_eta.data(), G.data(), rates.data()}, ws) == Eval::ok);
  std::vector<double> out;
  for (const auto& x : values) out.insert(out.end(), x.begin(), x.end());
  return out;
}

// Derivatives at a residual's state take over what it has left; at any other they must not. The reference is a workspace that has met no residual.
TEST_CASE("derivatives after a residual are those of a fresh workspace, whatever has changed since") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    const auto model = formalism::testing::random_model(
        seed, {.bodies = 6, .loops = 2, .rods = 1, .forces = 2, .contacts = 2, .reversed = false});
    const auto built = formalism::testing::with_every_row(guided(*model));
    const Equations& eq = *built;
    Random random(seed);
    const auto some = [&](int n) {
      std::vector<double> x(static_cast<std::size_t>(n));
      for (double& e : x) e = random();
      return x;
    };
    const std::vector<double> q = some(eq.nq()), v = some(eq.nv()), a = some(eq.nv()), lambda = some(eq.ng()),
                              eta = some(eq.ng()), q2 = some(eq.nq()), v2 = some(eq.nv()), a2 = some(eq.nv()),
                              lambda2 = some(eq.ng()), eta2 = some(eq.ng());
    std::vector<double> tau = v, qdot = q, g = eta, rate = eta;
    const formalism::Input at{0.2, q, v, a, lambda, eta};
    auto ws = eq.workspace();
    derivatives_of(eq, at, ws);  // from now on it keeps what residuals leave
    for (const formalism::Input& other :
         {at, formalism::Input{0.3, q, v, a, lambda, eta}, formalism::Input{0.2, q2, v, a, lambda, eta},
          formalism::Input{0.2, q, v2, a, lambda, eta}, formalism::Input{0.2, q, v, a2, lambda, eta},
          formalism::Input{0.2, q, v, a, lambda2, eta}, formalism::Input{0.2, q, v, a, lambda, eta2}}) {
      auto fresh = eq.workspace();
      REQUIRE(eq.residual(at, {tau, qdot, g, rate}, ws) == Eval::ok);
      CHECK(formalism::recursive::is_marked(ws.nodes));
      CHECK(difference(derivatives_of(eq, other, ws), derivatives_of(eq, other, fresh)) < 1e-13);
    }
    auto fresh = eq.workspace();
    REQUIRE(eq.residual(at, {tau, qdot, g, rate}, ws) == Eval::ok);
    eq.constraints(0.2, q2, v2, g, rate, ws);  // moves the nodes
    CHECK(!formalism::recursive::is_marked(ws.nodes));
    CHECK(difference(derivatives_of(eq, at, ws), derivatives_of(eq, at, fresh)) < 1e-13);
  }
}

// A point mass on a curve, by hand: m (c' . c' q'' + c' . c'' q'^2) = c' . m g.
TEST_CASE("a mass along a cubic: the equation of motion by hand") {
  auto m = std::make_shared<model::Model>();
  m->gravity = {0.3, -0.2, -9.81};
  m->bodies.push_back({});
  m->bodies[0].name = "bead", m->bodies[0].mass = 2, m->bodies[0].inertia = Mat3d::diagonal({1, 1, 1});
  Random random(1);
  m->joints.push_back(formalism::testing::make_joint("wire", "revolute", model::ground, 0, {}, random));
  m->joints[0].shape = {{{Dof::Kind::guided, {}, "q", Mirror::even, std::make_shared<const Cubic>()}}, {}};
  const Equations eq(m, formalism::choose_tree(*m));
  auto ws = eq.workspace();
  const std::vector<double> q{0.7}, v{1.3}, none;
  std::vector<double> a(1);
  REQUIRE(eq.accelerations({0, q, v, a, none, none}, a, ws) == Eval::ok);
  const Vec3d d1{1, 2 * q[0], 3 * q[0] * q[0]}, d2{0, 2, 6 * q[0]};
  CHECK(a[0] == doctest::Approx((dot(d1, m->gravity) - dot(d1, d2) * v[0] * v[0]) / dot(d1, d1)).epsilon(1e-14));
}
