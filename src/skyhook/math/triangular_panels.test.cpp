#include "skyhook/math/triangular_panels.h"

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <random>

using namespace skyhook;

namespace {

using Turns = TriangularPanels::Turns;

// A triangular matrix with entries at random, and what TriangularPanels is told of it.
struct Triangle {
  Triangle(int n, double density, Turns turns, std::mt19937& random) : matrix(Eigen::MatrixXd::Identity(n, n)) {
    std::normal_distribution<double> normal;
    std::bernoulli_distribution is_entry(density);
    begin.push_back(0);
    for (int j = 0; j < n; ++j) {
      const int first = turns == Turns::rising ? j + 1 : 0, last = turns == Turns::rising ? n : j;
      for (int i = first; i < last; ++i) {
        if (is_entry(random)) rows.push_back(i), values.push_back(matrix(i, j) = normal(random) / n);
      }
      begin.push_back(static_cast<int>(rows.size()));
    }
  }
  std::vector<double> placed(const TriangularPanels& panels) const {
    std::vector<double> out(panels.size());
    for (std::size_t e = 0; e < rows.size(); ++e) out[panels.places()[e]] = values[e];
    return out;
  }
  Eigen::MatrixXd matrix;
  std::vector<int> begin, rows;
  std::vector<double> values;
};

Eigen::VectorXd random_vector(int n, std::mt19937& random) {
  std::normal_distribution<double> normal;
  return Eigen::VectorXd::NullaryExpr(n, [&] { return normal(random); });
}

}  // namespace

// The reference is the product: entries are small beside the diagonal, so that the condition is a few units and rounding alone is left.
TEST_CASE("TriangularPanels solve with L and U of all sizes and densities, and leave what is behind x alone") {
  std::mt19937 random(5);
  TriangularPanels panels;  // one for all: nothing of a matrix before is left
  for (const int n : {1, 2, 3, 4, 5, 9, 40, 150}) {
    for (const double density : {0.0, 0.05, 0.3, 1.0}) {
      CAPTURE(n);
      CAPTURE(density);
      const auto count = static_cast<std::size_t>(n);
      const Eigen::VectorXd b = random_vector(n, random);
      std::vector<double> x(count + TriangularPanels::lanes, 7.0);

      const Triangle lower(n, density, Turns::rising, random);
      panels.make(Turns::rising, lower.begin, lower.rows);
      std::copy_n(b.data(), n, x.data());
      panels.solve(lower.placed(panels).data(), x.data());
      CHECK((lower.matrix * Eigen::Map<Eigen::VectorXd>(x.data(), n) - b).norm() < 1e-14 * b.norm());

      Triangle upper(n, density, Turns::falling, random);
      const Eigen::VectorXd inverse = random_vector(n, random).array().abs() + 0.5;
      upper.matrix.diagonal() = inverse.cwiseInverse();
      panels.make(Turns::falling, upper.begin, upper.rows);
      std::copy_n(b.data(), n, x.data());
      panels.solve(upper.placed(panels).data(), inverse.data(), x.data());
      CHECK((upper.matrix * Eigen::Map<Eigen::VectorXd>(x.data(), n) - b).norm() < 1e-14 * b.norm());
      for (std::size_t k = count; k < x.size(); ++k) CHECK(x[k] == 7.0);
    }
  }
}

// A full triangle of eight columns is two panels: two triangles of six, and one four of four columns between them. 86 columns are 22 panels, of which the
// first has the twenty fours of its two columns with entries: a row that one column of a panel has is there for all of them.
TEST_CASE("TriangularPanels put fours of columns side by side") {
  std::mt19937 random(5);
  TriangularPanels panels;
  for (const Turns turns : {Turns::rising, Turns::falling}) {
    const Triangle full(8, 1.0, turns, random);
    panels.make(turns, full.begin, full.rows);
    CHECK(panels.size() == 6 + 16 + 6);
  }
  std::vector<int> begin{0}, rows;
  for (int j = 0; j < 86; ++j) {
    for (int four = 0; four < 10 && j < 2; ++four) rows.push_back(4 + 40 * j + 4 * four);
    begin.push_back(static_cast<int>(rows.size()));
  }
  panels.make(Turns::rising, begin, rows);
  CHECK(panels.size() == 2 * 10 * 16 + 22 * 6);
}
