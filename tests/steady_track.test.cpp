// Steady motions along a track. References: what masses and places ask for in a curve, a run that has settled there; the wavelength of the rolling radii at low speed; runs that start
// beside the motion; and what is said where nothing is steady.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "program.testing.h"
#include "run_model.testing.h"
#include "skyhook/analysis/linear_flow.testing.h"
#include "skyhook/analysis/modes.h"
#include "skyhook/analysis/root_locus.h"
#include "skyhook/formalism/body_motion.h"
#include "skyhook/model/contribution.h"
#include "skyhook/model/track_line.h"
#include "skyhook/simulation/channels.h"

using namespace skyhook;
using doctest::Approx;

namespace {

struct OnTrack {
  simulation::Prepared prepared;
  analysis::Equilibrium found;
};
OnTrack steady(const testing::Loaded& loaded, const analysis::GivenMotion& motion) {
  OnTrack out{simulation::prepare(loaded.model, loaded.experiment), {}};
  REQUIRE_MESSAGE(out.prepared.ok(), out.prepared.problem());
  out.found = analysis::find_equilibrium(out.prepared, {.motion = motion});
  REQUIRE_MESSAGE(out.found.found, out.found.problem);
  return out;
}

double channel_at(const analysis::Equilibrium& e, const std::string& name) {
  simulation::Evaluator there(e.active, e.all);
  REQUIRE(there.evaluate(e.state.t, e.state.q, e.state.v) == Eval::ok);
  const auto chosen = simulation::choose_channels(simulation::all_channels(*e.active), {{name, name, {}}});
  return chosen.at(0).value(there.now(), {});
}

struct LinearOnTrack {
  analysis::Linearisation linear;
  analysis::Modes modes;
};
LinearOnTrack linear_of_steady(const OnTrack& s) {
  const auto there = analysis::prepared_at(s.prepared, s.found);
  const auto at = analysis::at_equilibrium(s.found);
  LinearOnTrack out{analysis::linearise(there, at, {.with_inputs = false}), {}};
  REQUIRE_MESSAGE(out.linear.problem.empty(), out.linear.problem);
  out.modes = analysis::find_modes(there, at, out.linear);
  return out;
}

std::string refused_motion(const testing::Loaded& loaded, const analysis::GivenMotion& motion) {
  const auto p = simulation::prepare(loaded.model, loaded.experiment);
  try {
    return analysis::find_equilibrium(p, {.motion = motion}).problem;
  } catch (const ModelError& error) {
    return error.what();
  }
}

// A wheelset with cones on round rails as in models/rail/wheelset/cone.yaml, led by springs to a carriage that a drive leads along the track.
std::string led_wheelset(const std::string& springs, const std::string& layout = "") {
  return R"yaml(
skyhook: 1
parameters: {v: 1 m/s}
profiles: {wheel: {type: conical, slope: 0.05}, rail: {type: circular, radius: 300 mm}}
tracks: {line: {rail: rail, inclination: "0")yaml" +
         layout + R"yaml(}}
bodies:
  carriage: {mass: 1000 kg, at: [0, 0, 0.46]}
  box: {mass: 20 kg, inertia: [2, 2, 2], at: [0, 0, 0.46]}
  wheelset: {mass: 1500 kg, inertia: [800, 100, 800], at: [0, 0, 0.46]}
joints:
  ahead: {type: track, track: line, to: carriage, drive: "=v*t", locked: [lateral, vertical, yaw, roll, pitch]}
  way: {type: track, track: line, to: box, speed: =v, locked: [pitch], vertical: 460.37 mm}
  spin: {type: revolute, from: box, to: wheelset, axis: y, rate: "=v/0.46[m]"}
forces:
  left: {type: wheel_rail, track: line, to: wheelset, side: left, wheel: wheel, radius: 460 mm, half: 750 mm, rail_half: 750 mm, creep: kalker}
  right: {type: wheel_rail, track: line, to: wheelset, side: right, wheel: wheel, radius: 460 mm, half: 750 mm, rail_half: 750 mm, creep: kalker}
  guide: {type: bushing, from: carriage, to: box, )yaml" +
         springs + "}\nexperiments: {run: {until: 1 s}}\n";
}

}  // namespace

TEST_CASE("Steady motion on a track: every rail vehicle goes along a straight, its wheels rolling freely") {
  for (const char* name : {"cooperrider", "gz18", "manchester/straight", "manchester/erri_low", "s_line_coach",
                           "s_line_train", "wheelset/s1002", "wheelset/curve", "wheelset/elastic_axle", "wheelset/cone",
                           "track/assessed", "track/ballast", "track/curve"}) {
    CAPTURE(name);
    // A free wheelset begins in the middle: it has no springs that lead it there.
    const bool is_free = std::string(name) == "wheelset/cone";
    const auto loaded =
        testing::load(std::string("rail/") + name,
                      {.set = is_free ? std::vector<io::Setting>{{"shift", "0 mm"}} : std::vector<io::Setting>{}});
    const OnTrack s = steady(loaded, {.speed = 15});
    CHECK(s.found.residual < 1e-8);
    REQUIRE(!s.found.efforts.empty());
    // What leads it carries the rolling resistance alone, that of spin creep in the patches: far below a thousandth of the weight.
    const double weight = 9.81 * s.found.active->heaviest();
    for (const auto& one : s.found.efforts) CHECK(std::abs(one.force) < 1e-3 * weight);
    // All ways grow by 15 m/s.
    for (std::size_t j = 0; j < loaded.model->joints.size(); ++j) {
      if (loaded.model->joints[j].type != "track") continue;
      if (const auto at = s.found.active->coordinate(static_cast<int>(j), 0); at.iv >= 0)
        CHECK(s.found.state.v[at.iv] == 15);
    }
  }
}

// References: forces that masses and places ask for, all turning about the centre of the curve with u/R; and the run of the same coach, 480 m behind a transition.
TEST_CASE(
    "Steady motion on a track: the coach in a curve balances weight, cant and centrifugal force, as a run does that "
    "has settled") {
  std::vector<std::string> compared;
  for (const char* axle : {"coach.front.front", "coach.front.rear", "coach.rear.front", "coach.rear.rear"}) {
    for (const char* c : {".way.lateral", ".way.yaw", ".left.Q", ".right.Q", ".left.Y", ".right.Y"})
      compared.push_back(std::string(axle) + c);
  }
  compared.push_back("coach.way.position");
  const auto loaded = testing::load("rail/manchester/curve",
                                    {.experiment = "left", .tolerance = 1e-6, .output_step = 20, .outputs = compared});
  const auto r = testing::run(loaded);
  const std::size_t end = r.sink.time.size() - 1;
  const double u = 25, R = 500, way = r.at(end, "coach.way.position");
  const OnTrack s = steady(loaded, {.speed = u, .way = way});
  CHECK(s.found.course.radius == Approx(R).epsilon(1e-9));
  CHECK(s.found.course.yaw_rate == Approx(u / R).epsilon(1e-9));
  CHECK(s.found.course.unbalanced ==
        Approx(u * u / R * std::cos(s.found.course.cant) + 9.81 * std::sin(s.found.course.cant)).epsilon(1e-9));
  compared.pop_back();
  // What is left after 380 m in the curve, and the run's tolerance.
  for (const std::string& c : compared) {
    CAPTURE(c);
    const bool is_force = c.ends_with("Q") || c.ends_with("Y");
    CHECK(std::abs(channel_at(s.found, c) - r.at(end, c)) < (is_force ? 20.0 : 2e-5));
  }
  // The balance, exactly.
  const auto& eq = *s.found.active;
  const model::Model& m = eq.model();
  const auto poses = formalism::poses_of(eq, s.found.state);
  const auto at = m.tracks[0].line->place(s.found.course.way);
  const Vec3d left{-at.axes.column(0).y, at.axes.column(0).x, 0}, centre = at.position + R * left;
  Vec3d needed, given;
  for (std::size_t b = 0; b < m.bodies.size(); ++b) {
    const Vec3d out = poses[b].c - centre;
    needed += m.bodies[b].mass * Vec3d{-u * u / R / R * out.x, -u * u / R / R * out.y, 9.81};
  }
  for (const auto& c : m.contributions) {
    if (c.type != "wheel_rail") continue;
    for (int k = 0; k < 3; ++k) given[k] += channel_at(s.found, c.name + ".force_" + "xyz"[k]);
  }
  // Along the line the drive helps.
  given += s.found.efforts.at(0).force * at.axes.column(0);
  CHECK(norm(given - needed) < 1e-6 * norm(needed));
}

// Reference: 16.188 m, the wavelength of the computed geometry, at which a run of the same wheelset weaves (tests/wheel_rail.test.cpp). At 0.5 m/s inertia counts for nothing; the
// digits of the reference are 3e-5 of it.
TEST_CASE("Steady motion on a track: at low speed the hunting mode has the wavelength of the rolling radii") {
  const auto loaded = testing::load_text(led_wheelset("stiffness: [1e6, 0, 0]"));
  const double u = 0.5;
  const auto found = linear_of_steady(steady(loaded, {.speed = u}));
  CHECK(found.linear.is_steady);
  double nearest = 0;
  for (const auto& mode : found.modes.modes) {
    if (mode.oscillates && mode.frequency < 1) nearest = mode.frequency;
  }
  CHECK(u / nearest == Approx(16.188).epsilon(2e-4));
}

TEST_CASE("Steady motion on a track: linear systems are those of simulated runs, on a straight and in a curve") {
  const std::string layout =
      ", layout: [{type: straight, length: 20 m}, {type: transition, length: 30 m}, {type: curve, length: 300 m, "
      "radius: 600 m, turn: left, cant: 60 mm}]";
  const auto loaded = testing::load_text(
      led_wheelset("stiffness: [2e6, 1e5, 0], damping: [2e4, 2e4, 0], angular_stiffness: [0, 0, 1e5]", layout));
  for (const double way : {0.0, 100.0}) {
    CAPTURE(way);
    const OnTrack s = steady(loaded, {.speed = 15, .way = way});
    const auto found = linear_of_steady(s);
    CHECK(found.linear.is_steady);
    analysis::testing::FlowStart start{s.found.model, loaded.experiment, s.found.state, {}};
    // Hertz's law bends over the depth of the contact, 0.1 mm: disturbances must be small against that, and runs at 1e-12 leave 1e-5 of the smallest.
    const auto flow = analysis::testing::compare_with_flow(start, 3, 2, {1e-6, 3e-7, 1e-7});
    REQUIRE_MESSAGE(flow.skipped.empty(), flow.skipped);
    CHECK(flow.states == found.linear.A.rows);
    CHECK(flow.error < 5e-5);
    // By differences of the equations, of 1e-6 m: the square of that over the depth of the contact.
    const auto there = analysis::prepared_at(s.prepared, s.found);
    const auto other =
        analysis::linearise(there, analysis::at_equilibrium(s.found), {.differences = true, .with_inputs = false});
    double most = 0, off = 0;
    for (std::size_t k = 0; k < other.A.value.size(); ++k)
      most = std::max(most, std::abs(other.A.value[k])),
      off = std::max(off, std::abs(other.A.value[k] - found.linear.A.value[k]));
    CHECK(off < 2e-4 * most);
  }
}

// References: other ways to the same number. The Manchester vehicle's spins settled in a run of 2 s say 92.50 m/s, 4.74 Hz (docs/rail.md); of Cooperrider's bogie the modes of the instant at
// which it starts, with the spin at which it rolls freely given as a number, say 40.2 m/s.
TEST_CASE("Steady motion on a track: where modes begin to grow") {
  const auto crossing_of = [](const std::string& name, std::vector<io::Setting> set, double low, double high) {
    const auto modes = [&](double u) {
      std::vector<io::Setting> there = set;
      there.push_back({"speed", fmt::format("{:.17g} m/s", u)});
      return linear_of_steady(steady(testing::load(name, {.set = there}), {.speed = u})).modes;
    };
    return analysis::find_crossing(modes, low, high, 5);
  };
  const auto bogie = crossing_of("rail/cooperrider", {}, 38, 44);
  CHECK(bogie.value == Approx(40.2).epsilon(2e-3));
  CHECK(bogie.mode.frequency == Approx(5.17).epsilon(2e-3));
  const auto coach = crossing_of("rail/manchester/straight", {{"contact", "hertz"}}, 90, 96);
  CHECK(coach.value == Approx(92.50).epsilon(1e-3));
  CHECK(coach.mode.frequency == Approx(4.74).epsilon(2e-3));
}

TEST_CASE("Steady motion on a track: what cannot be is told") {
  const auto curve = testing::load("rail/manchester/curve");
  CHECK(refused_motion(curve, {.speed = 25, .way = 60}).find("is not the same all along the vehicle") !=
        std::string::npos);
  CHECK(refused_motion(testing::load("rail/manchester/erri_low"), {.speed = 25, .way = 100}).find("is uneven at") !=
        std::string::npos);
  CHECK(refused_motion(testing::load("rail/track/rail_change"), {.speed = 10, .way = 41})
            .find("change at 40.95 m, below the vehicle") != std::string::npos);
  CHECK(refused_motion(testing::load("car/four_post"), {.way = 10}).find("nothing of this model runs along a track") !=
        std::string::npos);
  CHECK(refused_motion(curve, {.speed = 25, .yaw_rate = 0.05}).find("turns as its curves do") != std::string::npos);
  CHECK(refused_motion(curve, {.speed = 25, .steer = "coach.way.yaw"}).find("runs on a track, which leads it") !=
        std::string::npos);
  CHECK(refused_motion(testing::load("rail/wheelset/s1002"), {.spin = {{"ahead.displacement", 40}}})
            .find("goes with `speed`") != std::string::npos);
}

#ifdef SKYHOOK_APP
TEST_CASE("Steady motion on a track: from the command line and as experiments") {
  const testing::Place at("steady_track");
  const std::string rail = std::string(SKYHOOK_SOURCE_DIR) + "/models/rail/";
  REQUIRE(at.run("equilibrium " + rail + "manchester/curve.yaml --speed '25 m/s' --way '200 m' --json").code == 0);
  CHECK(
      at.json("abs(d['course']['radius'] - 500) < 1e-6 and abs(d['course']['yaw_rate'] - 0.05) < 1e-9 and "
              "d['efforts'][0]['coordinate'] == 'coach.way.position'"));
  REQUIRE(at.run("equilibrium " + rail + "manchester/curve.yaml --json").code ==
          0);  // its experiment `steady` says the same
  CHECK(at.json("abs(d['course']['way'] - 200) < 1e-9"));
  REQUIRE(at.run("modes " + rail + "cooperrider.yaml --speed '40 m/s' --json").code == 0);
  CHECK(at.json("d['at'] == 'the steady motion' and d['stable']"));
  // A sweep of `speed` moves the vehicle, whether an experiment does or not.
  REQUIRE(at.run("modes " + rail + "cooperrider.yaml --sweep 'speed=38..44/2 m/s' --crossing --json").code == 0);
  CHECK(at.json("len(d['crossings']) == 1 and abs(d['crossings'][0]['value'] - 40.2285) < 1e-3"));
  REQUIRE(at.run("modes " + rail + "cooperrider.yaml steady --sweep 'speed=38..44/2 m/s' --crossing --json").code == 0);
  CHECK(at.json("abs(d['crossings'][0]['value'] - 40.2285) < 1e-3"));
  CHECK(at.run("modes " + rail + "cooperrider.yaml --speed '40 m/s' --start").code == 2);
  CHECK(at.run("equilibrium " + rail + "gz18.yaml --speed '40 m/s' --way '50 m'").err.find("is uneven at") !=
        std::string::npos);
}
#endif
