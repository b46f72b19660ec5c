#include "skyhook/formalism/topology.h"

#include <doctest/doctest.h>

#include <set>

#include "skyhook/formalism/plane_linkage.testing.h"

using namespace skyhook;
using namespace skyhook::formalism;
using skyhook::formalism::testing::four_bar;
using skyhook::formalism::testing::Linkage;

namespace {

std::vector<std::string> cuts_of(const Linkage& l) {
  std::vector<std::string> names;
  for (int j : choose_tree(*l.model).cuts) names.push_back(l.model->joints[j].name);
  return names;
}

}  // namespace

TEST_CASE("The cut makes the tree shallow: in the middle of a loop") {
  CHECK(cuts_of(four_bar()) == std::vector<std::string>{"C"});
  const Topology t = choose_tree(*four_bar().model);
  int depth = 0;
  for (const auto& link : t.links) depth = std::max(depth, link.depth);
  CHECK(depth == 2);
}

TEST_CASE("Joints with most constraints stay in the tree, whatever the depth") {
  Linkage l = four_bar();
  l.model->joints.erase(l.model->joints.begin());
  l.ball("A", model::ground, 0, {0, 0, 0});  // three conditions against five of the hinges
  CHECK(cuts_of(l) == std::vector<std::string>{"A"});
}

TEST_CASE("The user's wish counts: cut true and cut false") {
  for (int j = 0; j < 4; ++j) {
    Linkage l = four_bar();
    l.model->joints[j].cut = true;
    CHECK(cuts_of(l) == std::vector<std::string>{l.model->joints[j].name});
  }
  Linkage l = four_bar();
  l.model->joints[3].cut = false;  // C stays
  CHECK(cuts_of(l).size() == 1);
  CHECK(cuts_of(l)[0] != "C");
}

TEST_CASE("A joint whose coordinate is needed stays in the tree") {
  Linkage l = four_bar();
  Linkage::drive(l.model->joints[3], "t");
  CHECK(cuts_of(l)[0] != "C");
  l.model->joints[3].drive[0].reset();
  model::Contribution tie;
  tie.name = "tie", tie.row = {.kind = model::Row::Kind::sum, .terms = {{3, 0, 1.0}, {0, 0, -1.0}}};
  l.model->contributions.push_back(tie);
  CHECK(cuts_of(l) != std::vector<std::string>{"C"});
  CHECK(cuts_of(l) != std::vector<std::string>{"A"});
}

TEST_CASE("A joint that is driven may be cut, by wish or because all of its loop are") {
  Linkage l = four_bar();
  l.model->joints[1].cut = true;
  Linkage::drive(l.model->joints[1], "t");
  CHECK(cuts_of(l) == std::vector<std::string>{"B"});
  Linkage all = four_bar();
  for (auto& joint : all.model->joints) Linkage::drive(joint, "t");
  CHECK(cuts_of(all).size() == 1);
}

TEST_CASE("In absolute coordinates all joints are cut, and every body floats by itself") {
  Linkage l = four_bar();
  l.model->coordinates = model::Coordinates::absolute;
  const Topology t = choose_tree(*l.model);
  CHECK(t.cuts.size() == 4);
  CHECK(t.any_absolute);
  REQUIRE(t.links.size() == 3);
  for (const TreeLink& link : t.links) CHECK((link.joint == -1 && link.depth == 1));
  CHECK(choose_joint_tree(*l.model).cuts.size() == 1);
}

TEST_CASE("A body in absolute coordinates has its joints cut, the others stay in the tree") {
  Linkage l = four_bar();
  l.model->bodies[1].coordinates = model::Coordinates::absolute;
  CHECK(cuts_of(l) == std::vector<std::string>{"B", "C"});
  l.model->coordinates = model::Coordinates::absolute;
  for (auto& body : l.model->bodies) body.coordinates = model::Coordinates::joint;
  CHECK(cuts_of(l) == std::vector<std::string>{"C"});
}

TEST_CASE("A body on cut joints or rods only floats on an implied free joint") {
  Linkage l;
  l.rod("stone", {0, 0, 0}, {1, 0, 0});
  model::Contribution rope;
  rope.name = "rope", rope.from = {"", {}, model::ground, {0, 1, 0}}, rope.to = {"", {}, 0, {0, 0, 0}};
  rope.row = {.kind = model::Row::Kind::distance, .length = 1};
  l.model->contributions.push_back(rope);
  const Topology t = choose_tree(*l.model);
  REQUIRE(t.links.size() == 1);
  CHECK(t.links[0].joint == -1);
  CHECK(t.links[0].parent == model::ground);
}

TEST_CASE("A chain that hangs on the far side is reversed where it must be") {
  Linkage l;
  const int a = l.rod("a", {0, 0, 0}, {1, 0, 0}), b = l.rod("b", {1, 0, 0}, {2, 0, 0});
  l.hinge("to_ground", a, model::ground, {0, 0, 0});
  l.hinge("between", b, a, {1, 0, 0});
  const Topology t = choose_tree(*l.model);
  REQUIRE(t.links.size() == 2);
  CHECK(t.links[0].reversed);
  CHECK(t.links[1].reversed);
  CHECK(t.links[1].parent == a);
}

TEST_CASE("Any model: every body once, parents first, depth first, cuts in the file's order") {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    auto m = formalism::testing::random_model(seed, {.bodies = 12, .loops = 4});
    for (auto& joint : m->joints) joint.cut.reset();
    const Topology t = choose_tree(*m);
    CHECK(t.links.size() == m->bodies.size());
    std::set<int> seen;
    for (std::size_t i = 0; i < t.links.size(); ++i) {
      const TreeLink& link = t.links[i];
      CHECK((link.parent == model::ground || seen.count(link.parent) == 1));
      CHECK(seen.insert(link.body).second);
      CHECK(t.link_of_body[link.body] == static_cast<int>(i));
      if (link.joint < 0) continue;
      CHECK(t.link_of_joint[link.joint] == static_cast<int>(i));
      const auto& joint = m->joints[link.joint];
      CHECK((link.reversed ? joint.from : joint.to) == link.body);
      CHECK((link.reversed ? joint.to : joint.from) == link.parent);
      CHECK(link.depth == (link.parent == model::ground ? 1 : t.links[t.link_of_body[link.parent]].depth + 1));
      // Depth first: the parent is the body before, or an ancestor of it.
      for (int p = i == 0 ? model::ground : t.links[i - 1].body; p != link.parent;
           p = t.links[t.link_of_body[p]].parent)
        REQUIRE(p != model::ground);
    }
    CHECK(std::is_sorted(t.cuts.begin(), t.cuts.end()));
    for (int j : t.cuts) CHECK(t.link_of_joint[j] == -1);
  }
}

TEST_CASE("Joints in loops are found whatever is cut: closed paths of joints and rods") {
  Linkage l = four_bar();
  const int flag = l.rod("flag", {0, 0, 0}, {0, 1, 0}), tip = l.rod("tip", {0, 1, 0}, {0, 2, 0});
  l.hinge("pole", 0, flag, {0, 0, 0});
  l.hinge("top", flag, tip, {0, 1, 0});
  CHECK(joints_in_loops(*l.model) == std::vector<bool>{true, true, true, true, false, false});
  model::Contribution stay;
  stay.name = "stay", stay.from.body = 0, stay.to.body = tip;
  stay.row = {.kind = model::Row::Kind::distance, .length = 1};
  l.model->contributions.push_back(stay);
  CHECK(joints_in_loops(*l.model) == std::vector<bool>{true, true, true, true, true, true});
  Linkage twice;  // two hinges between the same bodies close a loop
  twice.rod("a", {0, 0, 0}, {1, 0, 0});
  twice.hinge("left", model::ground, 0, {0, 0, 0});
  CHECK(joints_in_loops(*twice.model) == std::vector<bool>{false});
  twice.hinge("right", model::ground, 0, {1, 0, 0});
  CHECK(joints_in_loops(*twice.model) == std::vector<bool>{true, true});
}
