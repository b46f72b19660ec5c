// References: all 2^n complementary bases by enumeration; solutions by hand.
#include "skyhook/math/lcp.h"

#include <doctest/doctest.h>

#include <cmath>
#include <optional>
#include <random>

using namespace skyhook;

namespace {

struct Draw {
  std::mt19937 engine;
  double operator()() { return std::uniform_real_distribution<>(-1, 1)(engine); }
  DenseMatrix matrix(int rows, int cols) {
    DenseMatrix a(rows, cols);
    for (double& x : a.value) x = (*this)();
    return a;
  }
  Vector vector(int n) {
    Vector x(static_cast<std::size_t>(n));
    for (double& e : x) e = (*this)();
    return x;
  }
};

DenseMatrix square_of(const DenseMatrix& b) {  // b^T b
  DenseMatrix out(b.cols, b.cols);
  for (int i = 0; i < b.cols; ++i) {
    for (int j = 0; j < b.cols; ++j) {
      for (int k = 0; k < b.rows; ++k) out(i, j) += b(k, i) * b(k, j);
    }
  }
  return out;
}

// z of the first complementary basis whose solution is not negative.
std::optional<Vector> enumerate(const DenseMatrix& M, const Vector& q) {
  const int n = M.rows;
  for (int set = 0; set < 1 << n; ++set) {
    std::vector<int> in;
    Vector right, z(q.size(), 0.0);
    for (int i = 0; i < n; ++i) {
      if (set >> i & 1) in.push_back(i), right.push_back(-q[static_cast<std::size_t>(i)]);
    }
    if (!in.empty()) {
      const Vector part = LeastNorm(M.select(in, in), 1e-12).solve(right);
      for (std::size_t k = 0; k < in.size(); ++k) z[static_cast<std::size_t>(in[k])] = part[k];
    }
    Vector w = M * z;
    bool good = true;
    for (std::size_t i = 0; i < q.size(); ++i) {
      w[i] += q[i];
      const bool is_basic = set >> i & 1;
      good = good && z[i] >= -1e-11 && w[i] >= -1e-11 && (!is_basic || std::abs(w[i]) < 1e-10);
    }
    if (good) return z;
  }
  return {};
}

void check_solution(const DenseMatrix& M, const Vector& q, const Complementarity& s) {
  const Vector Mz = M * s.z;
  for (std::size_t i = 0; i < q.size(); ++i) {
    CHECK(s.z[i] >= 0);
    CHECK(s.w[i] >= 0);
    CHECK(s.w[i] * s.z[i] == 0);
    CHECK(std::abs(Mz[i] + q[i] - s.w[i]) < 1e-11 * (1 + largest(s.z)));
  }
}

}  // namespace

TEST_CASE("Lemke finds the one solution of positive definite and of P-matrices") {
  Draw draw{std::mt19937(1)};
  for (int k = 0; k < 300; ++k) {
    const int n = 1 + k % 6;
    DenseMatrix M = square_of(draw.matrix(n + 1, n));
    const DenseMatrix skew = draw.matrix(n, n);  // M + skew part stays a P-matrix, no longer symmetric
    for (int i = 0; i < n; ++i) {
      M(i, i) += 0.05;
      for (int j = 0; j < n && k % 2; ++j) M(i, j) += skew(i, j) - skew(j, i);
    }
    const Vector q = draw.vector(n);
    const auto reference = enumerate(M, q);
    REQUIRE(reference);
    const Complementarity s = solve_complementarity(M, q);
    CAPTURE(k);
    REQUIRE(s.ok);
    check_solution(M, q, s);
    for (int i = 0; i < n; ++i)
      CHECK(std::abs(s.z[static_cast<std::size_t>(i)] - (*reference)[static_cast<std::size_t>(i)]) <
            1e-9 * (1 + largest(s.z)));
  }
}

// q = B^T c: the conditions of min |B z + c|^2 over z >= 0, which has a minimum, unique in B z and thus in w.
TEST_CASE("Lemke solves semidefinite problems: more contacts than motions") {
  Draw draw{std::mt19937(2)};
  for (int k = 0; k < 1000; ++k) {
    const int n = 2 + k % 5, rank = 1 + k % (n - 1);
    const DenseMatrix B = draw.matrix(rank, n), M = square_of(B);
    const Vector q = transpose(B) * draw.vector(rank);
    const auto reference = enumerate(M, q);
    REQUIRE(reference);
    const Complementarity s = solve_complementarity(M, q);
    CAPTURE(k);
    REQUIRE(s.ok);
    check_solution(M, q, s);
    const Vector w = M * *reference;
    for (std::size_t i = 0; i < q.size(); ++i) CHECK(std::abs(w[i] + q[i] - s.w[i]) < 1e-9 * (1 + largest(s.z)));
  }
}

TEST_CASE("degenerate problems end") {
  DenseMatrix ones(4, 4);
  std::fill(ones.value.begin(), ones.value.end(), 1.0);  // four contacts on one motion
  const Complementarity four = solve_complementarity(ones, {-2, -2, -2, -2});
  REQUIRE(four.ok);
  CHECK(four.z[0] + four.z[1] + four.z[2] + four.z[3] == doctest::Approx(2).epsilon(1e-14));
  CHECK(largest(four.w) < 1e-14);
  DenseMatrix cradle(2, 2);
  cradle(0, 0) = cradle(1, 1) = 2, cradle(0, 1) = cradle(1, 0) = -1;
  const Complementarity zero = solve_complementarity(cradle, {-1, 0});
  REQUIRE(zero.ok);
  CHECK(zero.z[0] == doctest::Approx(2.0 / 3));
  CHECK(zero.z[1] == doctest::Approx(1.0 / 3));
  CHECK(solve_complementarity(cradle, {0, 3}).pivots == 0);
  CHECK(solve_complementarity(DenseMatrix(0, 0), {}).ok);
}

TEST_CASE("masses of very different size are one problem") {
  DenseMatrix M(2, 2);
  M(0, 0) = 1e9, M(1, 1) = 1e-9, M(0, 1) = M(1, 0) = 1e-4;
  const Complementarity s = solve_complementarity(M, {-1, -1e-12});
  REQUIRE(s.ok);
  CHECK(s.z[0] == doctest::Approx(1e-9).epsilon(1e-6));
  CHECK(s.z[1] == doctest::Approx(9e-4).epsilon(1e-6));
  CHECK(largest(s.w) == 0);
}

TEST_CASE("what has no solution is not solved") {
  DenseMatrix none(1, 1);
  CHECK_FALSE(solve_complementarity(none, {-1}).ok);
  DenseMatrix blocked(2, 2);
  blocked(0, 0) = 1;
  CHECK_FALSE(solve_complementarity(blocked, {-1, -1}).ok);
  CHECK_FALSE(solve_complementarity(blocked, {std::nan(""), -1}).ok);
}
