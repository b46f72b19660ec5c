// What is looked at near the rail alone is all that a look at the whole profile finds. Reference: the whole profile, on the way of a wheel that wanders from flange to field side.
#include "skyhook/element/rail/gap_scan.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "skyhook/element/rail/smoothed_gap.h"
#include "skyhook/math/rotation.h"

using namespace skyhook;
using namespace skyhook::element::rail;

namespace {

WheelOnRail wandering_wheel() {
  static const ProfilePtr wheel = built_in("s1002"), rail = built_in("uic60_1in40");
  return {wheel, rail, 1, 0.46, 0.75, 1.435 / 2 - rail->gauge_face(0.014)};
}

// Steps of 0 to 0.1 mm and 0.2 mrad, as a run takes them, over all places between the flanges; now and then a jump.
Axle<double> on_the_way(const WheelOnRail& of, int k, double sink = 0) {
  const double t = 0.013 * k + (k % 50 == 0 ? 0.7 : 0.0), shift = 7e-3 * std::sin(t), roll = 3e-3 * std::sin(1.7 * t),
               yaw = 8e-3 * std::sin(1.1 * t + 1);
  const Mat3d R = axis_rotation(Vec3d{0, 0, 1}, yaw) * axis_rotation(Vec3d{1, 0, 0}, roll);
  return axle_of(of, Vec3d{0, shift, 0.46 - sink + 1.5e-4 * std::sin(9 * t) + 4e-3 * std::pow(std::sin(t), 6)}, R);
}

}  // namespace

TEST_CASE("Least places of a wheel near its rail are those of the whole profile, wherever it has been") {
  const WheelOnRail of = wandering_wheel();
  const GapScan scan(of);
  std::vector<double> all;
  constexpr double most = 2e-5;
  int found = 0;
  double off = 0;
  for (int k = 0; k < 10000; ++k) {
    const Axle<double> axle = on_the_way(of, k, 1e-4 * (k / 2500));
    scan.distances(axle, all);
    const GapScan::Near near = scan.near(axle, most);
    std::vector<int> least;
    for (int i = 1; i + 1 < scan.size(); ++i) {
      const double* d = &all[static_cast<std::size_t>(i)];
      if (*d > most) continue;
      off = std::max(off, std::abs(near.distance(i) - *d));
      if (*d <= d[-1] && *d < d[1] && d[-1] != GapScan::nowhere && d[1] != GapScan::nowhere) least.push_back(i);
    }
    REQUIRE(near.least == least);
    for (const int i : least) {
      for (const int beside : {i - 1, i, i + 1})
        REQUIRE(near.distance(beside) == all[static_cast<std::size_t>(beside)]);
    }
    found += static_cast<int>(least.size());
  }
  CHECK(found > 3500);
  CHECK(off < 2e-5);  // as the header says
}

// The one wanders, the other comes from far away each time and looks at all of its profile.
TEST_CASE("A smoothed gap is the same wherever the wheel has been before") {
  const WheelOnRail of = wandering_wheel();
  const SmoothedGap wanders(of, 5e-6), jumps(of, 5e-6);
  for (int k = 0; k < 3000; ++k) {
    const Axle<double> axle = on_the_way(of, k);
    const GapPlace u = gap_place(axle.centre, axle.axis), elsewhere{u[0] + 1e-3, u[1], u[2], u[3]};
    const auto a = wanders.at(u);
    jumps.at(elsewhere);
    const auto b = jumps.at(u);
    REQUIRE(a.is_there);
    REQUIRE(a.g == b.g);
    REQUIRE(a.s == b.s);
  }
}
