// References: the mirror image p -> S p + move, with S = diag(1, -1, 1) for y. A shape is compared by the points of its
// surface, whose images must lie on the mirrored shape; a table by -f(-x) or f(x).
#include <cmath>

#include "skyhook/io/model_file/folder.testing.h"

using namespace skyhook;
using namespace skyhook::io;
using model::Shape;

namespace {

const std::string wedge = "v 0 0 0\nv 3 0 0\nv 0 2 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\n";  // has no symmetry

const std::string shapes =
    "    bodies:\n"
    "      b:\n"
    "        mass: 1\n"
    "        at: [0.3, 0.5, 0.2]\n"
    "        orientation: {cardan: [0.3, -0.2, 0.5]}\n"
    "        markers: {tip: {at: [0.7, 0.9, 0.1]}}\n"
    "        shapes:\n"
    "          - box: {size: [0.1, 0.2, 0.3]}\n"
    "          - box: {size: [0.1, 0.2, 0.3], at: [1, 2, 3], orientation: {quaternion: [0.8, 0.2, -0.4, 0.4]}}\n"
    "          - cylinder: {radius: 0.1, length: 0.4}\n"
    "          - cylinder: {radius: 0.1, length: 0.4, axis: [1, 2, 3], at: [1, 1, 1]}\n"
    "          - cylinder: {radius: 0.1, from: [0, 0.1, 0.2], to: b.tip}\n"
    "          - sphere: {radius: 0.2, at: [0, 1, 0]}\n"
    "          - wheel: {radius: 0.3, width: 0.2}\n"
    "          - wheel: {radius: 0.3, width: 0.2, axis: [0.1, 1, 0.2], at: [0, 0.7, 0.3]}\n"
    "          - rod: {from: b, to: [0, 1, 2], radius: 0.01}\n"
    "          - rod: {from: ground, to: b.tip, radius: 0.01}\n"
    "          - mesh: {file: wedge.obj}\n"
    "          - mesh: {file: wedge.obj, scale: 0.1, at: [1, 1, 2], orientation: {x: [1, 0.2, 0.1], y: [0, 1, 0.3]}}\n"
    "          - mesh: {file: wedge.obj, scale: [0.1, -0.2, 0.3], orientation: {cardan: [0.1, 0.2, 0.3]}}\n";

struct Image {
  Vec3d sign, move;
  Vec3d operator()(const Vec3d& p) const { return direction(p) + move; }
  Vec3d direction(const Vec3d& v) const { return {sign.x * v.x, sign.y * v.y, sign.z * v.z}; }
};

Vec3d scaled(const Vec3d& v, const Vec3d& s) { return {v.x * s.x, v.y * s.y, v.z * s.z}; }

void check_near(const Vec3d& a, const Vec3d& b) {
  CAPTURE(a.x);
  CAPTURE(a.y);
  CAPTURE(a.z);
  CHECK(norm(a - b) < 1e-14);
}

// A box and a bar are their own images in their own axes, so that an axis may point either way.
void check_axis(const Shape& left, const Shape& right, int i, const Image& image) {
  const Mat3d l = transpose(left.axes), r = transpose(right.axes);
  const Vec3d a = image.direction(i == 0 ? l.r0 : i == 1 ? l.r1 : l.r2), b = i == 0 ? r.r0 : i == 1 ? r.r1 : r.r2;
  CHECK(norm(cross(a, b)) < 1e-14);
}

void check_rotation(const Mat3d& m) {
  check_near(cross(m.r0, m.r1), m.r2);  // right-handed: viewers expect a rotation
}

void check_mesh(const Shape& left, const Shape& right, const Image& image) {
  REQUIRE((left.mesh && left.mesh == right.mesh));
  for (const Vec3d& v : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}}) {
    check_near(right.at + right.axes * scaled(v, right.size), image(left.at + left.axes * scaled(v, left.size)));
  }
}

void check_image(const Shape& left, const Shape& right, const Image& image) {
  CHECK(left.kind == right.kind);
  CHECK(left.radius == right.radius);
  CHECK(left.length == doctest::Approx(right.length).epsilon(1e-15));
  check_near(right.at, image(left.at));
  check_rotation(right.axes);
  if (left.kind == Shape::Kind::mesh) return check_mesh(left, right, image);
  CHECK(left.size == right.size);
  if (left.kind == Shape::Kind::box) {
    for (int i = 0; i < 3; ++i) check_axis(left, right, i, image);
  } else if (left.kind != Shape::Kind::sphere) {
    check_axis(left, right, left.kind == Shape::Kind::wheel ? 1 : 2, image);
  }
}

struct Pair {
  model::Model model;
  const std::vector<Shape>& shapes(std::size_t body) const { return model.bodies.at(body).shapes; }
};

// A part of one body that slides and turns about y, with what is given for its coordinates.
std::string turning(const std::string& forces, const std::string& drive = "") {
  return "skyhook: 1\ntemplates:\n  t:\n    bodies: {b: {mass: 1}}\n"
         "    joints: {c: {type: cylindrical, from: ground, to: b, axis: y" +
         drive + "}}\n    forces: {" + forces + "}\nuse: {l: {template: t}, r: {template: t, mirror: y}}\n";
}

const std::string bent = "x, y\n-1, -2\n0, 0.5\n2, 4\n";  // neither odd nor even

}  // namespace

TEST_CASE("Shapes of a mirrored part are mirror images") {
  const Folder folder;
  folder.write("wedge.obj", wedge);
  const std::string start = "skyhook: 1\ntemplates:\n  t:\n" + shapes +
                            "    joints: {j: {type: free, from: ground, to: b}}\nuse:\n  l: {template: t}\n  r: ";
  struct Case {
    const char* use;
    Image image;
  };
  for (const Case& c : {Case{"{template: t, mirror: y}", {{1, -1, 1}, {}}},
                        Case{"{template: t, mirror: x, move: [1, 2, 3]}", {{-1, 1, 1}, {1, 2, 3}}},
                        Case{"{template: t, move: [0, 0, 1]}", {{1, 1, 1}, {0, 0, 1}}},
                        Case{"{mirror: z, use: {q: {template: t, mirror: y}}}", {{1, -1, -1}, {}}}}) {
    CAPTURE(std::string(c.use));
    const Pair pair{folder.read(start + c.use + "\n")};
    REQUIRE(pair.shapes(0).size() == 13);
    REQUIRE(pair.shapes(1).size() == 13);
    for (std::size_t i = 0; i < 13; ++i) {
      CAPTURE(i);
      check_image(pair.shapes(0)[i], pair.shapes(1)[i], c.image);
    }
    const Pair again{folder.read(pair.model.expanded)};
    CHECK(again.model.expanded == pair.model.expanded);
    for (std::size_t i = 0; i < 13; ++i) check_image(again.shapes(0).at(i), again.shapes(1).at(i), c.image);
  }
}

TEST_CASE("A table from a file follows its coordinate: -f(-x) where that changes its sign, f(x) where not") {
  const Folder folder;
  folder.write("bent.csv", bent);
  for (const std::string table :
       {"{file: bent.csv}", "{table: [[-1000, -2], [0, 0.5], [2000, 4]], units: [UNIT, 1]}"}) {
    CAPTURE(table);
    const auto in = [&](const char* x, const char* y) {
      std::string text = table;
      if (const auto at = text.find("[UNIT, 1]"); at != std::string::npos)
        text.replace(at, 9, std::string("[") + x + ", " + y + "]");
      return text;
    };
    const model::Model m =
        folder.read(turning("turn: {type: spring_damper, joint: c.angle, moment: " + in("mrad", "N.m") +
                            "}, slide: {type: spring_damper, joint: c.displacement, force: " + in("mm", "N") + "}"));
    const auto check = [](const model::Model& read) {
      REQUIRE(read.contributions.size() == 4);
      for (const double x : {-0.9, -0.5, 0.0, 0.3, 1.0}) {
        const auto law = [&](std::size_t i, double at) {
          return read.contributions[i].coordinate->force(at, 0.0, 0.0);
        };
        CHECK(law(2, x) == doctest::Approx(-law(0, -x)));  // the angle about y is turned round by the mirror at y
        CHECK(law(3, x) == doctest::Approx(law(1, x)));
      }
      CHECK(std::abs(read.contributions[0].coordinate->force(0.0, 0.0, 0.0)) == doctest::Approx(0.5));
    };
    check(m);
    const model::Model again = folder.read(m.expanded);
    CHECK(again.expanded == m.expanded);
    check(again);
  }
}

TEST_CASE("A drive from a file in a mirrored part: the value changes its sign, the time does not") {
  const Folder folder;
  folder.write("bent.csv", bent);
  const model::Model m = folder.read(turning("", ", drive_angle: {file: bent.csv}"));
  REQUIRE(m.joints.size() == 2);
  for (const double t : {-1.0, 0.0, 0.7, 2.0}) {
    const auto value = [&](std::size_t i) { return m.joints[i].drive[1]->at(t).value; };
    CHECK(value(1) == doctest::Approx(-value(0)));
  }
  CHECK(folder.read(m.expanded).expanded == m.expanded);
}
