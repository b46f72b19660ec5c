// References: JSON by RFC 8259, and points and axes worked out by hand.
#include "skyhook/simulation/scene.h"

#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/formalism/plane_linkage.testing.h"
#include "skyhook/math/rotation.h"
#include "skyhook/simulation/json.testing.h"

using namespace skyhook;
using namespace skyhook::simulation;
using formalism::testing::Linkage;
using testing::Json;

namespace {

model::Experiment short_run() {
  model::Experiment e;
  e.name = "test", e.until = 1;
  return e;
}

Json scene(const Linkage& l) {
  const Prepared prepared = prepare(l.model, short_run());
  REQUIRE(prepared.ok());
  return testing::JsonReader::read(scene_of(prepared));
}

void check_numbers(const Json& list, const std::vector<double>& expected) {
  REQUIRE(list.items.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    CHECK(list.items[i].number == doctest::Approx(expected[i]).epsilon(1e-14));
}

// One body on a hinge at [1, 2, 3]; its axes are turned by 90 deg about z: its x is the global y.
Linkage turned() {
  Linkage l;
  model::Body b;
  b.name = "arm", b.mass = 2, b.at = {1, 2, 3}, b.com = {1, 4, 3};
  b.axes = Mat3d::columns({0, 1, 0}, {-1, 0, 0}, {0, 0, 1});
  b.inertia = {{5, 0, 0}, {0, 6, 0}, {0, 0, 7}};
  l.model->bodies.push_back(b);
  l.hinge("pin", model::ground, 0, {1, 2, 3});
  return l;
}

}  // namespace

TEST_CASE("Scene: a four-bar hangs together as it was prepared") {
  const Json s = scene(formalism::testing::four_bar());
  check_numbers(s["gravity"], {0, -9.81, 0});
  CHECK(s["degrees_of_freedom"].number == 1);
  CHECK(s["coordinates"].number == 3);
  CHECK(s["constraints"].number == 5);
  CHECK(s["redundant"].number == 3);
  REQUIRE(s["bodies"].items.size() == 3);
  REQUIRE(s["joints"].items.size() == 4);
  int cuts = 0;
  for (const Json& joint : s["joints"].items) cuts += joint["cut"].truth ? 1 : 0;
  CHECK(cuts == 1);
  const Json& crank = s["bodies"][0];
  CHECK(crank["name"].text == "crank");
  CHECK(crank["tree"]["parent"].number == -1);
  CHECK(s["joints"][0]["cut"].truth == false);
  CHECK(s["joints"][0]["coordinates"][0].text == "angle");
  check_numbers(s["joints"][1]["at_from"], {0, 0.4, 0});  // B seen from the crank, whose point is A
  check_numbers(s["joints"][1]["at_to"], {0, 0, 0});      // and from the coupler, whose point it is
}

TEST_CASE("Scene: the cut that the user chose is marked, and the tree leaves it out") {
  Linkage l = formalism::testing::four_bar();
  l.model->joints[1].cut = true;
  const Json s = scene(l);
  for (int j = 0; j < 4; ++j) CHECK(s["joints"][j]["cut"].truth == (j == 1));
  for (const Json& body : s["bodies"].items) CHECK(body["tree"]["joint"].number != 1);
}

TEST_CASE("Scene: points and axes are those of the body, however it is turned") {
  Linkage l = turned();
  model::Shape box;
  box.at = {1, 4, 3}, box.size = {1, 2, 3}, box.colour = "#3366cc";  // global axes
  l.model->bodies[0].shapes = {box};
  l.model->ground_shapes = {box};
  l.model->markers.push_back({"tip", {}, 0, {0, 2, 5}, l.model->bodies[0].axes});
  l.model->markers.push_back({"wall", {}, model::ground, {0, 2, 5}, Mat3d::identity()});
  const Json s = scene(l), &arm = s["bodies"][0], &shape = arm["shapes"][0];
  const double c = std::sqrt(0.5);
  check_numbers(arm["at"], {1, 2, 3});
  check_numbers(arm["quaternion"], {c, 0, 0, c});
  check_numbers(arm["com"], {2, 0, 0});
  check_numbers(arm["inertia"], {6, 5, 7, 0, 0, 0});
  CHECK(shape["kind"].text == "box");
  CHECK(shape["colour"].text == "#3366cc");
  check_numbers(shape["at"], {2, 0, 0});
  check_numbers(shape["quaternion"], {c, 0, 0, -c});  // back to the global axes
  check_numbers(shape["size"], {1, 2, 3});
  check_numbers(s["ground"]["shapes"][0]["at"], {1, 4, 3});
  check_numbers(s["markers"][0]["at"], {0, 1, 2});
  check_numbers(s["markers"][0]["quaternion"], {1, 0, 0, 0});
  check_numbers(s["markers"][1]["at"], {0, 2, 5});
  check_numbers(s["joints"][0]["at_from"], {1, 2, 3});
  check_numbers(s["joints"][0]["at_to"], {0, 0, 0});
  check_numbers(s["joints"][0]["axis"], {0, 0, 1});
}

TEST_CASE("Scene: every kind of shape, and the triangles of a mesh") {
  using Kind = model::Shape::Kind;
  Linkage l = turned();
  const char* names[] = {"box", "cylinder", "sphere", "wheel", "rod", "mesh"};
  for (const Kind kind : {Kind::box, Kind::cylinder, Kind::sphere, Kind::wheel, Kind::rod, Kind::mesh}) {
    model::Shape shape;
    shape.kind = kind, shape.radius = 0.25, shape.length = 0.5;
    if (kind == Kind::mesh)
      shape.mesh = std::make_shared<model::Mesh>(model::Mesh{{0, 0, 0, 1, 0, 0, 0, 0.1f, 1e-20f}, {0, 1, 2}});
    l.model->bodies[0].shapes.push_back(shape);
  }
  const Json s = scene(l), &shapes = s["bodies"][0]["shapes"];
  REQUIRE(shapes.items.size() == 6);
  for (int i = 0; i < 6; ++i) {
    CHECK(shapes[i]["kind"].text == names[i]);
    CHECK(shapes[i]["radius"].number == 0.25);
    CHECK(shapes[i]["length"].number == 0.5);
    CHECK(shapes[i].entries.count("vertices") == (i == 5 ? 1 : 0));
  }
  REQUIRE(shapes[5]["vertices"].items.size() == 9);
  CHECK(static_cast<float>(shapes[5]["vertices"][7].number) == doctest::Approx(0.1f));
  check_numbers(shapes[5]["corners"], {0, 1, 2});
}

TEST_CASE("Scene: names that would break JSON do not") {
  const std::string hostile = "a\"b\\c\n\t</script>\x01{}[],:";
  Linkage l = turned();
  l.model->bodies[0].name = l.model->joints[0].name = hostile;
  l.model->bodies[0].shapes.emplace_back().colour = hostile;
  l.model->markers.push_back({hostile, {}, 0, {}, Mat3d::identity()});
  const Json s = scene(l);
  CHECK(s["bodies"][0]["name"].text == hostile);
  CHECK(s["joints"][0]["name"].text == hostile);
  CHECK(s["markers"][0]["name"].text == hostile);
  CHECK(s["bodies"][0]["shapes"][0]["colour"].text == hostile);
}

TEST_CASE("Scene: rods, couplers and forces say whom they connect") {
  Linkage l = turned();
  const int other = l.rod("other", {0, 0, 3}, {0, 1, 3});
  l.hinge("other_pin", model::ground, other, {0, 0, 3});
  model::Contribution rod;
  rod.name = "stay", rod.from.body = other, rod.from.at = {0, 1, 3}, rod.to.body = 0, rod.to.at = {1, 4, 3};
  rod.row = {.kind = model::Row::Kind::distance, .length = std::sqrt(10.0)};
  l.model->contributions.push_back(rod);
  model::Contribution spring;
  spring.name = "spring", spring.type = "torsion", spring.joint = 0;
  struct Linear : model::CoordinateElement {
    double force(double x, double, double, const model::Setting&) const override { return -x; }
    Dual<2> force(const Dual<2>& x, const Dual<2>&, double, const model::Setting&) const override { return -x; }
  };
  spring.coordinate = std::make_shared<Linear>();
  l.model->contributions.push_back(spring);
  const Json s = scene(l);
  CHECK(s["rods"][0]["from"].number == other);
  check_numbers(s["rods"][0]["at_from"], {0, 1, 0});
  CHECK(s["rods"][0]["to"].number == 0);
  check_numbers(s["rods"][0]["at_to"], {2, 0, 0});
  CHECK(s["forces"][0]["joint"].number == 0);
  CHECK(s["forces"][0]["type"].text == "torsion");
  CHECK(s["couplers"].items.empty());
}
