// What is said of vehicles on tracks and roads before a run tells the line of the file that it is about. References: these lines.
#include <vector>

#include "program.testing.h"

using namespace skyhook;

namespace {

struct Said {
  const char* place;  // "m.yaml:5:3", or as far as it is in this file
  const char* kind;
};

void check_said(const std::string& text, const std::vector<Said>& all) {
  const testing::Place at;
  at.write("m.yaml", text);
  const testing::Done done = at.run("check m.yaml --path " SKYHOOK_SOURCE_DIR "/models");
  const std::string out = done.out + done.err;
  for (const auto& [place, kind] : all) {
    const std::string name = std::string("[") + kind + "]";
    const auto end = out.find(name);
    REQUIRE_MESSAGE(end != std::string::npos, name << " is not said: " << out);
    const auto begin = out.rfind("warning: ", end);
    CHECK_MESSAGE(testing::has(out.substr(begin, end - begin), place), out.substr(begin, end - begin));
  }
}

}  // namespace

TEST_CASE("Warnings of tracks: the line of the track, of its segment, of the joint or wheel") {
  const std::string coach =
      "skyhook: 1\n"
      "include: rail/manchester/vehicle.yaml\n"
      "parameters: {speed: 3 m/s, contact: {text: multi_hertz}}\n"
      "use: {coach: {template: manchester, x: 0 m}}\n"
      "experiments: {run: {until: 100 s}}\n"
      "tracks:\n"
      "  line:\n"
      "    rail: uic60\n";
  check_said(coach +
                 "    layout:\n"
                 "      - {type: straight, length: 20}\n"
                 "      - {type: curve, length: 60, radius: 12, turn: left}\n",
             {{"m.yaml:11:9", "no_transition"},
              {"m.yaml:7:3", "tight_curve"},
              {"manchester/vehicle.yaml:", "line_ends"},
              {"manchester/vehicle.yaml:", "rounded_line"}});
  check_said(coach + "    curvature: {table: [[0, 0], [20, 0], [50, 0.0833], [100, 0.0833]]}\n",
             {{"m.yaml:7:3", "tight_curve"}});
  check_said(coach + "    irregularities: {spectrum: erri_low}\n", {{"m.yaml:7:3", "uneven_start"}});
}

TEST_CASE("Warnings of roads and track masses: the line of the force") {
  check_said(
      "skyhook: 1\nroads: {main: {type: iso8608, class: C}}\nbodies: {body: {mass: 300, at: [0, 0, 0.3]}}\n"
      "joints: {heave: {type: prismatic, from: ground, to: body, axis: z}}\n"
      "forces:\n"
      "  tyre: {type: tyre_vertical, road: main, to: body, stiffness: 200 kN/m, radius: 0.31}\n"
      "experiments: {e: {until: 1 s}}\n",
      {{"m.yaml:6:3", "between_tracks"}});
  check_said(
      "skyhook: 1\nbodies: {body: {mass: 300, at: [0, 0, 0.3]}, bed: {mass: 3000, at: [0, 0, 0]}}\n"
      "joints: {heave: {type: prismatic, from: ground, to: bed, axis: z}, up: {type: prismatic, from: "
      "ground, to: body, axis: z}}\n"
      "forces:\n"
      "  spring: {type: spring_damper, joint: heave, stiffness: 100 kN/m}\n"
      "  track: {type: track_mass, from: bed, to: body, mass: 100, stiffness: 1 MN/m, radius: 0.3}\n"
      "experiments: {e: {until: 1 s}}\n",
      {{"m.yaml:6:", "track_on_body"}});
}
