// Solids: what linear displacements make of them, in all six kinds and distorted.
#include "skyhook/flexible/solid_element.h"

#include <doctest/doctest.h>

#include <random>

using namespace skyhook;
using namespace skyhook::flexible;

namespace {

// Corners of the cube, wedge or tetrahedron, moved a little each; nodes on edges in their middle, so that edges stay straight.
struct Solid {
  std::vector<FeNode> nodes;
  SolidSpan span;
};

Solid solid(std::size_t count) {
  using Points = std::vector<Vec3d>;
  const bool is_tetrahedron = count == 4 || count == 10, is_wedge = count == 6 || count == 15;
  Points at = is_tetrahedron ? Points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
              : is_wedge
                  ? Points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}}
                  : Points{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  std::mt19937 engine(7);
  std::uniform_real_distribution<double> any(-0.1, 0.1);
  for (Vec3d& x : at) x += Vec3d{any(engine), any(engine), any(engine)};
  const std::vector<std::array<std::size_t, 2>> edges =
      is_tetrahedron ? std::vector<std::array<std::size_t, 2>>{{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}}
      : is_wedge     ? std::vector<std::array<std::size_t, 2>>{{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5},
                                                               {5, 3}, {0, 3}, {1, 4}, {2, 5}}
                     : std::vector<std::array<std::size_t, 2>>{{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},
                                                               {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
  if (count > 8) {
    for (const auto& [a, b] : edges) at.push_back(0.5 * (at[a] + at[b]));
  }
  REQUIRE(at.size() == count);
  Solid out;
  out.span.material = {2e11, 8e10, 7850};
  for (std::size_t n = 0; n < count; ++n)
    out.span.nodes.push_back(static_cast<int>(n)), out.nodes.push_back({"", at[n], {}, {}});
  return out;
}

Dense field(const Solid& s, const Eigen::Matrix3d& gradient) {
  Dense moved(s.nodes.size(), 3);
  for (Eigen::Index n = 0; n < moved.rows(); ++n) {
    const Vec3d& x = s.nodes[static_cast<std::size_t>(n)].at;
    moved.row(n) = (gradient * Eigen::Vector3d(x.x, x.y, x.z)).transpose();
  }
  return moved;
}

}  // namespace

// Elements with straight edges represent linear displacements exactly: the gradient everywhere, and so the stress, and the energy of another linear displacement v,
// v,i sigma_ij v,j V / 2 for each of its components.
TEST_CASE("Solids: linear displacements, in all kinds of elements") {
  Eigen::Matrix3d gradient, other;
  gradient << 1e-3, 2e-4, -3e-4, 1e-4, -5e-4, 2e-4, 7e-4, -1e-4, 4e-4;
  other << 0.3, -0.2, 0.5, 0.1, 0.7, -0.4, -0.6, 0.2, 0.8;
  for (const std::size_t count : {4, 10, 6, 15, 8, 20}) {
    CAPTURE(count);
    const Solid s = solid(count);
    double jacobian = 0;
    const Dense d = solid_shape_gradients(s.span, s.nodes, {0.1, 0.2, 0.15}, jacobian);
    CHECK((field(s, gradient).transpose() * d - gradient).cwiseAbs().maxCoeff() < 1e-15);
    CHECK(d.colwise().sum().cwiseAbs().maxCoeff() < 1e-13);  // as a whole: no strain
    const Eigen::Matrix3d strain = 0.5 * (gradient + gradient.transpose());
    const double poisson = 0.25, lame = 2 * 8e10 * poisson / (1 - 2 * poisson);
    const Eigen::Matrix3d sigma = lame * strain.trace() * Eigen::Matrix3d::Identity() + 2 * 8e10 * strain;
    const Dense K = solid_stress_stiffness(s.span, s.nodes, field(s, gradient)), v = field(s, other);
    const double energy = (v.transpose() * K * v).trace(),
                 expected = (other * sigma * other.transpose()).trace() * solid_volume(s.span, s.nodes);
    CHECK(energy == doctest::Approx(expected).epsilon(1e-12));
    CHECK((K - K.transpose()).cwiseAbs().maxCoeff() < 1e-12 * K.cwiseAbs().maxCoeff());
  }
}

TEST_CASE("Solids: volumes") {
  // Of the tetrahedron by its corners; of a wedge and a cube with straight edges by those with nodes on the edges, which have the same shape.
  const Solid t = solid(4);
  const auto edge = [&](std::size_t n) { return t.nodes[n].at - t.nodes[0].at; };
  CHECK(solid_volume(t.span, t.nodes) == doctest::Approx(dot(cross(edge(1), edge(2)), edge(3)) / 6).epsilon(1e-14));
  for (const auto& [few, many] : {std::array<std::size_t, 2>{4, 10}, {6, 15}, {8, 20}}) {
    const Solid a = solid(few), b = solid(many);
    CHECK(solid_volume(b.span, b.nodes) == doctest::Approx(solid_volume(a.span, a.nodes)).epsilon(1e-12));
  }
}
