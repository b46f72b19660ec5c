// Bodies whose stress stiffens as a displacement of second order, against a cloud of particles that has this displacement.
#include "skyhook/formalism/recursive/completed_moments.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "skyhook/formalism/modal_bodies.testing.h"
#include "skyhook/formalism/recursive/modal_node.h"
#include "skyhook/formalism/recursive/passes.h"

using namespace skyhook;
using namespace formalism::testing;
using namespace formalism::recursive;

namespace {

struct Cloud {
  Particles particles;
  model::ModalBody body;
  // `thin`: nearly all of it lies on the x axis; `reach`: how far shapes move it.
  explicit Cloud(unsigned seed, double thin = 1, double reach = 1) {
    Random random(seed);
    particles = random_particles(random, 8, 3);
    for (Vec3d& x : particles.X) x.y *= thin, x.z *= thin;
    for (auto& shapes : particles.shapes) {
      for (Vec3d& b : shapes) b = reach * b;
    }
    body = body_of(particles);
    add_random_matrices(random, true, body);
  }
  // Of rho by z, by the definition of the followers: linear in X, with the moments that (21.6) asks for. Solved here for its twelve coefficients at once.
  std::vector<Vec3d> displacement(const std::array<double, 3>& z) const {
    const auto form = [&](const std::vector<double>& K) {
      double sum = 0;
      for (int k = 0; k < 3; ++k) {
        for (int l = 0; l < 3; ++l) sum += z[k] * K[static_cast<std::size_t>(3 * k + l)] * z[l];
      }
      return sum;
    };
    const auto& g = body.geometric;
    // conditions on sums over particles of m w, X x w, and of 2 (X . w) 1 - X w^T - w X^T
    std::array<double, 12> wanted{};
    for (std::size_t i = 0; i < 3; ++i)
      wanted[i] = 0.5 * form(g.acceleration[i]), wanted[3 + i] = 0.5 * form(g.angular_acceleration[i]);
    for (std::size_t c = 0; c < 6; ++c) wanted[6 + c] = (c < 3 ? -1 : -0.5) * form(g.centrifugal[c]);
    const auto moments = [&](const std::vector<Vec3d>& w) {
      std::array<double, 12> out{};
      for (std::size_t p = 0; p < w.size(); ++p) {
        const double m = particles.mass[p];
        const Vec3d &X = particles.X[p], turned = cross(X, w[p]);
        const Mat3d both = 2 * dot(X, w[p]) * Mat3d::identity() - outer(X, w[p]) - outer(w[p], X);
        for (int i = 0; i < 3; ++i)
          out[static_cast<std::size_t>(i)] += m * w[p][i], out[static_cast<std::size_t>(3 + i)] += m * turned[i];
        const std::array<double, 6> six{both[0][0], both[1][1], both[2][2], both[0][1], both[1][2], both[2][0]};
        for (std::size_t c = 0; c < 6; ++c) out[6 + c] += m * six[c];
      }
      return out;
    };
    const auto field = [&](int j) {  // e_alpha times 1, x, y or z
      std::vector<Vec3d> w(particles.X.size());
      for (std::size_t p = 0; p < w.size(); ++p) w[p][j % 3] = j < 3 ? 1.0 : particles.X[p][j / 3 - 1];
      return w;
    };
    std::array<std::array<double, 13>, 12> A{};
    for (int j = 0; j < 12; ++j) {
      const auto m = moments(field(j));
      for (std::size_t i = 0; i < 12; ++i) A[i][static_cast<std::size_t>(j)] = m[i], A[i][12] = wanted[i];
    }
    for (std::size_t c = 0; c < 12; ++c) {  // Gauss and Jordan
      std::size_t best = c;
      for (std::size_t i = c; i < 12; ++i) best = std::abs(A[i][c]) > std::abs(A[best][c]) ? i : best;
      std::swap(A[c], A[best]);
      for (std::size_t i = 0; i < 12; ++i) {
        const double by = i == c ? 0 : A[i][c] / A[c][c];
        for (std::size_t j = c; j < 13 && by != 0; ++j) A[i][j] -= by * A[c][j];
      }
    }
    std::vector<Vec3d> rho = particles.X;
    for (int j = 0; j < 12; ++j) {
      const auto w = field(j);
      const double by =
          A[static_cast<std::size_t>(j)][12] / A[static_cast<std::size_t>(j)][static_cast<std::size_t>(j)];
      for (std::size_t p = 0; p < w.size(); ++p) rho[p] += by * w[p];
    }
    for (std::size_t p = 0; p < rho.size(); ++p) {
      for (std::size_t k = 0; k < 3; ++k) rho[p] += z[k] * particles.shapes[p][k];
    }
    return rho;
  }
};

struct Bent {
  Node node;
  NodeState x;
  Bent(const model::ModalBody& body, bool completes, const std::array<double, 3>& z, const std::array<double, 3>& zd) {
    node.kind = Node::Kind::modal, node.iq = node.iv = 0;
    node.moments = moments_of(body, Mat3d::identity(), completes);
    x.R = Mat3d::identity();
    move_modal(node, z, x), modal_velocity(node, zd, x);
  }
  const ModalState& state() const { return *x.guide->modal; }
};

}  // namespace

// The velocities of the particles are differenced: central differences of 1e-5 have errors of 1e-9 here.
TEST_CASE("Stress that stiffens as a displacement: the kinetic energy is the sum over the particles") {
  for (unsigned seed = 0; seed < 10; ++seed) {
    CAPTURE(seed);
    const Cloud cloud(seed);
    Random random(seed + 100);
    std::array<double, 3> z{}, zd{};
    for (int k = 0; k < 3; ++k) z[k] = random(), zd[k] = random();
    Bent bent(cloud.body, true, z, zd);
    REQUIRE(completed(*bent.node.moments));
    CHECK(completed(*bent.node.moments)->followers == 12);
    const Vec3d v = bent.x.v = random.vector(), w = bent.x.w = random.vector();
    const double h = 1e-5;
    auto ahead = z, behind = z;
    for (int k = 0; k < 3; ++k) ahead[k] += h * zd[k], behind[k] -= h * zd[k];
    const auto now = cloud.displacement(z), after = cloud.displacement(ahead), before = cloud.displacement(behind);
    double energy = 0;
    Vec3d first;
    for (std::size_t p = 0; p < now.size(); ++p) {
      const Vec3d u = v + cross(w, now[p]) + 1 / (2 * h) * (after[p] - before[p]);
      energy += 0.5 * cloud.particles.mass[p] * dot(u, u);
      first += cloud.particles.mass[p] * now[p];
    }
    CHECK(modal_kinetic_energy(bent.node, bent.x) == doctest::Approx(energy).epsilon(1e-8));
    CHECK(norm(modal_first_moment(bent.node, bent.x) - first) < 1e-12 * norm(first) + 1e-12);
  }
}

// Terms of second order in z are those of (21.6), given as such to another body; what differs is of third order in the inertia, and of second in the momentum. The
// second-order terms themselves are 1e-8 and 1e-4 here.
TEST_CASE("Stress that stiffens as a displacement: of second order all is as without, in thin bodies too") {
  for (const double thin : {1.0, 1e-3}) {
    CAPTURE(thin);
    const Cloud cloud(3, thin);
    const double small = 1e-4, third = 100 * small * small * small, second = 100 * small * small;
    const std::array<double, 3> z{small, -0.6 * small, 0.3 * small}, zd{0.3, -0.2, 0.5};
    const Bent a(cloud.body, true, z, zd), b(cloud.body, false, z, zd);
    REQUIRE(completed(*a.node.moments));
    CHECK((completed(*a.node.moments)->followers == 12) == (thin == 1.0));
    REQUIRE(!completed(*b.node.moments));
    CHECK(norm(modal_first_moment(a.node, a.x) - modal_first_moment(b.node, b.x)) < 1e-14);
    for (int i = 0; i < 3; ++i) CHECK(norm(a.state().I[i] - b.state().I[i]) < third);
    CHECK(norm(a.state().h - b.state().h) < second);
    for (std::size_t k = 0; k < 3; ++k) CHECK(norm(a.state().ek[k] - b.state().ek[k]) < second);
  }
}

// What the sum of squares is for: the mass matrix of modes and rotation stays positive far beyond where terms of second order alone leave nothing of it. Its entries are differences of
// kinetic energies, whether it is positive is found by Cholesky's decomposition.
TEST_CASE("Stress that stiffens as a displacement: the inertia stays positive, however far the body bends") {
  Random random(5);
  int lost = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    const Cloud cloud(seed, 1, 0.1);
    const std::array<double, 3> z{5 * random(), 5 * random(), 5 * random()};
    const auto is_positive = [&](bool completes) {
      Bent bent(cloud.body, completes, z, {});
      const auto energy = [&](int i, int j) {  // of unit rates i and j together
        std::array<double, 6> rate{};
        rate[static_cast<std::size_t>(i)] = 1, rate[static_cast<std::size_t>(j)] += 1;
        modal_velocity(bent.node, std::span(rate).first(3), bent.x);
        bent.x.w = {rate[3], rate[4], rate[5]};
        return modal_kinetic_energy(bent.node, bent.x);
      };
      std::array<std::array<double, 6>, 6> L{};
      for (int i = 0; i < 6; ++i) {
        for (int j = 0; j <= i; ++j) {
          double sum = i == j ? energy(i, i) / 2
                              : energy(i, j) - (energy(i, i) + energy(j, j)) /
                                                   4;  // M_ii, M_ij from T(2 e_i) = 2 M_ii, T(e_i + e_j)
          for (int k = 0; k < j; ++k)
            sum -= L[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)] *
                   L[static_cast<std::size_t>(j)][static_cast<std::size_t>(k)];
          if (i == j && !(sum > 0)) return false;
          L[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] =
              i == j ? std::sqrt(sum) : sum / L[static_cast<std::size_t>(j)][static_cast<std::size_t>(j)];
        }
      }
      return true;
    };
    CHECK(is_positive(true));
    lost += !is_positive(false);
  }
  CHECK(lost > 10);
}
