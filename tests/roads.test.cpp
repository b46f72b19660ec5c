// References: a wheel on sine waves by the transfer function of its tyre; a point that circles in a bowl as a conical pendulum; what the
// front wheels meet, which the rear ones meet later; the balance of energy.
#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <fstream>
#include <numbers>
#include <set>

#include "run_model.testing.h"
#include "skyhook/model/surface.h"
#include "skyhook/simulation/road_doubts.h"
#include "skyhook/simulation/road_shapes.h"
#include "skyhook/simulation/scene.h"

using namespace skyhook;

namespace {

// A quarter car that is driven along x on a road; `tyre` adds fields to its tyre.
std::string quarter_car(const std::string& road, const std::string& tyre = "") {
  return "skyhook: 1\nroads: {main: {" + road +
         "}}\nbodies: {sled: {mass: 1}, chassis: {mass: 300, at: [0, 0.4, 0.7]}, wheel: {mass: 40, at: [0, 0.4, "
         "0.3]}}\n"
         "joints: {way: {type: prismatic, from: ground, to: sled, axis: x, drive: \"=8[m/s]*t\"}, ride: {type: "
         "prismatic, from: "
         "sled, to: chassis, axis: z}, hop: {type: prismatic, from: sled, to: wheel, axis: z}}\n"
         "forces: {strut: {type: spring_damper, from: wheel, to: chassis, stiffness: 20 kN/m, damping: 1.5 kN.s/m, "
         "preload: -2943}, "
         "tyre: {type: tyre_vertical, road: main, to: wheel, load: 3335 N, stiffness: 200 kN/m, damping: 200 N.s/m" +
         tyre + "}}\nexperiments: {e: {until: 1.5, output_step: 0.01, tolerance: 1e-7}}\n";
}

}  // namespace

TEST_CASE("Roads: a car runs over every kind, by points and over a footprint, and the balance of energy closes") {
  const std::vector<std::string> roads{
      "type: flat, lift: \"=20[mm]*sin(2*pi*2[Hz]*t)\"",
      "type: ramp, slope: 0.1, at: 3, length: 5, bank: 0.02",
      "type: bump, height: 0.08, length: 1.5, at: 3",
      "type: cosine, height: 0.03, length: 0.8, at: 2, count: 8",
      "type: stair, at: [3, 6], height: [0.05, -0.05], rounding: 0.1",
      "type: sine, amplitude: 0.02, wavelength: 4",
      "type: sine_sweep, amplitude: 0.01, wavelengths: [4, 0.8], length: 14, fade: 2",
      "type: iso8608, class: C, length: 100, wavelengths: [0.3, 30]",
      "type: profile, left: [[0, 0], [4, 0.05], [8, 0], [20, 0.1]], right: [[0, 0], [20, 0]], interpolation: spline",
      "type: surface, height: \"=0.05[m]*sin(x/1[m])*cos(y/1[m])\"",
      "type: posts, front: 20, rear: 0, rear_left: \"=20[mm]*sin(2*pi*2[Hz]*t)\"",
      "type: crg, file: " SKYHOOK_SOURCE_DIR "/models/road/bend.crg"};
  for (const std::string& road : roads) {
    for (const std::string tyre : {"", ", footprint: [0.2, 0.15]"}) {
      CAPTURE(road + tyre);
      testing::Loaded loaded = testing::load_with({}, [&](const std::string& experiment) {
        io::ReadOptions options;
        options.open = [](const std::string& path) -> std::optional<std::string> {
          std::ifstream in(path);
          if (!in) return {};
          return std::string(std::istreambuf_iterator<char>(in), {});
        };
        return io::read_model_text(quarter_car(road, tyre), "m.yaml", {}, experiment, options);
      });
      const testing::Run r = testing::run(loaded);
      CHECK(r.sink.summary.status == simulation::RunStatus::finished);
      CHECK(r.sink.summary.energy_closure < 1e-5);
    }
  }
}

// m z'' = k (h - z) + c (h' - z') about its rest, with h = A sin(w t): z = A Im(H e^(iwt)), H = (k + i w c)/(k - m w^2 + i w c). Transients
// decay with c/(2 m) = 25/s and are gone, but for e^-50, after 2 s.
TEST_CASE("Roads: a wheel on sine waves moves as the transfer function of its tyre says") {
  const double A = 0.002, speed = 12, wavelength = 1.5, m = 40, k = 2e5, c = 2000;
  const std::string text =
      "skyhook: 1\nroads: {main: {type: sine, amplitude: 2 mm, wavelength: 1.5}}\nbodies: {wheel: {mass: 40, at: [0, "
      "0, 0.3]}}\n"
      "joints: {hop: {type: prismatic, from: ground, to: wheel, axis: z}}\nforces: {tyre: {type: tyre_vertical, road: "
      "main, to: "
      "wheel, load: 392.4 N, stiffness: 200 kN/m, damping: 2 kN.s/m, speed: 12}}\noutputs: "
      "[hop.displacement]\n"
      "experiments: {e: {until: 2.137, tolerance: 1e-9}}\n";
  const testing::Run r = testing::run(testing::load_text(text));
  const std::complex<double> i(0, 1);
  const double w = 2 * std::numbers::pi * speed / wavelength;
  const auto H = (k + i * w * c) / (k - m * w * w + i * w * c);
  const double z = A * (H * std::exp(i * w * 2.137)).imag();
  CHECK(std::abs(r.last("hop.displacement") - z) < 1e-5 * A);  // the tolerance, absolute and relative, is 1e-9
}

// With the angle q from the vertical a point in a bowl of radius R circles at w^2 = g/(R cos q), at a constant height.
TEST_CASE("Roads: a point on rigid contact with a bowl circles at the speed of the conical pendulum") {
  const double R = 2, q = 0.5, g = 9.81, w = std::sqrt(g / (R * std::cos(q)));
  const std::string text = fmt::format(
      "skyhook: 1\nroads: {{bowl: {{type: surface, height: \"=2[m] - sqrt(4[m^2] - x^2 - y^2)\"}}}}\nbodies: {{p: "
      "{{mass: 1, inertia: [1, 1, 1], at: "
      "[{}, 0, {}]}}}}\njoints: {{f: {{type: free, from: ground, to: p, velocity: [0, {}, 0]}}}}\nforces: {{c: {{type: "
      "rigid_contact, with: road, road: bowl, to: p}}}}\noutputs: [p.x, p.y, p.z, c.force]\nexperiments: {{e: {{until: "
      "6, "
      "tolerance: 1e-9}}}}\n",
      R * std::sin(q), R - R * std::cos(q), w * R * std::sin(q));
  const testing::Run r = testing::run(testing::load_text(text));
  CHECK(r.sink.summary.status == simulation::RunStatus::finished);
  CHECK(r.last("p.x") == doctest::Approx(R * std::sin(q) * std::cos(6 * w)).epsilon(1e-5));
  CHECK(r.last("p.y") == doctest::Approx(R * std::sin(q) * std::sin(6 * w)).epsilon(1e-5));
  CHECK(r.last("p.z") == doctest::Approx(R - R * std::cos(q)).epsilon(1e-6));
  CHECK(r.last("c.force") == doctest::Approx(g / std::cos(q)).epsilon(1e-5));
}

TEST_CASE("Roads: on the rough road the rear wheels meet what the front ones met, and left and right differ") {
  testing::Wish wish;
  wish.until = 3, wish.output_step = 0.13 / 20;  // 2.6 m at 20 m/s are 20 steps
  const testing::Run r = testing::run(testing::load("road/rough_road", wish));
  CHECK(r.sink.summary.status == simulation::RunStatus::finished);
  CHECK(r.sink.summary.energy_closure < 1e-4);
  double differ = 0;
  for (std::size_t i = 20; i + 1 < r.sink.channels.size(); ++i) {
    // a pitch of 15 mrad moves a wheel along by 4 mm, on slopes below 0.08
    CHECK(std::abs(r.at(i, "rear_left.road") - r.at(i - 20, "front_left.road")) < 3.2e-4);
    CHECK(std::abs(r.at(i, "rear_right.road") - r.at(i - 20, "front_right.road")) < 3.2e-4);
    differ = std::max(differ, std::abs(r.at(i, "rear_left.road") - r.at(i, "rear_right.road")));
  }
  CHECK(differ > 0.003);
}

TEST_CASE("Roads: the scene knows where wheels stand on the ground, and how far their tyres hold") {
  const auto scene = [](const std::string& tyre) {
    const auto m = std::make_shared<const model::Model>(
        io::read_model_text("skyhook: 1\nbodies: {wheel: {mass: 40, inertia: [1, 1, 1], at: [0, 0, 0.3]}}\n"
                            "joints: {free: {type: free, from: ground, to: wheel}}\nforces: {tyre: {" +
                                tyre + "}}\nexperiments: {e: {until: 1}}\n",
                            "m.yaml"));
    return simulation::scene_of(simulation::prepare(m, m->experiments[0]));
  };
  const std::string common =
      "from: ground, to: wheel, radius: 0.31 m, stiffness: 200 kN/m, cornering_stiffness: 60 kN/rad";
  const std::string fiala = scene("type: tyre_fiala, slip_stiffness: 80 kN, friction: 0.8, " + common);
  CHECK(fiala.find("\"track\":0.3") != std::string::npos);
  CHECK(fiala.find("\"friction\":[0.8") != std::string::npos);
  // A linear law without a limit has none to tell.
  const std::string linear = scene("type: tyre_linear, " + common);
  CHECK(linear.find("\"track\":0.3") != std::string::npos);
  CHECK(linear.find("\"friction\"") == std::string::npos);
}

TEST_CASE("Roads: the scene shows the part that is passed, with its heights, and slippery patches in other colours") {
  const testing::Loaded loaded = testing::load_text(
      quarter_car("type: bump, height: 0.08, length: 1.5, at: 3, patches: [{x: [5, 7], friction: 0.2}]"));
  const simulation::Prepared p = simulation::prepare(loaded.model, loaded.experiment);
  const auto shapes = simulation::road_shapes(p, 1.5);
  REQUIRE(shapes.size() >= 2);  // grey, blue, and what lies between at the edges
  std::set<std::string> colours;
  float first = 1e9f, last = -1e9f, top = 0;
  for (const auto& [body, shape] : shapes) {
    CHECK(body == model::ground);
    colours.insert(shape.colour);
    const auto& v = shape.mesh->vertices;
    for (std::size_t i = 0; i < v.size(); i += 3) {
      first = std::min(first, v[i]), last = std::max(last, v[i]), top = std::max(top, v[i + 2]);
      CHECK(v[i + 2] == doctest::Approx(loaded.model->roads[0].surface->height(v[i], v[i + 1]).value).epsilon(1e-5));
    }
  }
  CHECK(first == doctest::Approx(-2));
  CHECK(last == doctest::Approx(12 + 2));  // 1.5 s at 8 m/s, and the margin
  CHECK(top == doctest::Approx(0.08).epsilon(0.02));
  CHECK(colours.size() >= 2);
  const std::string scene = simulation::scene_of(p, 1.5);
  CHECK(scene.find("\"track\":0.3") != std::string::npos);
  CHECK(scene.find("moving_roads") == std::string::npos);
  const testing::Loaded lifted = testing::load_text(quarter_car("type: flat, lift: \"=10[mm]*sin(2*pi*1[Hz]*t)\""));
  const simulation::Prepared moving = simulation::prepare(lifted.model, lifted.experiment);
  CHECK(simulation::scene_of(moving, 1.5).find("\"moving_roads\":[\"") != std::string::npos);
  CHECK(simulation::road_shapes(simulation::prepare(testing::load("suspension/quarter_car").model, {}), 1).empty());
}

TEST_CASE(
    "Roads: a wheel between two tracks that differ is told, with what is left of short waves; one on its track is "
    "not") {
  const auto said = [](const std::string& road, double y) {
    const auto m = std::make_shared<const model::Model>(io::read_model_text(
        fmt::format("skyhook: 1\nroad: {{{}}}\nbodies: {{wheel: {{mass: 40, at: [0, {}, 0.3]}}}}\njoints: {{way: "
                    "{{type: prismatic, from: ground, to: wheel, axis: z}}}}\n"
                    "forces: {{tyre: {{type: tyre_vertical, road: road, to: wheel, load: 4 kN, stiffness: 200 "
                    "kN/m}}}}\nexperiments: {{e: {{until: 1}}}}\n",
                    road, y),
        "m.yaml"));
    std::string out;
    for (const Warning& w : simulation::doubts_of_roads(*m)) out += w.what;
    return out;
  };
  const std::string two = "type: iso8608, class: C, seed: 1, length: 100 m, track: 1.5 m";
  CHECK(said(two, 0).find("50 % of the power is gone") != std::string::npos);
  // A quarter of the way from the right track: s = 10/4^3 - 15/4^4 + 6/4^5 = 0.1035, 2 s (1 - s) = 0.186; nearer to the middle it is more than a fifth.
  CHECK(said(two, -0.375).empty());
  CHECK(said(two, -0.3).find("\"tyre\" stands at y = -0.3 m") != std::string::npos);
  for (const double y : {0.75, -0.75, 1.5}) CHECK(said(two, y).empty());
  CHECK(said(two + ", tracks: 1", 0).empty());
}
