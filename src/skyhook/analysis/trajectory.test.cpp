#include "skyhook/analysis/trajectory.h"

#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/formalism/plane_linkage.testing.h"

using namespace skyhook;
using namespace skyhook::analysis;

namespace {

const StateLayout two_coordinates{2, 2, {}};

Trajectory at_rest() { return {{0, 1, 2}, {{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}}; }

// A turn by `angle` about x.
std::vector<double> turned(double angle, double sign = 1, double length = 1) {
  const double s = sign * length;
  return {s * std::cos(0.5 * angle), s * std::sin(0.5 * angle), 0, 0, 0, 0, 0};
}
const StateLayout one_quaternion{4, 3, {0}};

double angle_error(const std::vector<double>& run, const std::vector<double>& reference) {
  return state_error({{0}, {run}}, {{0}, {reference}}, one_quaternion).positions;
}

}  // namespace

TEST_CASE("Errors: the largest over time and coordinates, absolute where the motion is small") {
  Trajectory run = at_rest();
  run.states[1] = {1e-3, -4e-3, 2e-2, 0};
  run.states[2] = {-3e-3, 0, 0, -1e-2};
  const StateError e = state_error(run, at_rest(), two_coordinates);
  CHECK(e.positions == 4e-3);
  CHECK(e.velocities == 2e-2);
}

TEST_CASE("Errors: relative to the coordinate's own largest value where that exceeds 1") {
  Trajectory reference = at_rest(), run = at_rest();
  reference.states[0] = {-50, 0.5, 0, 0};
  run.states[0] = {-50, 0.5, 0, 0};
  run.states[2] = {1e-3, 1e-6, 0, 0};
  CHECK(state_error(run, reference, two_coordinates).positions == doctest::Approx(1e-3 / 50).epsilon(1e-14));
  run.states[2] = {1e-6, 1e-3, 0, 0};
  CHECK(state_error(run, reference, two_coordinates).positions == 1e-3);  // 50 is not the other one's size
}

TEST_CASE("Errors: a quaternion counts as the angle between rotations, whatever its sign and length") {
  CHECK(angle_error(turned(0.7), turned(0.5)) == doctest::Approx(0.2).epsilon(1e-14));
  CHECK(angle_error(turned(0.7, -1), turned(0.5)) == doctest::Approx(0.2).epsilon(1e-14));
  CHECK(angle_error(turned(0.7, 1, 1.01), turned(0.5, -1)) == doctest::Approx(0.2).epsilon(1e-14));
  CHECK(angle_error(turned(3), turned(-3)) == doctest::Approx(2 * (std::acos(-1) - 3)).epsilon(1e-14));
  // A small angle keeps its digits: the components are rounded to 1e-16, so 1e-10 is known to 1e-6 of it.
  CHECK(angle_error(turned(1 + 1e-10), turned(1)) == doctest::Approx(1e-10).epsilon(4e-6));
}

TEST_CASE("Errors: NaN in a run and other output times are not taken for agreement") {
  Trajectory run = at_rest();
  run.states[1][0] = std::nan(""), run.states[2][0] = 1e-3;
  CHECK(std::isnan(state_error(run, at_rest(), two_coordinates).positions));
  CHECK(state_error(run, at_rest(), two_coordinates).velocities == 0);
  CHECK(first_not_finite(run) == run.time[1]);
  CHECK_FALSE(first_not_finite(at_rest()));
  Trajectory shorter = at_rest();
  shorter.time.pop_back(), shorter.states.pop_back();
  CHECK(std::isnan(state_error(shorter, at_rest(), two_coordinates).positions));
}

TEST_CASE("Errors: the layout knows where quaternions stand") {
  formalism::testing::Linkage l;
  l.rod("a", {0, 0, 0}, {1, 0, 0}), l.rod("b", {1, 0, 0}, {2, 0, 0});
  l.hinge("A", model::ground, 0, {0, 0, 0}), l.ball("B", 0, 1, {1, 0, 0});
  const StateLayout layout = layout_of(*simulation::prepare(l.model, {}).all);
  CHECK(layout.nq == 5);
  CHECK(layout.nv == 4);
  CHECK(layout.quaternions == std::vector<int>{1});
}
