// Reference: the model itself, read from its expanded text.
#include <cmath>
#include <filesystem>

#include "skyhook/io/model_file/reader.testing.h"

using namespace skyhook;
using namespace skyhook::io;

namespace {

bool equal(const Mat3d& a, const Mat3d& b) { return a.r0 == b.r0 && a.r1 == b.r1 && a.r2 == b.r2; }

bool equal(const model::Marker& a, const model::Marker& b) {
  return a.name == b.name && a.body == b.body && a.at == b.at && equal(a.axes, b.axes);
}

void check_equal(const std::vector<model::Output>& a, const std::vector<model::Output>& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) CHECK((a[i].name == b[i].name && a[i].channel == b[i].channel));
}

void check_bodies(const model::Model& a, const model::Model& b) {
  REQUIRE(a.bodies.size() == b.bodies.size());
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    const model::Body &x = a.bodies[i], &y = b.bodies[i];
    CHECK((x.name == y.name && x.mass == y.mass && x.com == y.com && x.at == y.at));
    CHECK((equal(x.inertia, y.inertia) && equal(x.axes, y.axes)));
  }
  REQUIRE(a.markers.size() == b.markers.size());
  for (std::size_t i = 0; i < a.markers.size(); ++i) CHECK(equal(a.markers[i], b.markers[i]));
}

void check_joints(const model::Model& a, const model::Model& b) {
  REQUIRE(a.joints.size() == b.joints.size());
  for (std::size_t i = 0; i < a.joints.size(); ++i) {
    const model::Joint &x = a.joints[i], &y = b.joints[i];
    CHECK((x.name == y.name && x.type == y.type && x.from == y.from && x.to == y.to));
    CHECK((x.at_from == y.at_from && x.at_to == y.at_to && x.axis == y.axis && x.reference == y.reference));
    CHECK((x.position == y.position && x.velocity == y.velocity));
    for (std::size_t k = 0; k < x.drive.size(); ++k) {
      REQUIRE(x.drive[k].has_value() == y.drive[k].has_value());
      if (x.drive[k]) CHECK(x.drive[k]->at(0.3).value == y.drive[k]->at(0.3).value);
    }
  }
}

void check_forces(const model::Model& a, const model::Model& b) {
  REQUIRE(a.contributions.size() == b.contributions.size());
  for (std::size_t i = 0; i < a.contributions.size(); ++i) {
    const model::Contribution &x = a.contributions[i], &y = b.contributions[i];
    CHECK((x.name == y.name && x.type == y.type && x.joint == y.joint && x.dof == y.dof));
    CHECK((equal(x.from, y.from) && equal(x.to, y.to)));
    if (x.coordinate) CHECK(x.coordinate->force(0.1, 0.2, 0.3) == y.coordinate->force(0.1, 0.2, 0.3));
  }
}

// Only the selected one is left, and the equilibrium that it starts from: the numbers are its own.
void check_experiments(model::Model a, const model::Model& b, const std::string& selected) {
  std::string start;
  for (const model::Experiment& e : a.experiments) {
    if (e.name == selected) start = e.start;
  }
  if (!selected.empty())
    std::erase_if(a.experiments, [&](const auto& e) { return e.name != selected && e.name != start; });
  REQUIRE(a.experiments.size() == b.experiments.size());
  for (std::size_t i = 0; i < a.experiments.size(); ++i) {
    const model::Experiment &x = a.experiments[i], &y = b.experiments[i];
    CHECK((x.name == y.name && x.analysis == y.analysis && x.until == y.until && x.independent == y.independent));
    CHECK((x.start == y.start && x.tolerance == y.tolerance && x.absolute_tolerance == y.absolute_tolerance));
    CHECK(y.set.empty());  // its effect is in the numbers
    check_equal(x.outputs, y.outputs);
  }
}

void check_same_when_read_again(const model::Model& a, const std::string& experiment) {
  CAPTURE(a.expanded);
  const model::Model b = read_model_text(a.expanded, a.file, {}, experiment);
  CHECK((a.name == b.name && a.gravity == b.gravity));
  REQUIRE(a.parameters.size() == b.parameters.size());
  for (std::size_t i = 0; i < a.parameters.size(); ++i) CHECK(a.parameters[i].value == b.parameters[i].value);
  check_bodies(a, b);
  check_joints(a, b);
  check_forces(a, b);
  check_equal(a.outputs, b.outputs);
  check_experiments(a, b, experiment);
  CHECK(b.expanded == a.expanded);
}

}  // namespace

TEST_CASE("Every model of the repository reads, and again from its expanded text, for each of its experiments") {
  int models = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(SKYHOOK_SOURCE_DIR "/models")) {
    if (entry.path().extension() != ".yaml") continue;
    CAPTURE(entry.path().string());
    const model::Model m = read_model(entry.path().string());
    CHECK_MESSAGE(m.warnings.empty(), m.warnings.size(),
                  " warnings, the first: ", m.warnings.empty() ? "" : m.warnings[0].what);
    check_same_when_read_again(m, "");
    for (const model::Experiment& e : m.experiments)
      check_same_when_read_again(read_model(entry.path().string(), {}, e.name), e.name);
    ++models;
  }
  CHECK(models >= 9);
}

TEST_CASE("Formulas keep their text, their parameters and the number of their instance") {
  const std::string text =
      "skyhook: 1\nname: \"a: # b\"\nparameters: {k: 2 N.m, w: '=3[Hz]', N: 2}\n"
      "bodies:\n  b[i=1..N]: {mass: =i, at: [=i, 0, 0], markers: {top: {at: [=i, 0, 1]}}}\n"
      "joints:\n  j[i=1..N]: {type: revolute, from: ground, to: \"b[i]\", axis: -y}\n"
      "forces:\n  f[i=1..N]: {type: torque, joint: \"j[i].angle\", value: \"=k*i*sin(w*t) + 5[N.m]*qd/w\"}\n"
      "  s: {type: spring_damper, from: ground, to: \"b[2].top\", force: {table: [[-1, -2], [3, 4 kN]], units: [mm, "
      "N]}}\n"
      "experiments: {a: {until: 1, set: {N: 3, k: 7 N.m}}, b: {until: =2*N}}\n";
  const model::Model m = read_model_text(text, "m.yaml", {}, "a");
  CHECK(m.bodies.size() == 3);
  CHECK(m.contributions[2].coordinate->force(0.0, 0.0, 0.1) == doctest::Approx(21.0 * std::sin(0.3)));
  check_same_when_read_again(m, "a");
  check_same_when_read_again(read_model_text(text, "m.yaml"), "");
}
