#include "skyhook/math/klu.h"

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <limits>
#include <random>

using namespace skyhook;

namespace {

std::shared_ptr<const Pattern> share(const PatternBuilder& builder) {
  return std::make_shared<const Pattern>(builder.build());
}

std::shared_ptr<const Pattern> full(int n) {
  PatternBuilder builder(n, n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) builder.add(i, j);
  return share(builder);
}

// A full diagonal and about four further entries a column.
std::shared_ptr<const Pattern> random_pattern(int n, std::mt19937& random) {
  PatternBuilder builder(n, n);
  std::uniform_int_distribution<int> any(0, n - 1);
  for (int j = 0; j < n; ++j) {
    builder.add(j, j);
    for (int k = 0; k < 4; ++k) builder.add(any(random), j);
  }
  return share(builder);
}

Eigen::MatrixXd dense(const Csc& a) {
  Eigen::MatrixXd m = Eigen::MatrixXd::Zero(a.pattern->rows, a.pattern->cols);
  for (int j = 0; j < a.pattern->cols; ++j)
    for (int k = a.pattern->start[j]; k < a.pattern->start[j + 1]; ++k) m(a.pattern->row[k], j) = a.value[k];
  return m;
}

void fill(Csc& a, std::mt19937& random) {
  std::normal_distribution<double> normal;
  for (double& v : a.value) v = normal(random);
  for (int j = 0; j < a.pattern->cols; ++j) a.value[a.pattern->find(j, j)] += 3;  // keeps the condition moderate
}

// Relative distance of KLU's solution from Eigen's full-pivoting one for a random right-hand side.
double distance(Klu& klu, const Csc& a, std::mt19937& random) {
  std::normal_distribution<double> normal;
  Eigen::VectorXd b(a.pattern->cols);
  for (double& v : b) v = normal(random);
  const Eigen::VectorXd exact = dense(a).fullPivLu().solve(b);
  klu.solve_refined(std::span<double>(b.data(), b.size()));
  return (b - exact).norm() / exact.norm();
}

}  // namespace

TEST_CASE("Klu agrees with a dense solve, first and on changed values, without choosing pivots again") {
  std::mt19937 random(1);
  for (int n : {1, 2, 5, 20, 60}) {
    Csc a(random_pattern(n, random));
    Klu klu(a.pattern);
    fill(a, random);
    REQUIRE(klu.factor(a.value));
    CHECK(distance(klu, a, random) < 1e-10);  // condition of such matrices stays below 1e4
    const std::vector<double> first = a.value;
    for (double scale : {0.9, 1.1, 2.0}) {
      for (std::size_t k = 0; k < first.size(); ++k) a.value[k] = first[k] * scale * (1 + 0.01 * std::sin(double(k)));
      REQUIRE(klu.factor(a.value));
      CHECK(distance(klu, a, random) < 1e-10);
    }
    CHECK(klu.pivotings() == 1);
    CHECK(klu.singular_column() == -1);
  }
}

TEST_CASE("Klu chooses pivots again when the kept ones become tiny") {
  Csc a(full(2));
  Klu klu(a.pattern);
  a.value = {1, 0.5, 0.5, 1};  // pivots on the diagonal
  REQUIRE(klu.factor(a.value));
  a.value = {1e-14, 1, 1, 1};  // with these pivots all digits of the second row would be lost
  REQUIRE(klu.factor(a.value));
  CHECK(klu.pivotings() == 2);
  std::vector<double> b{1, 2};
  klu.solve(b);
  CHECK(b[0] == doctest::Approx(1.0).epsilon(1e-12));  // exact: x = (1, 1) up to 1e-14
  CHECK(b[1] == doctest::Approx(1.0).epsilon(1e-12));
}

TEST_CASE("Klu survives a kept pivot that becomes exactly zero") {
  Csc a(full(2));
  Klu klu(a.pattern);
  a.value = {1, 0.5, 0.5, 1};
  REQUIRE(klu.factor(a.value));
  a.value = {0, 1, 1, 0};
  REQUIRE(klu.factor(a.value));
  std::vector<double> b{3, 4};
  klu.solve(b);
  CHECK(b == std::vector<double>{4, 3});
}

TEST_CASE("Klu names a singular column and recovers afterwards") {
  std::mt19937 random(2);
  Csc a(full(3));
  Klu klu(a.pattern);
  a.value = {1, 2, 4, 0, 0, 0, 2, 1, 8};  // column 1 is zero
  CHECK_FALSE(klu.factor(a.value));
  CHECK(klu.singular_column() == 1);
  CHECK(klu.rcond() == 0.0);
  a.value = {4, 2, 1, 1, 3, 1, 0, 1, 2};
  REQUIRE(klu.factor(a.value));
  CHECK(klu.singular_column() == -1);
  CHECK(distance(klu, a, random) < 1e-14);
  a.value = {4, 2, 1, 4, 2, 1, 0, 1, 2};  // columns 0 and 1 are equal: either is a right answer, 2 is not
  CHECK_FALSE(klu.factor(a.value));
  CHECK(klu.singular_column() < 2);
}

TEST_CASE("Klu names an empty column of the pattern") {
  PatternBuilder builder(3, 3);
  for (int i : {0, 1}) builder.add(i, 0);
  for (int i : {1, 2}) builder.add(i, 2);
  const auto pattern = share(builder);
  Klu klu(pattern);
  CHECK_FALSE(klu.factor(std::vector<double>{1, 1, 1, 1}));
  CHECK(klu.singular_column() == 1);
}

TEST_CASE("Klu names the column of a value that is not finite") {
  Csc a(full(3));
  Klu klu(a.pattern);
  a.value = {4, 2, 1, 1, 3, 1, 0, std::numeric_limits<double>::quiet_NaN(), 2};
  CHECK_FALSE(klu.factor(a.value));
  CHECK(klu.singular_column() == 2);
}

TEST_CASE("Klu handles sizes 0 and 1, and moves") {
  Klu empty(full(0));
  CHECK(empty.factor({}));
  empty.solve({});
  CHECK(empty.rcond() == 1.0);

  Klu one(full(1));
  REQUIRE(one.factor(std::vector<double>{4.0}));
  Klu moved = std::move(one);
  std::vector<double> b{2.0};
  moved.solve_refined(b);
  CHECK(b[0] == 0.5);
  CHECK_FALSE(moved.factor(std::vector<double>{0.0}));
  CHECK(moved.singular_column() == 0);
}

TEST_CASE("Klu's row scaling makes rcond independent of units") {
  Csc a(full(2));
  Klu klu(a.pattern);
  a.value = {2e9, 1e-6, 1e9, 3e-6};  // rows in N/m and rad: [2 1; 1 3] after scaling of rows
  REQUIRE(klu.factor(a.value));
  CHECK(klu.rcond() > 0.1);
}

// The pivots belong to other values than those factored last: a factorisation from scratch would choose others and round otherwise.
TEST_CASE("A copy of Klu gives the same bits as the original, now and after other values") {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> any(-1, 1);
  Csc a(full(30));
  Klu klu(a.pattern);
  const auto set_diagonal = [&](double value) {
    for (std::size_t i = 0; i < 30; ++i) a.value[31 * i] = value;
  };
  for (double& v : a.value) v = any(random);
  set_diagonal(1e-6);  // pivots off the diagonal
  REQUIRE(klu.factor(a.value));
  set_diagonal(0.3);  // on which they would be now
  REQUIRE(klu.factor(a.value));
  REQUIRE(klu.pivotings() == 1);
  Klu copy = klu;
  CHECK(copy.rcond() == klu.rcond());
  for (int repeat = 0; repeat < 2; ++repeat) {
    std::vector<double> b(30, 1.0), c = b;
    klu.solve(b), copy.solve(c);
    CHECK(b == c);
    for (double& v : a.value) v *= 1 + 0.1 * any(random);
    REQUIRE(klu.factor(a.value));
    REQUIRE(copy.factor(a.value));
  }
  Klu fresh(a.pattern);
  REQUIRE(fresh.factor(a.value));
  std::vector<double> b(30, 1.0), c = b;
  klu.solve(b), fresh.solve(c);
  CHECK(b != c);  // so that the test can fail
  const Klu unused(full(4)), of_unused = unused;
  CHECK(of_unused.pivotings() == 0);
}

// Exact: x = 1 everywhere. A tridiagonal matrix hardly fills in, whatever blocks its pattern is made of.
TEST_CASE("Klu factors of many unknowns only what is not zero, and takes up what comes to life") {
  const int n = 1200, block = 6;
  PatternBuilder builder(n, n);
  for (int j = 0; j < n; ++j) {
    for (int i = std::max(0, j / block * block - block); i < std::min(n, (j / block + 2) * block); ++i)
      builder.add(i, j);
  }
  Csc a(share(builder));
  for (int j = 0; j < n; ++j) {
    a.value[a.pattern->find(j, j)] = 4;
    if (j > 0) a.value[a.pattern->find(j - 1, j)] = a.value[a.pattern->find(j, j - 1)] = -1;
  }
  Klu klu(a.pattern);
  const auto solves = [&](Klu& lu) {
    std::vector<double> b(n, 0.0);
    multiply_add(a, std::vector<double>(n, 1.0), 1.0, b);
    lu.solve(b);
    for (double& x : b) x -= 1;
    return std::ranges::all_of(b, [](double e) { return std::abs(e) < 1e-14; });  // condition 3
  };
  REQUIRE(klu.factor(a.value));
  CHECK(solves(klu));
  CHECK(klu.work().entries <= 4 * n);
  a.value[a.pattern->find(3, 8)] = 1;
  REQUIRE(klu.factor(a.value));
  CHECK(solves(klu));
  CHECK(klu.pivotings() == 2);
  Klu copy = klu;
  a.value[a.pattern->find(0, 0)] = 5;
  REQUIRE(klu.factor(a.value));
  REQUIRE(copy.factor(a.value));
  CHECK(klu.pivotings() == 2);
  std::vector<double> b(n, 1.0), c = b;
  klu.solve(b), copy.solve(c);
  CHECK(b == c);
}

// A tridiagonal matrix fills in nowhere; KLU counts the diagonal in L and in U.
TEST_CASE("The forecast of fill is a count for many unknowns too") {
  for (const int n : {10, 3000}) {
    PatternBuilder builder(n, n);
    for (int j = 0; j < n; ++j) {
      builder.add(j, j);
      if (j > 0) builder.add(j, j - 1), builder.add(j - 1, j);
    }
    CHECK(estimated_fill(builder.build()) == 2 * n + 2 * (n - 1));
  }
}
