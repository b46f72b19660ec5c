// Wheelsets on elastic rails. References: closed forms of rolling, the computed geometry (contact_geometry.h), and the books of energy.
#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <numbers>
#include <optional>

#include "exact_jacobian.testing.h"
#include "refusal.testing.h"
#include "skyhook/element/rail/contact_geometry.h"
#include "skyhook/element/rail/hertz.h"

using namespace skyhook;

namespace {

// Where the wheelset crosses the middle, along the track.
std::vector<double> crossings(const testing::Run& r, double from) {
  std::vector<double> out;
  for (std::size_t i = 1; i < r.sink.channels.size(); ++i) {
    const double a = r.at(i - 1, "way.y"), b = r.at(i, "way.y"), x = r.at(i - 1, "way.x");
    if (x > from && a * b < 0) out.push_back(x + (r.at(i, "way.x") - x) * a / (a - b));
  }
  return out;
}

}  // namespace

TEST_CASE("Wheelset: hunts at low speed with the wavelength of its rolling radii, and about as Klingel says") {
  const auto r = testing::run("rail/wheelset/cone", {.experiment = "weave"});
  const std::vector<double> at = crossings(r, 2);
  REQUIRE(at.size() > 4);
  const double wavelength = 2 * (at.back() - at.front()) / static_cast<double>(at.size() - 1);

  // 2 pi sqrt(2 a0 r0 / delta_r'), with the shift y counted at the rails: what creeps across is the wheelset's velocity there, and where the axle shifts by
  // dy it rolls, so that its foot shifts by dy (1 + r0 roll').
  using namespace element::rail;
  const RailPair pair(conical(0.05), circular(0.3), 0.75, 0.46, 0.75);
  const auto roll_at = [&](double y) {  // both wheels touch at one height
    double roll = 0;
    for (int k = 0; k < 50; ++k) {
      const double left = pair.find({y, roll, 0}).contact().height,
                   right = pair.find(AxlePlace{y, roll, 0}.mirrored()).contact().height;
      roll += (left - right) / 1.47;
    }
    return roll;
  };
  const double h = 2e-4, roll = (roll_at(h) - roll_at(-h)) / (2 * h);
  const auto radius = [&](double y, bool is_left) {
    const AxlePlace place{y, roll_at(y), 0};
    return pair.find(is_left ? place : place.mirrored()).contact().radius;
  };
  const double slope = (radius(h, true) - radius(h, false) - radius(-h, true) + radius(-h, false)) / (2 * h);
  const RailContact middle = pair.find({0, 0, 0}).contact();
  const double r0 = middle.radius, a0 = middle.y;
  const double expected = 2 * std::numbers::pi * std::sqrt(2 * a0 * r0 * (1 + r0 * roll) / slope);
  MESSAGE("wavelength ", wavelength, " m, of the geometry ", expected, " m, Klingel ",
          2 * std::numbers::pi * std::sqrt(0.46 * 0.75 / 0.05), " m");
  CHECK(wavelength == doctest::Approx(expected).epsilon(1e-3));
  // Klingel has the cone alone, and the tape circles: rails of finite radius and the roll change it by 2 %
  CHECK(wavelength == doctest::Approx(2 * std::numbers::pi * std::sqrt(0.46 * 0.75 / 0.05)).epsilon(0.03));
  CHECK(r.sink.summary.energy_closure < 1e-4);
}

TEST_CASE("Wheelset: cylinders roll straight ahead without lateral force") {
  const auto r = testing::run("rail/wheelset/cone", {.experiment = "straight"});
  const std::size_t last = r.sink.channels.size() - 1;
  CHECK(r.at(last, "way.y") == doctest::Approx(1e-3).epsilon(0.01));
  for (std::size_t i = last / 2; i <= last; ++i) {
    CHECK(std::abs(r.at(i, "left.Y")) < 1e-4 * r.at(i, "left.Q"));
    CHECK(std::abs(r.at(i, "right.Y")) < 1e-4 * r.at(i, "left.Q"));
  }
}

TEST_CASE("Wheelset: rolls down a slope with the acceleration of a rolling body") {
  const auto r = testing::run("rail/wheelset/cone", {.experiment = "slope"});
  const std::size_t last = r.sink.channels.size() - 1, first = last / 10;  // the first second is for settling
  const double time = 0.05 * static_cast<double>(last - first),
               a = (r.at(last, "way.x_rate") - r.at(first, "way.x_rate")) / time;
  // the radius is 10 um less under load, and it creeps by 1e-5
  CHECK(a == doctest::Approx(9.81 * std::sin(0.02) / (1 + 100 / (1500 * 0.46 * 0.46))).epsilon(5e-5));
  CHECK(r.sink.summary.energy_closure < 1e-6);
}

TEST_CASE("Wheelset of S1002 on UIC60 at 40 m/s: settles, books close, exact Jacobian, few steps") {
  const auto r = testing::run("rail/wheelset/s1002", {.experiment = "run"});
  CHECK(std::abs(r.last("place.y")) < 1e-6);
  // the load: half of 80 kN and of the weight, that of the frame too
  CHECK(r.last("left.Q") == doctest::Approx(0.5 * (80e3 + 1520 * 9.81)).epsilon(1e-3));
  CHECK(r.last("left.Y") == doctest::Approx(r.last("right.Y")).epsilon(1e-6));
  CHECK(r.sink.summary.energy_closure < 1e-5);
  CHECK(r.sink.summary.cost.residuals < 3000);
  const auto loaded = testing::load("rail/wheelset/s1002", {.experiment = "run"});
  const auto prepared = simulation::prepare(loaded.model, loaded.experiment);
  REQUIRE(prepared.ok());
  CHECK(testing::jacobian_error(prepared, 0.0) < 1e-4);
}

TEST_CASE("Wheelset of S1002: every contact and every law of creep runs, books of energy close") {
  for (const char* contact : {"hertz", "multi_hertz"}) {
    for (const char* creep : {"none", "kalker", "she", "polach", "fastsim", "fastsim_table", "tanh"}) {
      CAPTURE(contact);
      CAPTURE(creep);
      const auto r = testing::run_text(fmt::format(R"(skyhook: 1
tracks: {{main: {{rail: uic60, inclination: "1:40"}}}}
bodies: {{wheelset: {{mass: 1500, inertia: [800, 100, 800], at: [0, 0, 0.46]}}}}
joints: {{way: {{type: free, from: ground, to: wheelset, velocity: [10, 0, 0], angular_velocity: [0, 21.7, 0], displacement: [0, 0.002, 0]}}}}
forces:
  left: {{type: wheel_rail, track: main, to: wheelset, side: left, wheel: s1002, radius: 460 mm, contact: {0}, creep: {1}}}
  right: {{type: wheel_rail, track: main, to: wheelset, side: right, wheel: s1002, radius: 460 mm, contact: {0}, creep: {1}}}
outputs: [way.y, left.Q, right.Q]
experiments: {{go: {{until: 0.5, output_step: 0.01}}}}
)",
                                                   contact, creep));
      CHECK(std::abs(r.last("way.y")) < 0.01);
      CHECK(r.sink.summary.energy_closure < 1e-4);
    }
  }
}

// In a curve it moves outwards until its wheels roll without slip: delta r = 2 a r / R, with contacts 2 a = 1.5 m apart. The springs that hold it to its frame are soft.
TEST_CASE("Wheelset in a curve: rolling radii are those of the curve, with every contact") {
  std::optional<double> first;
  for (const char* contact : {"quasi_elastic", "rigid", "multi_hertz"}) {
    CAPTURE(contact);
    std::ifstream file(testing::model_path("rail/wheelset/curve"));
    std::string text(std::istreambuf_iterator<char>(file), {});
    const auto put = [&](const std::string& old, const std::string& now) {
      REQUIRE(text.find(old) != std::string::npos);
      for (std::size_t at = text.find(old); at != std::string::npos; at = text.find(old, at + now.size()))
        text.replace(at, old.size(), now);
    };
    put("contact: quasi_elastic", std::string("contact: ") + contact),
        put("until: 20 s, output_step: 50 ms", "until: 12 s, output_step: 0.5 s");
    const auto r = testing::run_text(text);
    const double difference = r.last("right.radius") - r.last("left.radius");
    MESSAGE(std::string(contact), ": ", 1e3 * difference, " mm, shift ", 1e3 * r.last("way.lateral"), " mm, steps ",
            r.sink.summary.cost.steps);
    CHECK(difference == doctest::Approx(1.5 * 0.46 / 600).epsilon(0.05));
    CHECK(r.sink.summary.energy_closure < 1e-4);
    if (!first) first = r.last("way.lateral");
    CHECK(r.last("way.lateral") == doctest::Approx(*first).epsilon(0.05));
  }
}

TEST_CASE("Wheelset: standing still it stays") {
  const auto r =
      testing::run("rail/wheelset/cone", {.experiment = "straight", .set = {{"speed", "0 m/s"}}, .until = 5});
  CHECK(std::abs(r.last("way.x")) < 1e-6);
  // 1 mm to the left, on contacts 1.5 m apart
  CHECK(r.last("left.Q") == doctest::Approx(0.5 * 1500 * 9.81 * (1 + 1.0 / 750)).epsilon(1e-5));
}

TEST_CASE("Wheelset: a wheel between the rails at the start, or off them later, is told, whatever the contact is") {
  const auto why = [](const char* contact, const char* shift, const char* push, const char* lift = "0") {
    const auto loaded = testing::load_text(fmt::format(R"(skyhook: 1
tracks: {{main: {{rail: uic60, inclination: "1:40"}}}}
bodies: {{wheelset: {{mass: 1500, inertia: [800, 100, 800], at: [0, 0, 0.46]}}}}
joints: {{way: {{type: free, from: ground, to: wheelset, velocity: [10, 0, 0], angular_velocity: [0, 21.7, 0], displacement: [0, {}, 0.002]}}}}
forces:
  left: {{type: wheel_rail, track: main, to: wheelset, side: left, wheel: s1002, radius: 460 mm, contact: {}}}
  right: {{type: wheel_rail, track: main, to: wheelset, side: right, wheel: s1002, radius: 460 mm, contact: {}}}
  push: {{type: force, from: ground, to: wheelset, y: {}, z: {}}}
experiments: {{go: {{until: 3, output_step: 0.01}}}}
)",
                                                       shift, contact, contact, push, lift));
    try {
      const auto prepared = simulation::prepare(loaded.model, loaded.experiment);
      if (!prepared.ok()) return prepared.problem();
      simulation::MemorySink sink;
      simulation::simulate(prepared, loaded.experiment, sink, loaded.options);
      return sink.summary.reason;
    } catch (const ModelError& e) {
      return std::string(e.what());
    }
  };
  for (const char* contact : {"hertz", "multi_hertz", "rigid", "quasi_elastic"}) {
    CAPTURE(contact);
    const std::string between = why(contact, "-0.3", "0"), beside = why(contact, "0.2", "0"),
                      off = why(contact, "0", "500000");
    CAPTURE(between);
    CAPTURE(beside);
    CAPTURE(off);
    CHECK(between.find("wheel_rail \"left\": the wheel stands between the rails, 303 mm inside of its place: check "
                       "gauge, flange back distance and start") != std::string::npos);
    CHECK(beside.find("with its flange across it: it has derailed") != std::string::npos);
    CHECK(off.find("derail") != std::string::npos);
  }
  for (const char* contact : {"hertz", "multi_hertz"}) {  // contact opens, and the wheel goes up beyond its flange
    const std::string lifted = why(contact, "0", "0", "20000");
    CHECK(lifted.find("mm above its rail, higher than its flange reaches: it has derailed") != std::string::npos);
  }
}

// Both have the same law of creep under the same shear modulus G: what is left between them is that the elastic wheel stands deeper by the approach of Hertz, (17.4), which goes like G^(-2/3). So does its motion, here
// under a lateral force.
TEST_CASE("Wheelset: the motion on elastic rails goes to that on rigid ones like G^(-2/3)") {
  const double touches =
      element::rail::RailPair(element::rail::conical(0.05), element::rail::circular(0.3), 0.75, 0.46, 0.75)
          .find({})
          .contact()
          .height;
  const auto motion = [](const char* contact, double shear, double height) {
    return testing::run_text(fmt::format(R"yaml(skyhook: 1
profiles: {{wheel: {{type: conical, slope: 0.05}}, head: {{type: circular, radius: 300 mm}}}}
tracks: {{main: {{rail: head, inclination: "0"}}}}
bodies: {{wheelset: {{mass: 1500, inertia: [800, 100, 800], at: [0, 0, {2}]}}}}
joints: {{way: {{type: free, from: ground, to: wheelset, velocity: [5, 0, 0], angular_velocity: [0, 10.87, 0]}}}}
forces:
  left: {{type: wheel_rail, track: main, to: wheelset, side: left, wheel: wheel, radius: 460 mm, half: 750 mm, rail_half: 750 mm, contact: {0}, creep: polach, shear_modulus: {1}}}
  right: {{type: wheel_rail, track: main, to: wheelset, side: right, wheel: wheel, radius: 460 mm, half: 750 mm, rail_half: 750 mm, contact: {0}, creep: polach, shear_modulus: {1}}}
  push: {{type: force, from: ground, to: wheelset, y: "=2000[N]*sin(3*t/1[s])"}}
outputs: [way.y, way.z]
experiments: {{go: {{until: 1, output_step: 0.02, tolerance: 1e-7, solver: bdf}}}}
)yaml",
                                         contact, shear, height));
  };
  double before_y = 0, before_z = 0;
  for (const double shear : {82e9, 8 * 82e9, 64 * 82e9}) {
    const double hertz = element::rail::patch_of_load(
                             element::rail::hertz_shape(0.5 / 0.46, 0.5 / 0.3, {.shear = shear}), 0.5 * 1500 * 9.81)
                             .approach;
    const auto rigid = motion("rigid", shear, touches), elastic = motion("hertz", shear, touches - hertz);
    double y = 0, z = 0;
    const std::size_t count = rigid.sink.channels.size();
    for (std::size_t i = 0; i < count; ++i) {
      y = std::max(y, std::abs(rigid.at(i, "way.y") - elastic.at(i, "way.y")));
      z += (rigid.at(i, "way.z") - elastic.at(i, "way.z") + hertz) / static_cast<double>(count);
    }
    const auto power = [](double now, double before) {
      return before > 0 ? std::log(now / before) / std::log(8.0) : 0.0;
    };
    MESSAGE("G ", shear, " Pa: lateral motion apart by ", y, " m, power ", power(y, before_y), "; height by ", z,
            " m, power ", power(z, before_z));
    if (before_z > 0) CHECK(power(z, before_z) == doctest::Approx(-2.0 / 3).epsilon(0.03));
    if (before_y > 0) CHECK(power(y, before_y) == doctest::Approx(-2.0 / 3).epsilon(0.05));
    before_y = y, before_z = z;
  }
  CHECK(before_y < 2e-6);  // of a millimetre
}

TEST_CASE("Wheelset: held on its rails it says where they pull, and where its contact is lost") {
  const auto warnings = [](const char* contact) {
    const auto r = testing::run_text(fmt::format(R"(skyhook: 1
tracks: {{main: {{rail: uic60, inclination: "1:40"}}}}
bodies: {{wheelset: {{mass: 1500, inertia: [800, 100, 800], at: [0, 0, 0.46]}}}}
joints: {{way: {{type: free, from: ground, to: wheelset, velocity: [10, 0, 0], angular_velocity: [0, 21.7, 0]}}}}
forces:
  left: {{type: wheel_rail, track: main, to: wheelset, side: left, wheel: s1002, radius: 460 mm, contact: {0}}}
  right: {{type: wheel_rail, track: main, to: wheelset, side: right, wheel: s1002, radius: 460 mm, contact: {0}}}
  lift: {{type: force, from: ground, to: wheelset, z: 20000}}
outputs: [way.z, left.normal]
experiments: {{go: {{until: 0.1, output_step: 0.01}}}}
)",
                                                 contact));
    std::string all;
    for (const Warning& w : r.sink.summary.warnings) all += w.what + "\n";
    return std::pair(all, r.last("left.normal"));
  };
  for (const char* contact : {"rigid", "quasi_elastic"}) {
    const auto [said, normal] = warnings(contact);
    CAPTURE(said);
    CHECK(normal < 0);
    CHECK(said.find(
              "the rail pulls at the wheel that is held on it, where it would lift off: `contact: hertz` lets it") !=
          std::string::npos);
  }
  CHECK(warnings("hertz").second == 0);  // it lifts off
}
