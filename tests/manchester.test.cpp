// The Manchester passenger vehicle 1. References: its weight; balance of forces and moments in a steady curve, from masses and places alone; mirror images; the standards'
// evaluation of wheels; what is said where a line ends or a curve is too tight.
#include <fmt/format.h>

#include <cmath>

#include "program.testing.h"
#include "refusal.testing.h"
#include "skyhook/analysis/equilibrium.h"
#include "skyhook/model/track_line.h"

using namespace skyhook;

namespace {

constexpr double g = 9.81;
const std::vector<std::string> axles{"coach.front.front", "coach.front.rear", "coach.rear.front", "coach.rear.rear"};
struct Mass {
  const char* body;
  double mass;
};
constexpr Mass masses[] = {{"coach.car", 32000},           {"coach.front.frame", 2615},
                           {"coach.rear.frame", 2615},     {"coach.front.front.set", 1813},
                           {"coach.front.rear.set", 1813}, {"coach.rear.front.set", 1813},
                           {"coach.rear.rear.set", 1813}};
constexpr double total = 32000 + 2 * 2615 + 4 * 1813;

std::vector<std::string> wheels() {
  std::vector<std::string> out;
  for (const std::string& axle : axles) {
    for (const char* side : {".left", ".right"}) out.push_back(axle + side);
  }
  return out;
}

Vec3d vector_at(const testing::Run& r, std::size_t k, const std::string& name) {
  return {r.at(k, name + "x"), r.at(k, name + "y"), r.at(k, name + "z")};
}

}  // namespace

TEST_CASE("Manchester coach: it starts at rest on its springs, an eighth of its weight on each wheel") {
  const auto r = testing::run("rail/manchester/straight", {.experiment = "run", .until = 0.1, .output_step = 0.05});
  CHECK(r.prepared.active->nv() - r.prepared.active->ns() == 41);  // the speed is given
  CHECK(r.prepared.active->ns() == 16);
  for (std::size_t k = 0; k < r.sink.time.size(); ++k) {
    for (const std::string& w : wheels()) CHECK(r.at(k, w + ".Q") == doctest::Approx(total * g / 8).epsilon(1e-3));
  }
}

// In a steady curve all turn about its centre with v/R, the car's point on the line going at v. So what the rails must do follows from masses and places. Of moments those about the axis along the track
// count, through the line at the car; wheel forces are taken on the tape circles, from which contacts stray by up to 3 cm.
TEST_CASE("Manchester coach: in a steady curve weight, cant and centrifugal force balance") {
  std::vector<std::string> channels{"coach.way.position"};
  for (const Mass& m : masses) {
    for (const char* c : {".x", ".y", ".z"}) channels.push_back(std::string(m.body) + c);
  }
  for (const std::string& w : wheels()) {
    for (const char* c : {".force_x", ".force_y", ".force_z", ".Q"}) channels.push_back(w + c);
  }
  const auto loaded =
      testing::load("rail/manchester/curve", {.experiment = "left", .output_step = 20, .outputs = channels});
  const auto r = testing::run(loaded);
  const std::size_t k = r.sink.time.size() - 1;
  const double R = 500, v = 25, spin = v / R;
  const auto at = loaded.model->tracks[0].line->place(r.at(k, "coach.way.position"));
  const Vec3d left{-at.axes.column(0).y, at.axes.column(0).x, 0}, centre = at.position + R * left;
  Vec3d needed, given, moment, turning;
  for (const Mass& m : masses) {
    const Vec3d place = vector_at(r, k, std::string(m.body) + "."), out = place - centre;
    const Vec3d f = m.mass * (Vec3d{-spin * spin * out.x, -spin * spin * out.y, g});
    needed += f, moment += cross(place - at.position, f);
  }
  double inner = 0, outer = 0;
  for (const std::string& axle : axles) {
    const Vec3d place = vector_at(r, k, axle + ".set.");
    const Mat3d axes = loaded.model->tracks[0].line->place(loaded.model->tracks[0].line->foot(place)).axes;
    for (const double side : {1.0, -1.0}) {
      const std::string w = axle + (side > 0 ? ".left" : ".right");
      const Vec3d f = vector_at(r, k, w + ".force_");
      given += f, turning += cross(place + axes * Vec3d{0, side * 0.75, -0.46} - at.position, f);
      (side > 0 ? inner : outer) += r.at(k, w + ".Q");
    }
  }
  // Along the track the drive pushes.
  CHECK(given.z == doctest::Approx(needed.z).epsilon(1e-6));
  CHECK(dot(given, left) == doctest::Approx(dot(needed, left)).epsilon(1e-5));
  CHECK(std::abs(dot(turning - moment, at.axes.column(0))) < 0.03 * total * g);
  // 0.6 m/s^2 to the outside take load from the inner wheels.
  CHECK(outer - inner > 60e3);
}

// What the evaluations of the shipped curve take. Reference: the floor turns with v/R and leans by its roll, so that an accelerometer on it feels v^2/R cos(roll) + g sin(roll), less some millimetres of R, all through the
// arc; along the global y it would fall with the cosine of the heading, which turns by 29 deg in the last 10 s. Cant alone leaves 0.596 m/s^2, the body's roll on its springs adds 0.1.
TEST_CASE(
    "Manchester coach: the lateral acceleration of the floor is that of the cant deficiency, all through the arc") {
  const auto r = testing::run("rail/manchester/curve",
                              {.experiment = "left",
                               .until = 20,
                               .output_step = 1,
                               .outputs = {"coach.front.lateral_acceleration", "coach.car.roll", "coach.car.yaw"}});
  const std::size_t k = r.sink.time.size() - 1;
  CHECK(r.at(k, "coach.car.yaw") - r.at(k - 10, "coach.car.yaw") == doctest::Approx(10 * 25 / 500.0).epsilon(1e-3));
  for (std::size_t i = k - 10; i <= k; ++i) {
    const double roll = r.at(i, "coach.car.roll");
    CHECK(r.at(i, "coach.front.lateral_acceleration") ==
          doctest::Approx(25 * 25 / 500.0 * std::cos(roll) + g * std::sin(roll)).epsilon(2e-3));
    CHECK(roll > std::asin(-0.1 / 1.5));  // rolls out of the curve
  }
}

// By statics: each wheel carries an eighth of the weight, under which the bed gives way by Q/k = 54546 N / 75 MN/m. On the uneven track the means are the same, and rails that give way take less of its waves into the wheels.
TEST_CASE("Manchester coach: on ballast the rails give way by the wheel load over the bed") {
  std::vector<std::string> channels;
  for (const std::string& w : wheels()) channels.push_back(w + ".Q"), channels.push_back(w + ".rail_vertical");
  const auto loaded =
      testing::load("rail/manchester/erri_low",
                    {.experiment = "ballast", .tolerance = 1e-4, .until = 3, .output_step = 0.01, .outputs = channels});
  const auto r = testing::run(loaded);
  for (const std::string& w : wheels()) {
    double load = 0, sunk = 0, least = 1e9, count = 0;
    for (std::size_t k = 100; k < r.sink.time.size(); ++k, ++count) {
      load += r.at(k, w + ".Q"), sunk += r.at(k, w + ".rail_vertical");
      least = std::min(least, r.at(k, w + ".Q"));
    }
    CHECK(load / count == doctest::Approx(total * g / 8).epsilon(0.02));
    CHECK(-sunk / count == doctest::Approx(load / count / 75e6).epsilon(0.02));
    CHECK(least > 0.7 * total * g / 8);
  }
}

TEST_CASE("Manchester coach: a mirrored curve mirrors") {
  const testing::Wish wish{.tolerance = 1e-6, .until = 5, .output_step = 1};
  auto left_wish = wish, right_wish = wish;
  left_wish.experiment = "left", right_wish.experiment = "right";
  const auto left = testing::run("rail/manchester/curve", left_wish),
             right = testing::run("rail/manchester/curve", right_wish);
  REQUIRE(left.sink.time.size() == right.sink.time.size());
  for (std::size_t k = 0; k < left.sink.time.size(); ++k) {
    for (const std::string& axle : axles) {
      CHECK(left.at(k, axle + ".lateral") ==
            doctest::Approx(-right.at(k, axle + ".lateral")).scale(1e-3).epsilon(1e-3));
      CHECK(left.at(k, axle + ".left.Q") == doctest::Approx(right.at(k, axle + ".right.Q")).epsilon(2e-3));
      CHECK(left.at(k, axle + ".right.Y") == doctest::Approx(right.at(k, axle + ".left.Y")).scale(1e4).epsilon(1e-3));
    }
  }
}

TEST_CASE("Manchester coach: the run ends with the line, and says so") {
  const testing::Place at;
  at.write("line.yaml",
           "skyhook: 1\ninclude: " + testing::model_path("rail/manchester/vehicle") +
               "\nparameters: {speed: 30 m/s}\n"
               "tracks: {line: {rail: uic60, inclination: \"1:40\", layout: [{type: straight, length: 40 m}]}}\n"
               "use: {coach: {template: manchester, x: 0 m}}\n"
               "experiments: {go: {until: 5 s, output_step: 1 s, tolerance: 1e-3, solver: bdf}}\n");
  const testing::Done done = at.run("run line.yaml");
  CHECK(done.code == 3);
  CHECK_MESSAGE(testing::has(done.err + done.out, "end of track"), done.err);
  // Before it: the first axle stands 9.5 + 1.28 m ahead of the middle, so that 29.22 m are left, at 30 m/s.
  CHECK_MESSAGE(testing::has(done.err, "to its end at about t = 0.974 s"), done.err);
  CHECK(at.run("check line.yaml --until 0.97").err.find("line_ends") == std::string::npos);
}

// On uneven track with its own creep law, and with the table of it: two routes to the same forces. A table errs by up to a percent of them.
TEST_CASE("Manchester coach: on ERRI-low track by FASTSIM and by its table") {
  testing::Wish wish{.tolerance = 1e-4, .until = 1.2, .output_step = 0.1};
  wish.set = {{"creep", "fastsim"}};
  const auto marched = testing::run("rail/manchester/erri_low", wish);
  wish.set = {{"creep", "fastsim_table"}};
  const auto looked_up = testing::run("rail/manchester/erri_low", wish);
  REQUIRE(marched.sink.time.size() == looked_up.sink.time.size());
  double most = 0, apart = 0, mean = 0;
  const auto samples = static_cast<double>(marched.sink.time.size());
  for (std::size_t k = 0; k < marched.sink.time.size(); ++k) {
    for (const std::string& axle : axles) {
      const double y = marched.at(k, axle + ".lateral");
      most = std::max(most, std::abs(y)), apart = std::max(apart, std::abs(y - looked_up.at(k, axle + ".lateral")));
    }
    for (const std::string& w : wheels()) mean += marched.at(k, w + ".Q") / (8 * samples);
  }
  CHECK(most > 0.5e-3);  // the track is felt
  CHECK(apart < 0.02 * most);
  CHECK(mean == doctest::Approx(total * g / 8).epsilon(0.03));
}

// One patch that jumped from tread to flange had no equilibrium there: 27000 steps in the first seconds, and no end.
TEST_CASE("Manchester coach: a curve with `hertz`, whose one patch passes from tread to flange") {
  testing::Wish wish{.tolerance = 1e-5, .until = 10, .output_step = 1};
  const auto several = testing::run("rail/manchester/curve", wish);
  wish.set = {{"contact", "hertz"}, {"sink", "0.2362 mm"}, {"rolling", "0.4598793 m"}};
  const auto one = testing::run("rail/manchester/curve", wish);
  MESSAGE("steps: hertz ", one.sink.summary.cost.steps, ", multi_hertz ", several.sink.summary.cost.steps);
  CHECK(one.sink.summary.cost.steps < 4 * several.sink.summary.cost.steps);
  CHECK(one.sink.summary.energy_closure < 1e-3);
  for (const std::string& axle : axles) {
    CHECK(one.last(axle + ".lateral") == doctest::Approx(several.last(axle + ".lateral")).scale(1e-2).epsilon(0.1));
    CHECK(one.last(axle + ".right.Q") == doctest::Approx(several.last(axle + ".right.Q")).epsilon(0.05));
  }
}

// Tighter than its wheelbase lets it: the flanges climb, and the run says which wheel.
TEST_CASE("Manchester coach: a curve that is too tight derails it, and the wheel is named") {
  const testing::Place at;
  const testing::Done done = at.run("run " + testing::model_path("rail/manchester/curve") +
                                    " left --set \"radius=15 m\" --set \"cant=0 mm\" --set \"speed=8 m/s\" -q");
  CHECK(done.code == 3);
  CHECK_MESSAGE(testing::has(done.err, "wheel_rail \"coach."), done.err);
  CHECK_MESSAGE(testing::has(done.err, "derailed"), done.err);
}

// The same before the run. In 12 m its bogies, 9.5 m from the middle of the coach, stand at asin(9.5/12) = 52.3 deg to it; two springs with 160 kN/m across, 1 m from the middle, hold against that with
// 2 k b^2 sin = 253 kN.m, which flanges 2.56 m apart hold with 99 kN. Runs at 3 m/s derail in 12 m and pass 15 m; the estimate is 16 m.
TEST_CASE(
    "Manchester coach: a curve that its bogies are not likely to pass is told before the run, at the line of the "
    "track") {
  const testing::Place at;
  const auto check = [&](const char* radius) {
    return at.run("check " + testing::model_path("rail/manchester/curve") + " left --set \"radius=" + radius +
                  "\" --set \"cant=0 mm\" --set \"speed=3 m/s\"");
  };
  const testing::Done tight = check("12 m");
  const std::string said = tight.out + tight.err;
  CHECK_MESSAGE(
      testing::has(said,
                   "bends with a radius of 12 m from 100 m on, and \"coach.front.frame\" is likely not to pass: it "
                   "stands at 52.3 deg to \"coach.car\" there, which its springs resist by 253 kN.m"),
      said);
  CHECK_MESSAGE(testing::has(said, "curve.yaml:11:3: track \"line\""), said);
  CHECK(testing::has(said, "[tight_curve]"));
  for (const char* wide : {"20 m", "500 m"}) {
    const testing::Done passes = check(wide);
    CHECK((passes.out + passes.err).find("tight_curve") == std::string::npos);
  }
}
