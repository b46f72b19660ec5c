// Reference: points and axes worked out by hand.
#include "skyhook/io/model_file/shapes.h"

#include <cmath>

#include "skyhook/io/model_file/folder.testing.h"

using namespace skyhook;
using namespace skyhook::io;
using model::Shape;

namespace {

model::Model with(const std::string& body, const std::string& more = "") {
  return read_model_text(pendulum("mass: 2 kg, " + body, more), "m.yaml");
}

Shape shape_of(const std::string& body, const std::string& more = "") {
  const model::Model m = with(body, more);
  REQUIRE(m.bodies[0].shapes.size() == 1);
  return m.bodies[0].shapes[0];
}

Vec3d column(const Mat3d& m, int i) {
  const Mat3d t = transpose(m);
  return i == 0 ? t.r0 : i == 1 ? t.r1 : t.r2;
}

void check_near(const Vec3d& a, const Vec3d& b) {
  CAPTURE(a.x);
  CAPTURE(a.y);
  CAPTURE(a.z);
  CHECK(norm(a - b) < 1e-15);
}

void check_rotation(const Mat3d& r) {
  check_near(cross(column(r, 0), column(r, 1)), column(r, 2));
  for (int i = 0; i < 3; ++i) CHECK(norm(column(r, i)) == doctest::Approx(1.0));
}

std::string error_of(const std::string& shape) { return errors_of(pendulum("mass: 2, shape: " + shape)); }

bool equal(const Shape& a, const Shape& b) {
  const auto same = [](const Mat3d& m, const Mat3d& n) { return m.r0 == n.r0 && m.r1 == n.r1 && m.r2 == n.r2; };
  return a.kind == b.kind && a.at == b.at && same(a.axes, b.axes) && a.size == b.size && a.radius == b.radius &&
         a.length == b.length && a.colour == b.colour && !a.mesh == !b.mesh;
}

const std::string all_kinds =
    "at: [1, 2, 3], orientation: {cardan: [0.1, 0.2, 0.3]}, shapes: [{box: {size: [100 mm, 0.2, =1/3], colour: red}}, "
    "{cylinder: {radius: 0.1, length: 0.7, axis: [1, 2, 3]}}, {cylinder: {radius: 0.1, from: [0, 0, 0], to: tip}}, "
    "{sphere: {radius: 3 cm, at: [0, 0, 1], colour: \"#ABC\"}}, {wheel: {radius: 0.3, width: 0.2}}, "
    "{rod: {from: tip, to: [0, 0, =2/3], radius: 0.01, colour: \"#336699\"}}]";
const std::string tip = "markers: {tip: {body: bob, at: [0.1, 0.2, 0.7]}}\n";

}  // namespace

TEST_CASE("Shapes stand at the body's reference point in its axes unless told otherwise") {
  const std::string turned = "at: [1, 2, 3], orientation: {cardan: [0, 0, 90 deg]}, shape: ";
  const Shape box = shape_of(turned + "{box: {size: [0.1, 0.2, 300 mm]}}");
  CHECK(box.kind == Shape::Kind::box);
  check_near(box.at, {1, 2, 3});
  check_near(box.size, {0.1, 0.2, 0.3});
  check_near(column(box.axes, 0), {0, 1, 0});  // the body's x
  CHECK(box.colour.empty());

  const Shape own = shape_of(turned + "{box: {size: [1, 1, 1], at: [0, 0, 1], orientation: {x: z, y: x}}}");
  check_near(own.at, {0, 0, 1});
  check_near(column(own.axes, 0), {0, 0, 1});  // global at design

  const Shape wheel = shape_of(turned + "{wheel: {radius: 0.31, width: 0.2, colour: rubber}}");
  CHECK((wheel.kind == Shape::Kind::wheel && wheel.radius == 0.31 && wheel.length == 0.2));
  check_near(column(wheel.axes, 1), {-1, 0, 0});  // the body's y
  CHECK(wheel.colour == "#2b2b2e");

  const Shape sphere = shape_of(turned + "{sphere: {radius: 5 cm}}");
  CHECK((sphere.kind == Shape::Kind::sphere && sphere.radius == 0.05));
  check_near(sphere.at, {1, 2, 3});
}

TEST_CASE("A given axis turns the shape, whatever its direction") {
  for (const char* axis : {"x", "y", "z", "-x", "-y", "-z", "[1, 2, -3]", "[1, 1e-9, 0]"}) {
    CAPTURE(std::string(axis));
    const Shape cylinder = shape_of(std::string("shape: {cylinder: {radius: 0.1, length: 2, axis: ") + axis + "}}");
    const Shape wheel = shape_of(std::string("shape: {wheel: {radius: 1, width: 2, axis: ") + axis + "}}");
    check_rotation(cylinder.axes);
    check_rotation(wheel.axes);
    CHECK(norm(column(cylinder.axes, 2) - column(wheel.axes, 1)) < 1e-15);
  }
  check_near(column(shape_of("shape: {cylinder: {radius: 1, length: 1, axis: [0, -2, 0]}}").axes, 2), {0, -1, 0});
}

TEST_CASE("Rods and cylinders lie between points or markers, which may stand below") {
  const Shape rod = shape_of("shape: {rod: {from: [1, 0, 0], to: tip, radius: 10 mm}}",
                             "markers: {tip: {body: ground, at: [1, 3, 4]}}\n");
  CHECK((rod.kind == Shape::Kind::rod && rod.radius == 0.01));
  CHECK(rod.length == doctest::Approx(5.0));
  check_near(rod.at, {1, 1.5, 2});
  check_near(column(rod.axes, 2), {0, 0.6, 0.8});
  check_rotation(rod.axes);
  const Shape inner = shape_of("markers: {a: {at: [0, 0, 2]}}, shape: {cylinder: {radius: 1, from: bob, to: bob.a}}");
  CHECK((inner.kind == Shape::Kind::cylinder && inner.length == 2));
}

TEST_CASE("Repeated bodies have shapes of their own, and the ground has some") {
  const model::Model m = read_model_text(
      "skyhook: 1\nparameters: {L: 0.5 m}\nground: {shapes: [{box: {size: [1, 1, 0.1]}}, {sphere: {radius: 0.1}}]}\n"
      "bodies:\n  link[i=1..3]: {mass: 1, at: [=i*L, 0, 0], shape: {rod: {from: \"link[i]\", to: [=(i+1)*L, 0, 0], "
      "radius: \"=i*0.01[m]\"}}}\n"
      "joints:\n  j[i=1..3]: {type: revolute, from: ground, to: \"link[i]\"}\n",
      "m.yaml");
  CHECK(m.ground_shapes.size() == 2);
  for (int i = 0; i < 3; ++i) {
    REQUIRE(m.bodies[i].shapes.size() == 1);
    CHECK(m.bodies[i].shapes[0].radius == 0.01 * (i + 1));
    check_near(m.bodies[i].shapes[0].at, {0.5 * (i + 1.5), 0, 0});
  }
}

TEST_CASE("Shapes survive the expanded model bit for bit") {
  const model::Model a = with(all_kinds, tip), b = read_model_text(a.expanded, "m.yaml");
  CHECK(a.expanded == b.expanded);
  REQUIRE(a.bodies[0].shapes.size() == 6);
  REQUIRE(b.bodies[0].shapes.size() == 6);
  for (std::size_t i = 0; i < 6; ++i) CHECK(equal(a.bodies[0].shapes[i], b.bodies[0].shapes[i]));
  CHECK(a.bodies[0].shapes[3].colour == "#aabbcc");
}

TEST_CASE("Wrong shapes") {
  CHECK(has(error_of("{boks: {size: [1, 1, 1]}}"),
            "m.yaml:3:26: body \"bob\": shape has the field \"boks\", which is not known.\n  Did you mean \"box\"?"));
  CHECK(has(error_of("{box: {size: [1, 1, 1]}, sphere: {radius: 1}}"),
            "body \"bob\": shape has 2 kinds, but should have one.\n  Write a list"));
  CHECK(has(error_of("{}"), "body \"bob\": shape has 0 kinds"));
  CHECK(has(error_of("box"), "body \"bob\": shape should be a map of fields"));
  CHECK(has(error_of("{box: {}}"), "body \"bob\": box needs \"size\"."));
  CHECK(has(error_of("{box: {size: [1, 0, 1]}}"), "body \"bob\": box: size is 0 m, but must be"));
  CHECK(has(error_of("{sphere: {radius: -1}}"), "body \"bob\": sphere: radius is -1 m, but must be"));
  CHECK(has(error_of("{sphere: {radius: 1 kg}}"), "but needs m."));
  CHECK(has(error_of("{wheel: {radius: 1, width: 0}}"), "wheel: width is 0 m"));
  CHECK(has(error_of("{wheel: {radius: 1, width: 1, axis: [0, 0, 0]}}"), "wheel: axis has no direction."));
  CHECK(has(error_of("{cylinder: {radius: 1}}"), "cylinder needs its length, or its two ends"));
  CHECK(has(error_of("{cylinder: {radius: 1, length: 1, from: bob, to: [1, 1, 1]}}"), "and not both"));
  CHECK(has(error_of("{cylinder: {radius: 1, from: bob}}"), "or its two ends"));
  CHECK(has(error_of("{rod: {from: [1, 1, 1], to: [1, 1, 1], radius: 1}}"), "body \"bob\": rod has no length"));
  CHECK(has(error_of("{rod: {from: [1, 1, 1], radius: 1}}"), "rod needs \"to\"."));
  CHECK(has(error_of("{rod: {from: bub, to: [1, 1, 1], radius: 1}}"),
            "rod: from is marker or body \"bub\", which is not defined.\n  Did you mean \"bob\"?"));
  CHECK(has(error_of("{rod: {from: [1, 1], to: [1, 1, 1], radius: 1}}"), "rod: from should be a vector"));
  const std::string colour = error_of("{sphere: {radius: 1, colour: rad}}");
  CHECK(has(colour, "body \"bob\": sphere: colour is \"rad\", which is not understood."));
  CHECK(has(colour, "Did you mean \"red\"?"));
  CHECK(has(error_of("{sphere: {radius: 1, colour: \"#12345g\"}}"), "which is not understood."));
  CHECK(
      has(errors_of(pendulum("mass: 1, shapes: {box: {size: [1, 1, 1]}}")), "shapes should be a list, but is a map."));
  CHECK(has(errors_of(pendulum("mass: 1, shape: {sphere: {radius: 1}}, shapes: []")), "has both shape and shapes."));
  CHECK(has(errors_of(pendulum("mass: 1", "ground: {shap: 1}\n")), "the ground has the field \"shap\""));
  CHECK(has(errors_of(pendulum("mass: 1", "ground: {shapes: [{box: 1}]}\n")), "the ground: box should be a map"));
}

TEST_CASE("A mesh is found beside the model, read once, and again from the expanded model") {
  const Folder folder;
  const std::string mesh = folder.write("parts/plate.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  const std::string model =
      "skyhook: 1\nbodies:\n  b[i=1..2]: {mass: 1, shape: {mesh: {file: parts/plate.obj, scale: 0.001, at: [0, 0, 1], "
      "colour: steel}}}\njoints:\n  j[i=1..2]: {type: revolute, from: ground, to: \"b[i]\"}\n";
  const model::Model a = folder.read(model);
  const Shape& shape = a.bodies[0].shapes.at(0);
  CHECK(shape.kind == Shape::Kind::mesh);
  check_near(shape.size, {0.001, 0.001, 0.001});
  check_near(shape.at, {0, 0, 1});
  REQUIRE(shape.mesh);
  CHECK(shape.mesh->corners.size() == 3);
  CHECK(shape.mesh == a.bodies[1].shapes.at(0).mesh);
  CHECK(std::count(a.files.begin(), a.files.end(), mesh) == 1);
  const model::Model b = folder.read(a.expanded);
  CHECK(b.expanded == a.expanded);
  CHECK(equal(b.bodies[0].shapes.at(0), shape));
  CHECK(has(a.expanded, "file: parts/plate.obj"));  // relative, as written
}

TEST_CASE("The file of a mesh is opened once for all instances of a repeated body") {
  int opened = 0;
  const ReadOptions options{{}, [&](const std::string&) -> std::optional<std::string> {
                              ++opened;
                              return "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
                            }};
  const model::Model m = read_model_text(
      "skyhook: 1\nbodies:\n  b[i=1..5]: {mass: 1, shape: {mesh: {file: plate.obj}}}\njoints:\n  j[i=1..5]: {type: "
      "revolute, from: ground, to: \"b[i]\"}\n",
      "m.yaml", {}, "", options);
  CHECK(opened == 1);
  CHECK(m.bodies[4].shapes.at(0).mesh == m.bodies[0].shapes.at(0).mesh);
}

TEST_CASE("Wrong meshes") {
  const Folder folder;
  folder.write("bad.stl", "solid\nvertx\n");
  const auto with_mesh = [](const std::string& mesh) { return pendulum("mass: 1, shape: {mesh: " + mesh + "}"); };
  CHECK(has(folder.errors(with_mesh("{file: none.stl}")), "mesh: file: the file \"none.stl\" is not found."));
  CHECK(has(folder.errors(with_mesh("{file: .}")), "(a folder is no file)"));
  folder.write("m.txt", "");
  CHECK(has(folder.errors(with_mesh("{file: m.txt}")),
            "m.yaml:3:39: body \"bob\": mesh: the ending of \"m.txt\" is that of no known kind of mesh."));
  CHECK(has(folder.errors(with_mesh("{file: bad.stl}")), "bad.stl:2: body \"bob\": mesh: \"vertx\" is no word"));
  CHECK(has(folder.errors(with_mesh("{file: bad.stl, scale: [1, 2]}")), "scale should be one number or three"));
  CHECK(has(folder.errors(with_mesh("{file: bad.stl, scale: 0}")), "none of them zero"));
  CHECK(has(errors_of(with_mesh("{file: bad.stl}")), "the model is given as a text, so other files are not read."));
}
