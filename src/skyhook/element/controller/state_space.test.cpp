// Reference: powers of the matrix: y_k = C A^k x0 + sum over j < k of C A^(k-1-j) B u_j + D u_k.
#include "skyhook/element/controller/state_space.h"

#include <cmath>

#include "skyhook/element/controllers.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

namespace {

using model::Rows;

Rows times(const Rows& a, const Rows& b) {
  Rows c(a.size(), std::vector<double>(b[0].size(), 0.0));
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < b.size(); ++k) {
      for (std::size_t j = 0; j < b[0].size(); ++j) c[i][j] += a[i][k] * b[k][j];
    }
  }
  return c;
}

Rows power(const Rows& a, int n) {
  Rows p{{1, 0}, {0, 1}};
  for (int k = 0; k < n; ++k) p = times(p, a);
  return p;
}

StateSpace two_states() {
  StateSpace s;
  s.sample_time = 0.01;
  s.inputs.resize(2);
  s.A = {{0.9, 0.3}, {-0.2, 0.7}};
  s.B = {{1, 0.5}, {0, 2}};
  s.C = {{1, -1}, {0.5, 2}, {0, 1}};
  s.D = {{0, 0}, {0.25, 0}, {0, 3}};
  s.x0 = {1, -2};
  return s;
}

}  // namespace

TEST_CASE("Outputs are those of the matrix powers") {
  const StateSpace s = two_states();
  SampledRun run(s);
  const auto u = [](int k) { return std::vector<double>{std::sin(k), 0.1 * k}; };
  for (int k = 0; k < 12; ++k) {
    const auto y = run(u(k));
    Rows expected = times(times(s.C, power(s.A, k)), {{1}, {-2}});
    const auto add = [&](const Rows& part) {
      for (std::size_t i = 0; i < 3; ++i) expected[i][0] += part[i][0];
    };
    for (int j = 0; j < k; ++j) add(times(times(times(s.C, power(s.A, k - 1 - j)), s.B), {{u(j)[0]}, {u(j)[1]}}));
    add(times(s.D, {{u(k)[0]}, {u(k)[1]}}));
    for (std::size_t i = 0; i < 3; ++i) CHECK(y[i] == doctest::Approx(expected[i][0]).epsilon(1e-13));
  }
}

TEST_CASE("Signals have the names that are given; a single one that of the controller") {
  StateSpace s = two_states();
  s.outputs = {"left", "right", "rear"};
  s.initial = {1, 2, 3};
  const SampledRun run(s);
  CHECK(run.model.signals[2].name == "part.rear");
  CHECK(run.model.signals[2].start == 3);
  CHECK(run.controller().law->feeds_through());
  s.D = {{0, 0}, {0, 0}, {0, 0}};
  CHECK(!SampledRun(s).controller().law->feeds_through());
  s.outputs = {"left"};
  CHECK(refused_field(s) == "outputs");
  StateSpace gain;
  gain.sample_time = 1, gain.inputs.resize(1), gain.D = {{3}};
  SampledRun only(gain);
  CHECK(only.model.signals[0].name == "part");
  CHECK(only({2})[0] == 6);
}

TEST_CASE("Matrices that do not fit are refused") {
  const auto refused = [](auto change) {
    StateSpace s = two_states();
    change(s);
    return refused_field(s);
  };
  CHECK(refused([](StateSpace& s) { s.A = {{1, 2}, {3}}; }) == "A");
  CHECK(refused([](StateSpace& s) { s.B = {{1, 2}}; }) == "B");
  CHECK(refused([](StateSpace& s) { s.B = {}; }) == "B");
  CHECK(refused([](StateSpace& s) { s.C[0] = {1}; }) == "C");
  CHECK(refused([](StateSpace& s) { s.D.pop_back(); }) == "D");
  CHECK(refused([](StateSpace& s) { s.C = s.D = {}; }) == "C");
  CHECK(refused([](StateSpace& s) { s.x0 = {1}; }) == "x0");
}
