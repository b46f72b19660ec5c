// A car with a driver made of signals: he follows the lane changes of ISO 3888 and a circle, and holds the speed.
#include <fmt/format.h>

#include <cmath>

#include "run_model.testing.h"

using namespace skyhook;

namespace {

struct Lane {
  double from, to, right, left;  // of x and y
};

// Lengths, widths and offsets of the standard, for a car of width w whose first lane has its middle at y = 0.
std::vector<Lane> lanes_of_3888_1(double w) {
  const double first = 1.1 * w + 0.25, second = 1.2 * w + 0.25, third = 1.3 * w + 0.25, right = -first / 2;
  return {{0, 15, right, right + first}, {45, 70, right + 3.5, right + 3.5 + second}, {95, 125, right, right + third}};
}
std::vector<Lane> lanes_of_3888_2(double w) {
  const double first = 1.1 * w + 0.25, second = w + 1, third = std::max(1.3 * w + 0.25, 3.0), right = -first / 2;
  return {{0, 12, right, right + first},
          {25.5, 36.5, first / 2 + 1, first / 2 + 1 + second},
          {49, 61, right, right + third}};
}

// How far the corners of the car come nearer to an edge of a lane than they may; and how many samples were in one.
struct Kept {
  double beyond = -1e9;
  int samples = 0;
};
Kept kept(const testing::Run& run, const std::vector<Lane>& lanes, double side) {
  Kept out;
  for (std::size_t s = 0; s < run.sink.time.size(); ++s) {
    for (int i = 1; i <= 4; ++i) {
      const double x = run.at(s, fmt::format("corner[{}].x", i)), y = side * run.at(s, fmt::format("corner[{}].y", i));
      for (const Lane& lane : lanes) {
        if (x < lane.from || x > lane.to) continue;
        out.beyond = std::max({out.beyond, y - lane.left, lane.right - y}), ++out.samples;
      }
    }
  }
  return out;
}

double largest_difference(const testing::Run& a, const testing::Run& b, const std::string& channel, double sign = 1) {
  REQUIRE(a.sink.time.size() == b.sink.time.size());
  double most = 0;
  for (std::size_t s = 0; s < a.sink.time.size(); ++s)
    most = std::max(most, std::abs(a.at(s, channel) - sign * b.at(s, channel)));
  return most;
}

}  // namespace

TEST_CASE("Drivers: the car stays within the lanes of ISO 3888-1 and -2 at low speed, and holds its speed") {
  const auto change =
      testing::run("road/driver", {.experiment = "lane_change", .set = {{"speed", "7 m/s"}}, .until = 23});
  const Kept first = kept(change, lanes_of_3888_1(1.6), 1);
  CHECK(change.last("car.x") > 125);
  CHECK(first.samples > 1000);
  CHECK(first.beyond < -0.05);  // 0.2 m are there on either side of a car that goes straight along the middle
  const auto avoid = testing::run("road/driver", {.experiment = "avoidance", .set = {{"speed", "7 m/s"}}, .until = 13});
  const Kept second = kept(avoid, lanes_of_3888_2(1.6), 1);
  CHECK(avoid.last("car.x") > 61);
  CHECK(second.samples > 500);
  CHECK(second.beyond < -0.05);
  CHECK(std::abs(change.last("car.vx") - 7) < 0.05);
}

// Nothing of it is tuned to the other: a car of library parts alone, whose rear wheels are driven over the differential.
TEST_CASE("Drivers: a car from parts of the library follows its driver and keeps its speed") {
  for (const auto& [experiment, side] : {std::pair{"lane_change", 1}, {"mirrored", -1}}) {
    CAPTURE(experiment);
    const auto run = testing::run("road/driven_car", {.experiment = experiment});
    double beyond = -1e9;
    for (std::size_t s = 0; s < run.sink.time.size(); ++s) {
      const double x = run.at(s, "x") - 20, y = side * run.at(s, "y"), yaw = side * run.at(s, "yaw");
      for (const Lane& lane : lanes_of_3888_1(1.7)) {
        for (const auto& [along, across] :
             {std::pair{2.0, 0.85}, {2.0, -0.85}, {-2.2, 0.85}, {-2.2, -0.85}}) {  // corners
          const double at = x + along * std::cos(yaw) - across * std::sin(yaw),
                       beside = y + along * std::sin(yaw) + across * std::cos(yaw);
          if (at > lane.from && at < lane.to) beyond = std::max({beyond, beside - lane.left, lane.right - beside});
        }
      }
    }
    CHECK(run.last("x") > 145);
    CHECK(beyond < -0.1);
    CHECK(std::abs(run.last("speed") - 15) < 0.02);
  }
  const auto faster = testing::run("road/driven_car", {.experiment = "faster"});
  CHECK(std::abs(faster.last("speed") - 17) < 0.05);
  CHECK(std::abs(faster.last("y")) < 1e-3);
}

// The file says so: the standard's courses at speeds at which a driver has something to do.
TEST_CASE("Drivers: the small car keeps the lanes of its own experiments, at 54 and 36 km/h") {
  CHECK(kept(testing::run("road/driver", {.experiment = "lane_change"}), lanes_of_3888_1(1.6), 1).beyond < -0.1);
  CHECK(kept(testing::run("road/driver", {.experiment = "avoidance"}), lanes_of_3888_2(1.6), 1).beyond < -0.1);
}

TEST_CASE("Drivers: the mirrored course gives the mirrored motion") {
  const auto left = testing::run("road/driver", {.experiment = "lane_change", .tolerance = 1e-8});
  const auto right = testing::run("road/driver", {.experiment = "mirrored", .tolerance = 1e-8});
  // Sums are taken in another order, so that steps part in the end: what is left is some tolerances.
  CHECK(largest_difference(left, right, "car.x") < 1e-7);
  for (const std::string channel : {"car.y", "car.yaw", "car.roll", "driver.angle"}) {
    CAPTURE(channel);
    CHECK(largest_difference(left, right, channel, -1) < 1e-7);
  }
}

TEST_CASE("Drivers: the error of a lane change against a run at 1e-9") {
  const auto reference = testing::run("road/driver", {.experiment = "lane_change", .tolerance = 1e-9});
  const auto usual = testing::run("road/driver", {.experiment = "lane_change"});
  // A hundred tolerances, of 160 m along and 3.6 m across: what solvers are asked for elsewhere.
  CHECK(largest_difference(usual, reference, "car.x") < 1e-4 * 160);
  CHECK(largest_difference(usual, reference, "car.y") < 1e-4 * 3.6);
  CHECK(reference.sink.summary.energy_closure < 1e-7);
}

TEST_CASE("Drivers: on a circle the car comes to a steady curve of this radius") {
  const auto run = testing::run("road/driver", {.experiment = "circle"});
  // The eye ends beside the circle by what the angle of the curve needs: angle = gain error, 0.7 s ahead, with the wheelbase and what he adds for an understeering car.
  const double gain =
      2 * (2.4 + 0.002 * (run.last("car.vx") * run.last("car.vx") + run.last("car.vy") * run.last("car.vy"))) /
      (7.0 * 7.0);
  CHECK(std::abs(run.last("driver.angle") - gain * run.last("course.error")) < 1e-4);
  const double speed = std::hypot(run.last("car.vx"), run.last("car.vy"));
  CHECK(std::abs(speed - 10) < 0.1);
  CHECK(std::abs(run.last("car.yaw_rate") - run.at(run.sink.time.size() - 100, "car.yaw_rate")) < 1e-4);
  const double radius = speed / run.last("car.yaw_rate");
  CHECK(std::abs(radius - 40) < 3);
}
