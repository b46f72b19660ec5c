#include "skyhook/math/fixed_lu.h"

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <limits>
#include <optional>
#include <random>

#include "skyhook/math/klu.h"

using namespace skyhook;

namespace {

std::shared_ptr<const Pattern> full(int n) {
  PatternBuilder builder(n, n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) builder.add(i, j);
  return std::make_shared<const Pattern>(builder.build());
}

// A full transversal that is not the diagonal, and `others` further entries a column.
std::shared_ptr<const Pattern> scattered(int n, int others, std::mt19937& random) {
  PatternBuilder builder(n, n);
  std::uniform_int_distribution<int> any(0, n - 1);
  for (int j = 0; j < n; ++j) {
    builder.add((j + n / 2) % n, j);
    for (int k = 0; k < others; ++k) builder.add(any(random), j);
  }
  return std::make_shared<const Pattern>(builder.build());
}

double normal(std::mt19937& random) { return std::normal_distribution<double>()(random); }

std::vector<double> random_values(const Pattern& p, std::mt19937& random) {
  std::vector<double> values(p.row.size());
  for (double& v : values) v = normal(random);
  for (int j = 0; j < p.cols; ++j) values[p.find((j + p.cols / 2) % p.cols, j)] += 4.0;  // keeps the condition moderate
  return values;
}

using Matrix = Eigen::MatrixXd;
Matrix dense(const Pattern& p, const std::vector<double>& values) {
  Matrix m = Matrix::Zero(p.rows, p.cols);
  for (int j = 0; j < p.cols; ++j)
    for (int k = p.start[j]; k < p.start[j + 1]; ++k) m(p.row[k], j) = values[k];
  return m;
}

// |A x - b| / (|A| |x|) of a random right-hand side: what a backward stable method leaves is a small multiple of epsilon, whatever the condition.
double backward_error(FixedLu& lu, const Pattern& p, const std::vector<double>& values, std::mt19937& random) {
  Eigen::VectorXd b(p.cols);
  for (auto& v : b) v = normal(random);
  auto x = b;
  lu.solve({x.data(), static_cast<std::size_t>(x.size())});
  const Matrix a = dense(p, values);
  return (a * x - b).norm() / (a.norm() * x.norm());
}

}  // namespace

TEST_CASE("FixedLu solves sparse and full matrices of all sizes, first and on changed values, on one list") {
  std::mt19937 random(1);
  for (const int n : {1, 2, 3, 5, 20, 60, 150}) {
    for (const int others : {1, 4, n}) {
      CAPTURE(n);
      CAPTURE(others);
      const auto pattern = scattered(n, others, random);
      FixedLu lu(pattern);
      const auto first = random_values(*pattern, random);
      REQUIRE(lu.factor(first));
      CHECK(backward_error(lu, *pattern, first, random) < 1e-13);
      for (const double scale : {0.9, 1.1, 1e6}) {
        auto values = first;
        for (std::size_t k = 0; k < first.size(); ++k) values[k] *= scale * (1 + 0.01 * std::sin(double(k)));
        REQUIRE(lu.factor(values));
        CHECK(backward_error(lu, *pattern, values, random) < 1e-13);
      }
      CHECK(lu.pivotings() == 1);
      CHECK(lu.singular_column() == -1);
    }
  }
}

TEST_CASE("FixedLu and KLU give the same solution") {
  std::mt19937 random(2);
  for (const int n : {4, 30, 80}) {
    const auto pattern = scattered(n, 3, random);
    FixedLu lu(pattern);
    Klu klu(pattern);
    for (int repeat = 0; repeat < 5; ++repeat) {
      const auto values = random_values(*pattern, random);
      REQUIRE(lu.factor(values));
      REQUIRE(klu.factor(values));
      std::vector<double> b(n), c;
      for (double& v : b) v = normal(random);
      c = b;
      lu.solve(b), klu.solve_refined(c);
      const Eigen::Map<Eigen::VectorXd> ours(b.data(), n), theirs(c.data(), n);
      const double condition = 1 / dense(*pattern, values).fullPivLu().rcond();
      CHECK((ours - theirs).norm() < 1e-14 * condition * theirs.norm());
    }
  }
}

// Columns of very different size: the scale makes them alike for the choice of pivots, and goes out of the solution again.
TEST_CASE("FixedLu solves with the unscaled matrix where it is given a scale of columns") {
  std::mt19937 random(5);
  const auto pattern = scattered(20, 3, random);
  auto values = random_values(*pattern, random);
  std::vector<double> scale(20);
  for (int j = 0; j < 20; ++j) {
    scale[j] = std::pow(10.0, j % 7 - 3);
    for (int k = pattern->start[j]; k < pattern->start[j + 1]; ++k) values[k] /= scale[j];
  }
  FixedLu lu(pattern);
  const Matrix a = dense(*pattern, values);
  for (int repeat = 0; repeat < 2; ++repeat) {
    REQUIRE(lu.factor(values, scale));
    Eigen::VectorXd x(20), b;
    for (auto& v : x) v = normal(random);
    b = x;
    lu.solve({x.data(), 20});
    CHECK((a * x - b).norm() < 1e-12 * b.norm());
  }
}

// Eliminating the columns of an arrow in the order they stand in fills the whole matrix; from the thin end nothing fills.
TEST_CASE("FixedLu eliminates an arrow from its thin end") {
  constexpr int n = 40;
  PatternBuilder builder(n, n);
  for (int i = 0; i < n; ++i) builder.add(i, i), builder.add(0, i), builder.add(i, 0);
  const auto pattern = std::make_shared<const Pattern>(builder.build());
  std::vector<double> values(pattern->row.size(), 1.0);
  for (int i = 0; i < n; ++i) values[pattern->find(i, i)] = 3.0 + i;
  values[0] = 100;
  FixedLu lu(pattern);
  CHECK(lu.operations() == 0);
  REQUIRE(lu.factor(values));
  CHECK(lu.operations() == 2 * (n - 1));  // a multiplier and its product with one entry for each
}

TEST_CASE("FixedLu chooses pivots again when the kept ones become tiny or zero") {
  for (const double small : {1e-14, 0.0}) {
    FixedLu lu(full(2));
    REQUIRE(lu.factor(std::vector<double>{1, 0.5, 0.5, 1}));
    REQUIRE(lu.factor(std::vector<double>{small, 1, 1, small}));
    CHECK(lu.pivotings() == 2);
    std::vector<double> b{3, 4};
    lu.solve(b);
    CHECK(b[0] == doctest::Approx(4.0).epsilon(1e-12));
    CHECK(b[1] == doctest::Approx(3.0).epsilon(1e-12));
  }
}

// No factorisation is much worse than the one before; growth is 1/small, and 1e4 of it is tolerated.
TEST_CASE("FixedLu chooses pivots again when the kept ones fall little by little") {
  std::mt19937 random(2);
  const auto pattern = full(2);
  FixedLu lu(pattern);
  for (double small = 1; small > 1e-15; small /= 2) {
    const std::vector<double> values{small, 1, 0.5, small};
    REQUIRE(lu.factor(values));
    CHECK(backward_error(lu, *pattern, values, random) < 1e-11);
  }
  CHECK(lu.pivotings() == 2);
}

// The bad pivot stands in the middle: the one that is kept makes others grow, and only growth shows it.
TEST_CASE("FixedLu keeps its accuracy while all entries wander, and says how often it chose pivots") {
  std::mt19937 random(4);
  const auto pattern = scattered(25, 3, random);
  FixedLu lu(pattern);
  auto values = random_values(*pattern, random);
  double worst = 0;
  for (int repeat = 0; repeat < 400; ++repeat) {
    for (double& v : values) v += 0.3 * normal(random);
    REQUIRE(lu.factor(values));
    worst = std::max(worst, backward_error(lu, *pattern, values, random));
  }
  CHECK(worst < 1e-11);  // growth of 1e4, which is tolerated, times epsilon
  CHECK(lu.pivotings() > 1);
  CHECK(lu.pivotings() < 200);
}

// Memory of the list before is used again: nothing of it may be left. A copy that goes on with that list must not see the new one.
TEST_CASE("FixedLu with pivots chosen anew gives the bits of one that has never had others") {
  std::mt19937 random(6);
  const auto pattern = scattered(40, 3, random);
  FixedLu lu(pattern);
  std::vector<double> values = random_values(*pattern, random);
  long compared = 0;
  REQUIRE(lu.factor(values));
  for (int repeat = 0; repeat < 100; ++repeat) {
    const long pivotings = lu.pivotings();
    std::optional<FixedLu> copy;
    if (repeat % 2 == 0) copy = lu;
    const std::vector<double> old = values;
    for (std::size_t k = 0; k < values.size(); ++k)
      values[k] = normal(random) * (k % 3 == static_cast<std::size_t>(repeat) % 3 ? 1.0 : 1e-4);
    REQUIRE(lu.factor(values));
    if (lu.pivotings() == pivotings) continue;
    FixedLu fresh(pattern);
    REQUIRE(fresh.factor(values));
    std::vector<double> b(40, 1.0), c = b;
    lu.solve(b), fresh.solve(c);
    CHECK(b == c);
    ++compared;
    if (!copy) continue;
    CHECK(backward_error(*copy, *pattern, old, random) < 1e-11);
    CHECK(copy->pivotings() == pivotings);
  }
  CHECK(compared > 10);
}

TEST_CASE("FixedLu names a singular column and recovers afterwards") {
  std::mt19937 random(2);
  const auto pattern = full(3);
  FixedLu lu(pattern);
  CHECK_FALSE(lu.factor(std::vector<double>{1, 2, 4, 0, 0, 0, 2, 1, 8}));  // column 1 is zero
  CHECK(lu.singular_column() == 1);
  const std::vector<double> regular{4, 2, 1, 1, 3, 1, 0, 1, 2};
  REQUIRE(lu.factor(regular));
  CHECK(lu.singular_column() == -1);
  CHECK(backward_error(lu, *pattern, regular, random) < 1e-15);
  CHECK_FALSE(lu.factor(std::vector<double>{4, 2, 1, 4, 2, 1, 0, 1, 2}));  // columns 0 and 1 are equal
  CHECK(lu.singular_column() >= 0);
  CHECK(lu.singular_column() < 2);
}

TEST_CASE("FixedLu names an empty column of the pattern") {
  PatternBuilder builder(3, 3);
  for (int i : {0, 1}) builder.add(i, 0);
  for (int i : {1, 2}) builder.add(i, 2);
  FixedLu lu(std::make_shared<const Pattern>(builder.build()));
  CHECK_FALSE(lu.factor(std::vector<double>{1, 1, 1, 1}));
  CHECK(lu.singular_column() == 1);
}

TEST_CASE("FixedLu names the column of a value that is not finite, wherever it stands") {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    for (int at = 0; at < 9; ++at) {
      FixedLu lu(full(3));
      std::vector<double> values{4, 2, 1, 1, 3, 1, 0, 1, 2};
      REQUIRE(lu.factor(values));
      values[at] = bad;
      CHECK_FALSE(lu.factor(values));
      CHECK(lu.singular_column() == at / 3);
    }
  }
}

TEST_CASE("FixedLu handles a matrix of size 0") {
  FixedLu empty(full(0));
  CHECK(empty.factor({}));
  empty.solve({});
}

// The pivots belong to other values than those factored last: a factorisation from scratch would choose others and round otherwise.
TEST_CASE("A copy of FixedLu gives the same bits as the original, now and after other values") {
  std::mt19937 random(3);
  const auto pattern = full(30);
  FixedLu lu(pattern);
  auto values = random_values(*pattern, random);
  REQUIRE(lu.factor(values));
  for (double& v : values) v *= 1 + 0.3 * normal(random);
  REQUIRE(lu.factor(values));
  REQUIRE(lu.pivotings() == 1);
  FixedLu copy = lu;
  for (int repeat = 0; repeat < 2; ++repeat) {
    std::vector<double> b(30, 1.0), c = b;
    lu.solve(b), copy.solve(c);
    CHECK(b == c);
    for (double& v : values) v *= 1 + 0.1 * normal(random);
    REQUIRE(lu.factor(values));
    REQUIRE(copy.factor(values));
  }
  FixedLu fresh(pattern);
  REQUIRE(fresh.factor(values));
  std::vector<double> b(30, 1.0), c = b;
  lu.solve(b), fresh.solve(c);
  CHECK(b != c);  // so that the test can fail
}
