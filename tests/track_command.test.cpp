// The command track. References: what the file says of its layout; the density that a spectrum is drawn from.
#ifdef SKYHOOK_APP
#include <cmath>
#include <filesystem>
#include <string>

#include "program.testing.h"

using namespace skyhook;
using testing::Done, testing::has, testing::Place;

TEST_CASE("Command line: track") {
  const Place at("track");
  const std::string folder = SKYHOOK_SOURCE_DIR "/models/rail/track/";
  const Done all = at.run("track " + folder + "curve.yaml --from 0 --to 1000 --step 100");
  CHECK(all.code == 0);
  for (const char* part : {"line", "curvature", "cant", "gradient", "heading"}) CHECK(has(all.out, part));
  CHECK(at.run("track " + folder + "curve.yaml line --step 50 --json").code == 0);
  // 1100 m long; in the curve 1/300 to the left with 120 mm; behind it straight on, turned by 550/300.
  CHECK(
      at.json("len(d) == 23 and d[0]['curvature'] == 0 and abs(d[5]['curvature'] - 1/300) < 1e-9 and "
              "abs(abs(d[5]['cant']) - 0.12) < 1e-9"));
  CHECK(
      at.json("abs(d[-1]['heading'] - 550/300) < 1e-9 and abs(d[-1]['s'] - 1100) < 1e-9 and d[-1]['curvature'] == 0"));
  CHECK(at.run("track " + folder + "uneven.yaml good --spectrum --json").code == 0);
  CHECK(
      at.json("{x['signal'] for x in d} == {'gauge', 'alignment', 'level', 'cross_level'} and all(x['track'] == 'good' "
              "for x in d)"));
  CHECK(at.run("track " + folder + "curve.yaml --out line.svg").code == 0);
  CHECK(std::filesystem::file_size(at.path / "line.svg") > 1000);
}

TEST_CASE("Command line: track refuses what makes no sense") {
  const Place at("track_refused");
  const std::string folder = SKYHOOK_SOURCE_DIR "/models/rail/track/";
  const Done unknown = at.run("track " + folder + "uneven.yaml godo");
  CHECK(unknown.code == 2);
  CHECK(has(unknown.err, "Tracks: good, bad, american"));
  CHECK(has(at.run("track " + folder + "curve.yaml --from 3 --to 2").err, "--to is not behind --from"));
  CHECK(has(at.run("track " + folder + "curve.yaml --step -1").err, "--step is not positive"));
  CHECK(has(at.run("track " SKYHOOK_SOURCE_DIR "/models/mechanisms/four_bar.yaml").err, "no track"));
}

// A measured line from a file of rows: 200 m straight, a ramp of 100 m, then 1/500 to the right.
TEST_CASE("Command line: a track laid from a measured table in a CSV file") {
  const Place at("track_csv");
  std::string rows = "s,curvature\n";
  for (int s = 0; s <= 600; s += 10)
    rows += std::to_string(s) + "," +
            std::to_string(s < 200   ? 0.0
                           : s > 300 ? -0.002
                                     : -0.002 * (s - 200) / 100) +
            "\n";
  at.write("line.csv", rows);
  at.write("m.yaml",
           "skyhook: 1\ntracks: {line: {curvature: {file: line.csv, units: [m, 1/m]}}}\nbodies: {b: {mass: "
           "1}}\njoints: {j: {type: track, track: line, to: b, speed: 1}}\n"
           "experiments: {e: {until: 1}}\n");
  const Done done = at.run("track m.yaml --step 100 --json");
  CHECK_MESSAGE(done.code == 0, done.err);
  CHECK(at.json("len(d) == 7 and abs(d[1]['curvature']) < 1e-9 and abs(d[5]['curvature'] + 0.002) < 1e-9"));
  CHECK(at.json("abs(d[-1]['heading'] + 0.1 + 0.6) < 1e-4"));  // 0.002 times half the ramp, and times 300 m
}

TEST_CASE("Command line: places behind the end of a line are shown with a warning") {
  const Place at("track_beyond");
  const Done within = at.run("track " SKYHOOK_SOURCE_DIR "/models/rail/s_line_coach.yaml --to 400 --json"),
             behind = at.run("track " SKYHOOK_SOURCE_DIR "/models/rail/s_line_coach.yaml --to 700 --json");
  CHECK(within.err.find("beyond_line") == std::string::npos);
  CHECK_MESSAGE(has(behind.err, "ends at 529.7"),
                behind.err);  // 40 and 400 m, two arcs of 500 atan(1/12) and the straight between them: 89.7 m
}

// A trolley is led along 700 m; another one stands 600 m on, by itself or pulled by a spring.
TEST_CASE(
    "Command line: a drive comes to the end of its line with the vehicle that it leads, not with others on the track") {
  const Place at("line_ends");
  const auto told = [&](const std::string& way, const std::string& forces) {
    at.write("m.yaml",
             "skyhook: 1\ntracks: {line: {layout: [{type: straight, length: 700 m}]}}\n"
             "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1], at: [600, 0, 0]}}\n"
             "joints:\n  led: {type: track, track: line, to: a, drive: \"" +
                 way + "\"}\n  free: {type: track, track: line, to: b}\n" + forces +
                 "experiments: {e: {until: 30 s}}\n");
    const std::string said = at.run("check m.yaml").out;
    const std::size_t begin = said.find("at about t = ");
    return begin == std::string::npos ? -1.0 : std::stod(said.substr(begin + 13));
  };
  CHECK(told("=10[m/s]*t", "") == -1);  // it comes to 300 m
  CHECK(told("=30[m/s]*t", "") == doctest::Approx(700.0 / 30).epsilon(1e-3));
  CHECK(told("=10[m/s]*t", "forces: {pull: {type: spring_damper, from: a, to: b, stiffness: 1 kN/m}}\n") ==
        doctest::Approx(10).epsilon(1e-3));
  // There and back: 800 m sin(t / 10 s) is 700 m at first where it rises.
  CHECK(told("=800[m]*sin(t/10[s])", "") == doctest::Approx(10 * std::asin(7.0 / 8)).epsilon(1e-3));
}

TEST_CASE(
    "Command line: an experiment of a rail vehicle is evaluated without naming a channel, and its report has the line, "
    "the wheels and the curves") {
  const Place at("rail_report");
  const Done done = at.run("run " SKYHOOK_SOURCE_DIR "/models/rail/track/assessed.yaml short -o r.h5 --json");
  CHECK_MESSAGE(done.code == 0, done.err);
  CHECK(at.json("d['evaluations'][0]['standard'] == 'rail' and len(d['evaluations'][0]['sections']) >= 2"));
  CHECK(
      at.json("{'en14363.worst.yq', 'sperling.lateral.Wz', 'en12299.N_MV', 'wear.left.mean'} <= {x['number'] for x in "
              "d['evaluations'][0]['numbers']}"));
  CHECK(at.json(
      "'load.ay' in d['evaluations'][0]['channels']['lateral_acceleration'] and 'curves' not in d['evaluations'][0]"));
  CHECK(at.run("plot r.h5 left.Y left.Q --x way.position -o way.svg").code == 0);  // over the way
  CHECK(has(at.text("way.svg"), "way.position [m]"));
}
#endif
