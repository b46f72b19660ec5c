#include "skyhook/formalism/fill.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "skyhook/formalism/plane_linkage.testing.h"

using namespace skyhook;
using namespace skyhook::formalism;
using skyhook::formalism::testing::Linkage;

namespace {

// Links one behind the other along x from (0, y) on; the first hangs on the ground.
void add_chain(Linkage& l, const std::string& name, int links, double y) {
  int before = model::ground;
  for (int k = 0; k < links; ++k) {
    const double x = 0.1 * k;
    const int body = l.rod(name + std::to_string(k), {x, y, 0}, {x + 0.1, y, 0});
    l.hinge(name + "_hinge" + std::to_string(k), before, body, {x, y, 0});
    before = body;
  }
}

}  // namespace

TEST_CASE("Parts of a model: what joints, rods and couplers connect, but not through the ground") {
  Linkage l;
  for (const char* name : {"a", "b", "c", "d"}) add_chain(l, name, 2, l.model->bodies.size());
  CHECK(mechanism_parts(*l.model) == std::vector<int>{0, 0, 1, 1, 2, 2, 3, 3});
  model::Contribution rod, gear;
  rod.name = "rod", rod.from = {"", {}, 1, {0.2, 0, 0}}, rod.to = {"", {}, 4, {0, 4, 0}};
  rod.row = {.kind = model::Row::Kind::distance, .length = 4};
  gear.name = "gear", gear.row = {.kind = model::Row::Kind::sum, .terms = {{3, 0, 1.0}, {6, 0, -1.0}}};
  l.model->contributions = {rod, gear};
  CHECK(mechanism_parts(*l.model) == std::vector<int>{0, 0, 1, 1, 0, 0, 1, 1});
}

// n links in the coordinates of their hinges: K is full, n^2 entries, and KLU counts the diagonal twice.
TEST_CASE("The fill of parts is that of each by itself, and more than the bound that the tree tells") {
  Linkage both, one;
  add_chain(both, "long", 20, 0), add_chain(both, "short", 7, 1), add_chain(one, "short", 7, 1);
  const std::vector<int> parts = mechanism_parts(*both.model), of_one = mechanism_parts(*one.model);
  const Topology joint = choose_joint_tree(*both.model);
  CHECK(fill_of(*both.model, joint, parts) == std::vector<double>{20 * 20 + 20, 7 * 7 + 7});
  CHECK(least_fill_of(*both.model, joint, parts) == std::vector<double>{20 * 20, 7 * 7});
  const auto absolute = [](const Linkage& l) { return choose_tree_in(*l.model, {}, model::Coordinates::absolute); };
  const double alone = fill_of(*one.model, absolute(one), of_one)[0];
  CHECK(alone > 7 * 36);
  CHECK(fill_of(*both.model, absolute(both), parts)[1] == alone);
}

TEST_CASE("A long chain chooses absolute coordinates, the pendulum beside it those of its joint") {
  Linkage l;
  add_chain(l, "chain", 400, 0);
  add_chain(l, "pendulum", 1, 1);
  l.model->coordinates = model::Coordinates::automatic;
  const Topology t = choose_tree(*l.model);
  CHECK(t.any_absolute);
  REQUIRE(t.cuts.size() == 400);
  CHECK(std::ranges::none_of(t.cuts, [](int joint) { return joint == 400; }));
  CHECK(t.links[t.link_of_body[400]].joint == 400);
  CHECK(t.why.starts_with("absolute for 400 of 401 bodies (chain0, chain1, chain2, chain3, chain4, ...)"));
  l.model->bodies[3].coordinates =
      model::Coordinates::joint;  // the user's word counts, where its joints do not lead to others
  CHECK(choose_tree(*l.model).any_absolute);
}

// The chain leaves it open, the rest has what the model says; both orders of saying it come to the same tree.
TEST_CASE("Bodies of a part choose by fill, whatever the model has for the others") {
  for (const auto of_model : {model::Coordinates::joint, model::Coordinates::absolute}) {
    Linkage l;
    add_chain(l, "chain", 400, 0);
    add_chain(l, "pendulum", 1, 1);
    l.model->coordinates = of_model;
    for (std::size_t b = 0; b < 400; ++b) l.model->bodies[b].coordinates = model::Coordinates::automatic;
    const Topology t = choose_tree(*l.model);
    CHECK(t.links[t.link_of_body[399]].joint == -1);
    CHECK(t.links[t.link_of_body[400]].joint == (of_model == model::Coordinates::joint ? 400 : -1));
    CHECK(t.why.starts_with("absolute for "));
  }
  Linkage l;
  add_chain(l, "short", 3, 0);
  l.model->bodies[1].coordinates = model::Coordinates::automatic;
  const Topology t = choose_tree(*l.model);
  CHECK(!t.any_absolute);
  CHECK(t.why.starts_with("those of joints for the bodies that leave it open, with "));
}
