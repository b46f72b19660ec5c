// References: angles of rotations that are written down.
#include "skyhook/io/report/turning.h"

#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/io/result/example_run.testing.h"

using namespace skyhook;
using namespace skyhook::io;

namespace {

// A run of bodies that turn about z by these angles, a row a sample.
std::vector<double> turned_by(const std::vector<std::vector<double>>& angles, double length = 1) {
  const example::TemporaryFile file;
  simulation::RunInfo info;
  for (std::size_t b = 0; b < angles[0].size(); ++b) info.bodies.push_back({"b" + std::to_string(b), 1});
  ResultWriter writer(file);
  writer.begin(info);
  for (std::size_t i = 0; i < angles.size(); ++i) {
    std::vector<double> poses;
    for (const double a : angles[i])
      poses.insert(poses.end(), {7, 8, 9, length * std::cos(a / 2), 0, 0, length * std::sin(a / 2)});
    writer.sample({.t = static_cast<double>(i), .poses = poses});
  }
  writer.end({.status = simulation::RunStatus::finished});
  return report::turned(ResultFile::open(file));
}

}  // namespace

TEST_CASE("The largest turn of any body is summed, whatever its direction and the length of the quaternion") {
  for (const double length : {1.0, -1.0, 1.001}) {
    const auto sums = turned_by({{0, 0}, {0.5, -0.1}, {0.4, 2.9}, {0.4, 2.9 + 1e-9}}, length);
    REQUIRE(sums.size() == 4);
    CHECK(sums[1] == doctest::Approx(0.5));
    CHECK(sums[2] == doctest::Approx(3.5));
    CHECK(sums[3] - sums[2] == doctest::Approx(1e-9).epsilon(1e-5));  // an arc cosine would give 0 or 1e-8
    CHECK(report::largest_turn(sums, {0, 2, 3}) == doctest::Approx(3.5));
  }
}

TEST_CASE("Without bodies nothing turns, and where a pose is missing neither") {
  CHECK(turned_by({{}, {}, {}}) == std::vector<double>{0, 0, 0});
  CHECK(turned_by({{0}, {std::nan("")}, {1}}) == std::vector<double>{0, 0, 0});
  CHECK(report::largest_turn({}, {}) == 0);
}
