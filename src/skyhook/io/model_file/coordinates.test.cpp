// `coordinates:` of the model, its parts and bodies.
#include "skyhook/io/model_file/reader.testing.h"

using namespace skyhook;
using namespace skyhook::io;
using model::Coordinates;

namespace {

const std::string body = "{mass: 1, inertia: [1, 1, 1]}";
const std::string joints = "joints: {a: {type: revolute, from: ground, to: b, axis: z}}\n";

model::Model read_again(const model::Model& m) { return read_model_text(m.expanded, "m.yaml"); }

}  // namespace

TEST_CASE("The model says in which coordinates it moves: those of joints, absolute ones, or what fills less") {
  const auto of = [](const std::string& line) {
    return read_model_text("skyhook: 1\n" + line + "bodies: {b: " + body + "}\n" + joints, "m.yaml");
  };
  CHECK(of("").coordinates == Coordinates::joint);
  CHECK(of("coordinates: joint\n").coordinates == Coordinates::joint);
  CHECK(of("coordinates: absolute\n").coordinates == Coordinates::absolute);
  CHECK(of("coordinates: auto\n").coordinates == Coordinates::automatic);
  CHECK(read_again(of("coordinates: absolute\n")).coordinates == Coordinates::absolute);
  CHECK_THROWS_AS(of("coordinates: cartesian\n"), ModelError);
}

TEST_CASE(
    "A body and a part may have coordinates of their own; the body wins over its part, an inner part over an outer "
    "one") {
  const model::Model m =
      read_model_text("skyhook: 1\ntemplates:\n  t: {bodies: {b: " + body +
                          ", c: {mass: 1, inertia: [1, 1, 1], coordinates: joint}}, " +
                          "joints: {a: {type: revolute, from: ground, to: b, axis: z}, d: {type: revolute, from: b, "
                          "to: c, axis: z}}}\n" +
                          "  outer: {use: {in: {template: t}, other: {template: t, coordinates: joint}}}\n" +
                          "use: {o: {template: outer, coordinates: absolute}, plain: {template: t}}\n",
                      "m.yaml");
  for (const model::Model& read : {m, read_again(m)}) {
    const auto of = [&](const std::string& name) {
      return std::ranges::find(read.bodies, name, &model::Body::name)->coordinates;
    };
    CHECK(of("o.in.b") == Coordinates::absolute);
    CHECK(of("o.in.c") == Coordinates::joint);
    CHECK(of("o.other.b") == Coordinates::joint);
    CHECK(!of("plain.b").has_value());
  }
}

TEST_CASE("A body or a part may leave it to the fill of the matrices") {
  const model::Model m = read_model_text(
      "skyhook: 1\ntemplates:\n  t: {bodies: {b: " + body +
          "}, joints: {a: {type: revolute, from: ground, to: b, axis: z}}}\n" +
          "bodies: {c: {mass: 1, inertia: [1, 1, 1], coordinates: auto}}\n" +
          "joints: {d: {type: revolute, from: ground, to: c, axis: z}}\nuse: {p: {template: t, coordinates: auto}}\n",
      "m.yaml");
  for (const model::Model& read : {m, read_again(m)}) {
    for (const model::Body& one : read.bodies) CHECK(one.coordinates == Coordinates::automatic);
    CHECK(read.coordinates == Coordinates::joint);
  }
}
