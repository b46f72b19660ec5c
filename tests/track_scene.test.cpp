// What the report draws of railway tracks. References: the line itself at places between the stations; sizes for a line of 100 km.
#include "skyhook/simulation/track_scene.h"

#include <fmt/format.h>

#include <cmath>

#include "run_model.testing.h"
#include "skyhook/model/track_line.h"
#include "skyhook/simulation/scene.h"

using namespace skyhook;

namespace {

std::string wheelset_on(const std::string& layout, const std::string& rest = "") {
  return "skyhook: 1\ntracks: {line: {" + layout +
         "}}\nbodies: {set: {mass: 1500, inertia: [800, 100, 800], at: [30, 0, 0.46]}}\n"
         "joints: {way: {type: track, track: line, to: set, speed: 20 m/s, rolling_radius: 0.46 m}}\n"
         "forces:\n  left: {type: wheel_rail, track: line, to: set, side: left, wheel: s1002, radius: 460 mm}\n"
         "  right: {type: wheel_rail, track: line, to: set, side: right, wheel: s1002, radius: 460 mm}\nexperiments: "
         "{go: {until: 10 s" +
         rest + "}}\n";
}
const std::string bends =
    "layout: [{type: straight, length: 100}, {type: transition, length: 60, shape: bloss}, {type: curve, length: 200, "
    "radius: 250, turn: left, cant: 0.12}, "
    "{type: transition, length: 60}, {type: straight, length: 300}], gradients: [{at: 200, gradient: 0.02, radius: "
    "2000}]";

// The cubic that the page draws between two stations.
Vec3d drawn(const simulation::TrackStation& a, const simulation::TrackStation& b, double s) {
  const auto tangent = [](const simulation::TrackStation& k) {
    const double flat = std::sqrt(1 - k.climb * k.climb);
    return Vec3d{flat * std::cos(k.heading), flat * std::sin(k.heading), k.climb};
  };
  const double h = b.s - a.s, u = (s - a.s) / h, v = 1 - u;
  return v * v * (1 + 2 * u) * a.at + u * u * (1 + 2 * v) * b.at + h * u * v * (v * tangent(a) - u * tangent(b));
}

}  // namespace

TEST_CASE("Stations of a track: few, and cubics between them are within 1.5 mm of the line") {
  const testing::Loaded loaded = testing::load_text(wheelset_on(bends));
  const model::TrackLine& line = *loaded.model->tracks[0].line;
  const auto all = simulation::stations_of(line, -60, 800);
  CHECK(all.size() < 60);
  CHECK(all.front().s == -60);
  CHECK(all.back().s == doctest::Approx(800));
  for (std::size_t k = 0; k + 1 < all.size(); ++k) {
    for (int i = 1; i < 8; ++i) {
      const double s = all[k].s + (all[k + 1].s - all[k].s) * i / 8;
      CHECK(norm(drawn(all[k], all[k + 1], s) - line.place(s).position) < 1.5e-3);
      const double tilt = all[k].tilt + (all[k + 1].tilt - all[k].tilt) * i / 8;
      CHECK(std::abs(tilt - line.layout(s).tilt) < 3e-4);
    }
  }
}

TEST_CASE("The scene has the line, how much of it is passed, and the wheels on it") {
  const testing::Loaded loaded = testing::load_text(wheelset_on(bends));
  const simulation::Prepared p = simulation::prepare(loaded.model, loaded.experiment);
  const std::string scene = simulation::scene_of(p, 10);
  for (const char* part : {"\"tracks\":[{\"name\":\"line\"", "\"passed\":[30.000,230.000]", "\"length\":720",
                           "\"profiles\":[{\"name\":\"s1002\"", "\"side\":-1", "\"wheel\":0,\"profile\":1"})
    CHECK_MESSAGE(scene.find(part) != std::string::npos, part);
  CHECK(scene.find("deviations") == std::string::npos);  // it is even
  CHECK(simulation::scene_of(simulation::prepare(testing::load("suspension/quarter_car").model, {}), 1)
            .find("\"tracks\"") == std::string::npos);
}

// The model in models/: heads that lean 1:20 from 40 m to 100 m, between two stretches of 1:40.
TEST_CASE("The scene has the profiles of rails that change, for the line and for each wheel") {
  const testing::Loaded loaded = testing::load("rail/track/rail_change");
  const std::string scene = simulation::scene_of(simulation::prepare(loaded.model, loaded.experiment), 14);
  const std::string changes = R"("changes":[{"begin":40,"over":2,"profile":2,"rail_y":)",
                    back = R"({"begin":100,"over":2,"profile":1,"rail_y":)";
  int found = 0;
  for (std::size_t at = 0; (at = scene.find(changes, at)) != std::string::npos; ++at) ++found;
  CHECK(found == 3);  // the line, two wheels
  CHECK(scene.find(back) != std::string::npos);
  CHECK(scene.find(R"("name":"steeper")") != std::string::npos);
}

TEST_CASE("The scene of 100 km of curves stays small, and tells what it leaves out of the irregularities") {
  std::string segments;
  for (int k = 0; k < 100; ++k)
    segments += fmt::format(
        "{}{{type: transition, length: 100}}, {{type: curve, length: 400, radius: {}, turn: {}}}, {{type: transition, "
        "length: 100}}, {{type: straight, length: 400}}",
        k == 0 ? "" : ", ", 500 + 10 * k, k % 2 == 0 ? "left" : "right");
  const testing::Loaded loaded = testing::load_text(wheelset_on(
      "irregularities: {spectrum: erri_low, seed: 1}, layout: [{type: straight, length: 50}, " + segments + "]"));
  const simulation::Prepared p = simulation::prepare(loaded.model, loaded.experiment);
  const auto stations = simulation::stations_of(*loaded.model->tracks[0].line, 0, 1e5);
  CHECK(stations.size() < 6000);
  const std::string whole = simulation::scene_of(p, 5000);  // s, at 20 m/s
  CHECK(whole.size() < 1.2e6);                              // bytes before compression
  CHECK(whole.find("\"left_out\":") != std::string::npos);
  const std::string part = simulation::scene_of(p, 10);  // of which no more is drawn than is passed, and some
  CHECK(part.size() < 60e3);
  CHECK(part.find("\"left_out\":") == std::string::npos);
}

// 200 kg on 75 MN/m up and 30 MN/m across. At rest the wheels' load sinks the rails by Q/k; the books of energy close, and derivatives are exact.
TEST_CASE("A wheelset on a track that gives way sinks by its load over the stiffness of the bed") {
  std::string text = wheelset_on("rail: uic60", ", output_step: 0.05, tolerance: 1e-8");
  for (std::size_t at = 0; (at = text.find("radius: 460 mm}", at)) != std::string::npos; at += 10)
    text.replace(at, 15,
                 "radius: 460 mm, creep: polach, track_mass: 200 kg, track_stiffness: [30 MN/m, 75 MN/m], "
                 "track_damping: [100 kN.s/m, 100 kN.s/m]}");
  const auto run = testing::run_text(text, {.outputs = {"left.Q", "left.Y", "left.rail_vertical", "left.rail_lateral",
                                                        "right.rail_vertical", "set.z"}});
  CHECK(run.sink.summary.status == simulation::RunStatus::finished);
  const std::size_t last = run.sink.time.size() - 1;
  CHECK(run.at(last, "left.Q") == doctest::Approx(1500 * 9.81 / 2).epsilon(1e-3));
  CHECK(run.at(last, "left.rail_vertical") == doctest::Approx(-run.at(last, "left.Q") / 75e6).epsilon(1e-3));
  CHECK(
      run.at(last, "left.rail_lateral") ==
      doctest::Approx(run.at(last, "left.Y") / 30e6).epsilon(1e-2));  // to the left is the field side of the left rail
  CHECK(run.sink.summary.energy_closure < 1e-3);
}

// The model in models/: sinks by Q/k at once, and its rails then move by tenths of a millimetre. The sum of Y is the left Y less the right one.
TEST_CASE("A loaded wheelset on ballasted track") {
  testing::Wish wish;
  wish.until = 1;
  wish.outputs = {"left.Q",     "left.Y",  "right.Y",        "wheelset.sum_Y", "left.rail_vertical",
                  "left.along", "left.YQ", "left.curvature", "left.unloading"};
  const testing::Run r = testing::run(testing::load("rail/track/ballast", wish));
  CHECK(r.sink.summary.status == simulation::RunStatus::finished);
  const std::size_t last = r.sink.time.size() - 1;
  for (const std::size_t k : {last / 2, last}) {
    CHECK(r.at(k, "left.rail_vertical") < -0.5e-3);
    CHECK(r.at(k, "left.rail_vertical") > -1.2e-3);
    CHECK(r.at(k, "wheelset.sum_Y") == doctest::Approx(r.at(k, "left.Y") - r.at(k, "right.Y")));
    CHECK(r.at(k, "left.YQ") == doctest::Approx(r.at(k, "left.Y") / r.at(k, "left.Q")));
    CHECK(r.at(k, "left.curvature") == 0);
    CHECK(r.at(k, "left.unloading") == doctest::Approx(1 - r.at(k, "left.Q") / 58.86e3));
  }
  CHECK(r.at(last, "left.along") == doctest::Approx(30).epsilon(1e-3));
}

// The model in models/: heads of 300 mm that lean inwards by 1/40 more are touched by 7.5 mm or more nearer to the field side: where the tangent is the same, and a wheel's tread bends too. The books close through both changes.
TEST_CASE("A wheelset runs over rails that lean more") {
  testing::Wish wish;
  wish.outputs = {"way.position", "way.lateral", "left.on_rail", "left.unloading"};
  const testing::Run r = testing::run(testing::load("rail/track/rail_change", wish));
  CHECK(r.sink.summary.status == simulation::RunStatus::finished);
  CHECK(r.sink.summary.energy_closure < 1e-4);
  struct Mean {
    double sum = 0;
    int count = 0;
    double value() const { return sum / count; }
  } before, within, behind;
  double most = 0;
  for (std::size_t k = 0; k < r.sink.time.size(); ++k) {
    const double s = r.at(k, "way.position");
    if (s > 10) most = std::max(most, std::abs(r.at(k, "left.unloading")));
    if (s < 10 || std::abs(s - 41) < 3 || std::abs(s - 101) < 3) continue;
    Mean& mean = s < 40 ? before : s < 100 ? within : behind;
    mean.sum += r.at(k, "left.on_rail"), ++mean.count;
  }
  MESSAGE("contact on the rail ", 1e3 * before.value(), ", ", 1e3 * within.value(), ", ", 1e3 * behind.value(),
          " mm; unloading at most ", most);
  CHECK(within.value() > before.value() + 7e-3);
  CHECK(std::abs(behind.value() - before.value()) < 2e-3);
  CHECK(most < 0.4);
}

// In a curve to the left the track's curvature at the wheel is that of the layout, and a wheelset that stands in the middle of its track is so far from both rails as the gauge has it.
TEST_CASE("A wheel knows where it is on a curved line") {
  std::string text = wheelset_on(
      "layout: [{type: straight, length: 50}, {type: transition, length: 20}, {type: curve, length: 500, radius: 300, "
      "turn: left}]",
      ", output_step: 0.5");
  text.replace(text.find("rolling_radius: 0.46 m}"), 23, "rolling_radius: 0.46 m, position: 80 m}");
  const auto run = testing::run_text(text, {.until = 0.01,
                                            .outputs = {"left.along", "right.along", "left.curvature", "left.lateral",
                                                        "right.lateral", "left.roll", "left.yaw", "left.lift"}});
  CHECK(run.at(0, "left.along") == doctest::Approx(80).epsilon(1e-6));
  CHECK(run.at(0, "right.along") == doctest::Approx(80).epsilon(1e-6));
  CHECK(run.at(0, "left.curvature") == doctest::Approx(1.0 / 300));
  CHECK(run.at(0, "left.lateral") == doctest::Approx(run.at(0, "right.lateral")));
  CHECK(std::abs(run.at(0, "left.roll")) < 1e-9);
  CHECK(std::abs(run.at(0, "left.yaw")) < 1e-9);
  CHECK(std::abs(run.at(0, "left.lift")) < 1e-9);
}
