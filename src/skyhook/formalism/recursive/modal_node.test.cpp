// Bodies of modes in random models, against three other routes: particles summed up one by one, differences of the values, and the
// explicit recursion against the residual.
#include "skyhook/formalism/recursive/modal_node.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "skyhook/flexible/lost_inertia.h"
#include "skyhook/formalism/modal_bodies.testing.h"
#include "skyhook/formalism/recursive/completed_moments.h"
#include "skyhook/formalism/recursive/equations.h"

using namespace skyhook;
using namespace formalism::testing;
using formalism::recursive::Equations;

namespace {

std::vector<double> random_values(Random& random, int count) {
  std::vector<double> out(static_cast<std::size_t>(count));
  for (double& x : out) x = random();
  return out;
}

std::vector<double*> columns_on(std::vector<double>& values, const Pattern& pattern) {
  values.assign(static_cast<std::size_t>(pattern.nonzeros()), 0.0);
  std::vector<double*> out;
  for (int j = 0; j < pattern.cols; ++j) out.push_back(values.data() + pattern.start[j]);
  return out;
}

struct Motion {
  std::vector<double> q, v, a, lambda, eta;
};

Motion random_motion(const Equations& eq, unsigned seed) {
  Random random(seed);
  Motion m{eq.tree().q_design, random_values(random, eq.nv()), random_values(random, eq.nv()),
           random_values(random, eq.ng()), random_values(random, eq.ng())};
  std::vector<double> moved = random_values(random, eq.nv());
  for (double& x : moved) x *= 0.4;
  eq.plus(m.q, moved);
  return m;
}

struct Values {
  std::vector<double> tau, qdot, g, rate;
};

Values values_at(const Equations& eq, const Motion& m, Equations::Workspace& ws) {
  Values out{std::vector<double>(eq.nv()), std::vector<double>(eq.nq()), std::vector<double>(eq.ng()),
             std::vector<double>(eq.ng())};
  REQUIRE(eq.residual({0.2, m.q, m.v, m.a, m.lambda, m.eta}, {out.tau, out.qdot, out.g, out.rate}, ws) == Eval::ok);
  return out;
}

struct Matrices {
  std::vector<double> stiffness, damping, mass, eta, G, rates;
};

Matrices matrices_at(const Equations& eq, const Motion& m, Equations::Workspace& ws) {
  Matrices out;
  const auto stiffness = columns_on(out.stiffness, eq.tangent_pattern()),
             damping = columns_on(out.damping, eq.tangent_pattern()), mass = columns_on(out.mass, eq.tangent_pattern()),
             eta = columns_on(out.eta, eq.loop_pattern()), G = columns_on(out.G, eq.constraint_pattern()),
             rates = columns_on(out.rates, eq.constraint_pattern());
  REQUIRE(eq.derivatives({0.2, m.q, m.v, m.a, m.lambda, m.eta},
                         {stiffness.data(), damping.data(), mass.data(), eta.data(), G.data(), rates.data()},
                         ws) == Eval::ok);
  return out;
}

double entry(const std::vector<double>& values, const Pattern& pattern, int i, int j) {
  const int k = pattern.find(i, j);
  return k < 0 ? 0.0 : values[static_cast<std::size_t>(k)];
}

// Joints count as balls, and where a frame is tangent at one, stress that stiffens is so strong that it would take the inertia at once: such bodies are completed.
std::shared_ptr<model::Model> bending_model(unsigned seed, bool with_geometric) {
  const auto m = with_modes(*random_model(seed, {.bodies = 6, .loops = 2, .rods = 1, .forces = 3, .contacts = 1}), seed,
                            with_geometric);
  for (model::Joint& joint : m->joints) joint.type = "spherical";
  for (std::size_t b = 0; with_geometric && b < m->bodies.size(); ++b) {
    const auto as_it_was = m->bodies[b].modal;
    if (!as_it_was) continue;
    auto strong = std::make_shared<model::ModalBody>(*as_it_was);
    for (auto& matrix : strong->geometric.centrifugal) {
      for (double& x : matrix) x *= 1000;
    }
    m->bodies[b].modal = strong;
    if (!flexible::hinged_frame(*m, static_cast<int>(b))) m->bodies[b].modal = as_it_was;
  }
  return m;
}

int completed_bodies(const Equations& eq) {
  int count = 0;
  for (const auto& modal : eq.tree().modal)
    count += formalism::recursive::completed(*eq.tree().nodes[static_cast<std::size_t>(modal.node)].moments) != nullptr;
  return count;
}

// One body of particles that floats, at a motion without symmetry.
struct Floating {
  Particles particles;
  std::shared_ptr<model::Model> model = std::make_shared<model::Model>();
  explicit Floating(unsigned seed) {
    Random random(seed);
    particles = random_particles(random, 7, 3);
    model::ModalBody modal = body_of(particles);
    add_random_matrices(random, false, modal);
    model->gravity = random.vector(5);
    model->bodies.push_back({});
    model::Body& body = model->bodies[0];
    body.name = "cloud", body.at = random.vector(), body.axes = cardan_rotation(random.vector());
    put_modal(std::make_shared<const model::ModalBody>(std::move(modal)), body);
  }
};

}  // namespace

// Newton's law of each particle, projected on the coordinates: its path is written down here and differenced twice in time. Central
// differences of h = 1e-3 have errors of about 1e-6 times fourth derivatives of a motion of size 1.
TEST_CASE("a body of particles: the residual is the sum over the particles") {
  for (unsigned seed = 0; seed < 10; ++seed) {
    CAPTURE(seed);
    const Floating f(seed);
    const Equations eq(f.model, formalism::choose_tree(*f.model));
    REQUIRE(eq.nv() == 9);
    const Motion m = random_motion(eq, seed);
    auto ws = eq.workspace();
    const Values at = values_at(eq, m, ws);
    const model::Body& body = f.model->bodies[0];
    // the motion around this instant: x = x0 + v t + a t^2 / 2, rotation by w t + w' t^2 / 2 in axes of the body
    const auto positions = [&](const std::vector<double>& q) {
      const Mat3d R = rotation_of(Quaternion<double>{q[3], q[4], q[5], q[6]}) * body.axes;
      std::vector<Vec3d> out;
      for (std::size_t i = 0; i < f.particles.mass.size(); ++i) {
        Vec3d rho = f.particles.X[i];
        for (int k = 0; k < 3; ++k) rho += q[7 + k] * f.particles.shapes[i][k];
        out.push_back(body.at + Vec3d{q[0], q[1], q[2]} + R * rho);
      }
      return out;
    };
    const auto moved = [&](double t) {
      std::vector<double> q = m.q, step(9);
      for (int k = 0; k < 9; ++k) step[k] = m.v[k] * t + 0.5 * m.a[k] * t * t;
      eq.plus(q, step);
      return positions(q);
    };
    const double h = 1e-3;
    const auto before = moved(-h), now = moved(0), after = moved(h);
    for (int j = 0; j < 9; ++j) {
      std::vector<double> q = m.q, step(9, 0.0);
      step[j] = 1e-5;
      eq.plus(q, step);
      const auto up = positions(q);
      q = m.q, step[j] = -1e-5, eq.plus(q, step);
      const auto down = positions(q);
      double tau = 0;
      for (std::size_t i = 0; i < now.size(); ++i) {
        const Vec3d a = (1 / (h * h)) * (after[i] - 2.0 * now[i] + before[i]) - f.model->gravity,
                    along = (1 / 2e-5) * (up[i] - down[i]);
        tau += f.particles.mass[i] * dot(along, a);
      }
      for (int k = 0; j >= 6 && k < 3; ++k)
        tau += body.modal->stiffness[(j - 6) * 3 + k] * m.q[7 + k] + body.modal->damping[(j - 6) * 3 + k] * m.v[6 + k];
      CHECK(at.tau[j] == doctest::Approx(tau).epsilon(1e-4).scale(10));
    }
  }
}

TEST_CASE("bodies of modes in random models: derivatives are those of the values") {
  double most_modal = 0;
  int completed = 0;
  for (unsigned seed = 0; seed < 30; ++seed) {
    CAPTURE(seed);
    const auto model = bending_model(seed, seed % 3 == 0);
    const auto shared = with_every_row(model);
    const Equations& eq = *shared;
    most_modal += static_cast<double>(eq.tree().points.size());
    completed += completed_bodies(eq);
    auto ws = eq.workspace();
    const Motion m = random_motion(eq, seed);
    const Matrices at = matrices_at(eq, m, ws);
    double scale = 1, off = 0;
    for (const double x : at.stiffness) scale = std::max(scale, std::abs(x));
    const double h = 1e-5;
    for (int j = 0; j < eq.nv(); ++j) {
      CAPTURE(j);
      CAPTURE(eq.tree().v_names[j]);
      std::vector<double> step(eq.nv(), 0.0);
      Motion up = m, down = m, fast = m, slow = m, more = m;
      step[j] = h, eq.plus(up.q, step), step[j] = -h, eq.plus(down.q, step);
      fast.v[j] += h, slow.v[j] -= h, more.a[j] += 1;
      const Values here = values_at(eq, m, ws), u = values_at(eq, up, ws), d = values_at(eq, down, ws),
                   f = values_at(eq, fast, ws), s = values_at(eq, slow, ws), a = values_at(eq, more, ws);
      for (int i = 0; i < eq.nv(); ++i) {
        const auto check = [&](double exact, double differenced) {
          off = std::max(off, std::abs(exact - differenced) / scale);
        };
        check(entry(at.stiffness, eq.tangent_pattern(), i, j), (u.tau[i] - d.tau[i]) / (2 * h));
        check(entry(at.damping, eq.tangent_pattern(), i, j), (f.tau[i] - s.tau[i]) / (2 * h));
        check(entry(at.mass, eq.tangent_pattern(), i, j), a.tau[i] - here.tau[i]);
      }
      for (int r = 0; r < eq.ng(); ++r) {
        CHECK(std::abs(entry(at.G, eq.constraint_pattern(), r, j) - (u.g[r] - d.g[r]) / (2 * h)) < 1e-7);
        CHECK(std::abs(entry(at.rates, eq.constraint_pattern(), r, j) - (u.rate[r] - d.rate[r]) / (2 * h)) < 1e-6);
      }
    }
    CHECK(off < 1e-7);  // of the differences: rounding 1e-11 over h
  }
  CHECK(most_modal > 50);
  CHECK(completed > 3);
}

TEST_CASE("bodies of modes in random models: mass matrix, G and the derivative of G^T eta by two routes") {
  for (unsigned seed = 0; seed < 30; ++seed) {
    CAPTURE(seed);
    const auto shared = with_every_row(bending_model(seed, seed % 3 == 0));
    const Equations& eq = *shared;
    auto ws = eq.workspace();
    Motion m = random_motion(eq, seed);
    m.eta = m.lambda;
    const Matrices at = matrices_at(eq, m, ws);
    std::vector<double> mass(eq.mass_pattern().nonzeros()), G(eq.constraint_pattern().nonzeros());
    eq.matrices(0.2, m.q, {mass, G}, ws);
    std::fill(m.lambda.begin(), m.lambda.end(), 0.0);
    const Matrices without = matrices_at(eq, m, ws);
    for (int j = 0; j < eq.nv(); ++j) {
      for (int i = 0; i < eq.nv(); ++i) {
        CHECK(std::abs(entry(mass, eq.mass_pattern(), i, j) - entry(at.mass, eq.tangent_pattern(), i, j)) < 1e-11);
        CHECK(std::abs(entry(mass, eq.mass_pattern(), i, j) - entry(mass, eq.mass_pattern(), j, i)) < 1e-11);
        const double with_lambda = entry(at.stiffness, eq.tangent_pattern(), i, j),
                     of_lambda = with_lambda - entry(without.stiffness, eq.tangent_pattern(), i, j);
        const double rounding = 1e-14 * std::abs(with_lambda);  // of completed bodies, whose entries are large
        CHECK(std::abs(entry(at.eta, eq.loop_pattern(), i, j) - of_lambda) < 1e-10 + rounding);
      }
      for (int r = 0; r < eq.ng(); ++r)
        CHECK(std::abs(entry(G, eq.constraint_pattern(), r, j) - entry(at.G, eq.constraint_pattern(), r, j)) < 1e-12);
    }
  }
}

TEST_CASE("bodies of modes in random models: accelerations of the recursion leave no residual") {
  for (unsigned seed = 0; seed < 30; ++seed) {
    CAPTURE(seed);
    const auto shared = with_every_row(bending_model(seed, seed % 3 == 0));
    const Equations& eq = *shared;
    auto ws = eq.workspace();
    Motion m = random_motion(eq, seed);
    std::vector<double> a(eq.nv());
    REQUIRE(eq.accelerations({0.2, m.q, m.v, m.a, m.lambda, m.eta}, a, ws) == Eval::ok);
    const double moving = eq.tree().nv;
    double largest = 1;
    for (int i = 0; i < moving; ++i) largest = std::max(largest, std::abs(a[i]));
    m.a = a;
    const Values at = values_at(eq, m, ws);
    for (int i = 0; i < moving; ++i) CHECK(std::abs(at.tau[i]) < 1e-10 * largest);
  }
}

// Power of the inertia is the rate of the kinetic energy v M v / 2 along the motion: differences of h = 1e-4 err by about 1e-8 of its third
// derivative.
TEST_CASE("stress that stiffens neither makes nor takes energy") {
  for (unsigned seed = 0; seed < 10; ++seed) {
    CAPTURE(seed);
    Floating f(seed);
    Random random(seed);
    auto modal = std::make_shared<model::ModalBody>(*f.model->bodies[0].modal);
    add_random_matrices(random, true, *modal);
    modal->stiffness.clear(), modal->damping.clear();
    f.model->bodies[0].modal = modal, f.model->gravity = {};
    const Equations eq(f.model, formalism::choose_tree(*f.model));
    const Motion m = random_motion(eq, seed);
    auto ws = eq.workspace();
    const Values at = values_at(eq, m, ws);
    const auto energy = [&](double t) {
      std::vector<double> q = m.q, v = m.v, step(9), p(9, 0.0), none;
      for (int k = 0; k < 9; ++k) step[k] = m.v[k] * t + 0.5 * m.a[k] * t * t, v[k] += m.a[k] * t;
      eq.plus(q, step);
      Csc mass(std::make_shared<const Pattern>(eq.mass_pattern()));
      eq.matrices(0, q, {mass.value, none}, ws);
      multiply_add(mass, v, 0.5, p);
      double sum = 0;
      for (int k = 0; k < 9; ++k) sum += v[k] * p[k];
      return sum;
    };
    double power = 0, size = 1;
    for (int k = 0; k < 9; ++k) power += m.v[k] * at.tau[k], size += std::abs(m.v[k] * at.tau[k]);
    const double h = 1e-4;
    CHECK(std::abs((energy(h) - energy(-h)) / (2 * h) - power) < 1e-6 * size);
  }
}

// Two routes: the closed form of points, and the law of the same pose by dual numbers; small, middling and large rotations.
TEST_CASE("the pose of a point in closed form is that of its law, with all that is derived from it") {
  using namespace formalism::recursive;
  for (const double size : {0.0, 1e-4, 0.05, 0.4, 1.5}) {
    CAPTURE(size);
    Random random(3);
    Node law, point;
    law.kind = Node::Kind::guided, law.guide = waist_guide(), law.d = random.vector();
    point = law, point.kind = Node::Kind::point;
    NodeState up, x, y;
    up.R = cardan_rotation(random.vector());
    std::vector<double> q = random_values(random, 6), v = random_values(random, 6), a = random_values(random, 6);
    for (int k = 3; k < 6; ++k) q[k] *= size;
    move_guided(law, up, q, x), move_guided(point, up, q, y);
    const auto same = [](const Vec3d& one, const Vec3d& other) { CHECK(norm(one - other) < 1e-13); };
    for (int k = 0; k < 3; ++k) same(x.R.column(k), y.R.column(k));
    same(x.d, y.d);
    Vec3d turn, shift, other_turn, other_shift;
    guided_products(law, up, *x.guide, v, turn, shift),
        guided_products(point, up, *y.guide, v, other_turn, other_shift);
    same(turn, other_turn), same(shift, other_shift);
    const GuideMotion m = guide_motion(law, up, *x.guide, v, a), n = guide_motion(point, up, *y.guide, v, a);
    same(m.rate, n.rate), same(m.acceleration, n.acceleration);
    for (std::size_t k = 0; k < 6; ++k) {
      same(x.guide->turn[k], y.guide->turn[k]), same(x.guide->shift[k], y.guide->shift[k]);
      same(m.columns[k].turn, n.columns[k].turn), same(m.columns[k].turn_rate, n.columns[k].turn_rate);
      same(m.columns[k].turn_acceleration, n.columns[k].turn_acceleration);
      same(m.columns[k].shift, n.columns[k].shift), same(m.columns[k].shift_rate, n.columns[k].shift_rate);
    }
    std::array<double, 36> one, other;
    const Vec3d f = random.vector(), moment = random.vector();
    guide_curvature(law, up, *x.guide, f, moment, one), guide_curvature(point, up, *y.guide, f, moment, other);
    for (std::size_t k = 0; k < 36; ++k) CHECK(std::abs(one[k] - other[k]) < 1e-13);
  }
}
