// What is put into the model, and what is refused. How it moves: tests/ancf_sliding.test.cpp; its rows: formalism/recursive/mesh_node.test.cpp.
#include "skyhook/element/joint/point_on_line.h"

#include "skyhook/element/joint_check.testing.h"
#include "skyhook/flexible/ancf.h"
#include "skyhook/model/on_line.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

namespace {

flexible::AncfBeam wire(const std::string& name, double z) {
  flexible::AncfBeam beam;
  beam.name = name, beam.kind = flexible::AncfBeam::Kind::cable;
  beam.from = {0, 0, z}, beam.to = {2, 0, z};
  beam.material = {1e9, 4e8, 1000}, beam.section = flexible::round_section(0.01, 0, 0.25);
  return beam;
}

// Body 1 is a line, or two.
model::Model with_lines(int count) {
  model::Model model = two_bodies();
  std::vector<flexible::AncfBeam> lines{wire("upper", 1)};
  if (count > 1) lines.push_back(wire("lower", 0));
  model::ModalBody bends;
  bends.mesh = std::make_shared<const model::NodalMesh>(flexible::ancf_mesh("wires", {}, lines));
  model.bodies[1].modal = std::make_shared<const model::ModalBody>(std::move(bends));
  return model;
}

PointOnLine slide(const std::string& line) {
  PointOnLine p;
  p.from = marker(1, {0, 0, 1}), p.to = marker(0, {1, 0, 1}), p.line = line;
  return p;
}

}  // namespace

TEST_CASE("A point on a line: which line, how long, and one contact variable for two rows") {
  for (const auto& [line, count, number] :
       {std::tuple{"", 1, 0}, std::tuple{"upper", 2, 0}, std::tuple{"lower", 2, 1}}) {
    model::Model model = with_lines(count);
    TestSource source;
    PointOnLine p = slide(line);
    p.damping = 3;
    p.add_to(source, model);
    const auto* law = model::on_line(model.contributions.at(0).law.get());
    REQUIRE(law);
    CHECK(law->curve == number);
    CHECK(law->drag == 3);
    CHECK(law->declared().rows.size() == 2);
    CHECK(law->declared().contact_variables.at(0).nominal == doctest::Approx(2));
    CHECK(law->declared().has_loads);
  }
}

TEST_CASE("A point on a line is refused where there is no such line") {
  CHECK(refused_field(slide(""), with_lines(1)).empty());
  CHECK(refused_field(slide("")) == "from");                 // a rigid body
  CHECK(refused_field(slide(""), with_lines(2)) == "from");  // which of them?
  CHECK(refused_field(slide("middle"), with_lines(2)) == "line");
  CHECK(refused_field(slide("upper"), with_lines(1)) == "line");  // a single line has no name
  PointOnLine of_ground = slide("");
  of_ground.from = marker(model::ground, {});
  CHECK(refused_field(of_ground, with_lines(1)) == "from");
  PointOnLine itself = slide("");
  itself.to = itself.from;
  CHECK(refused_field(itself, with_lines(1)) == "to");
}
