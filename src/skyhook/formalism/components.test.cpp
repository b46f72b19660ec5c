#include "skyhook/formalism/components.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "skyhook/formalism/consistency.h"
#include "skyhook/formalism/constrained_steps.h"
#include "skyhook/formalism/equations_of_motion.h"
#include "skyhook/formalism/evaluator.h"
#include "skyhook/formalism/free_motions.h"
#include "skyhook/formalism/plane_linkage.testing.h"

using namespace skyhook;
using namespace skyhook::formalism;
using recursive::Equations;
using skyhook::formalism::testing::four_bar;
using skyhook::formalism::testing::Linkage;
using skyhook::formalism::testing::random_model;

namespace {

// Hanging links, every joint cut: what absolute coordinates make of a chain.
Linkage cut_chain(int links) {
  Linkage l;
  for (int k = 0; k < links; ++k) {
    const double x = 0.1 * k;
    const int body = l.rod("link" + std::to_string(k), {x, 0, 0}, {x + 0.1, 0, 0});
    l.hinge("hinge" + std::to_string(k), body - 1, body, {x, 0, 0}).cut = true;
  }
  return l;
}

// Squares in a row, one side in common, hinged in all corners: one biconnected component.
Linkage ladder(int squares) {
  Linkage l;
  int before = l.rod("post0", {0, 0, 0}, {0, 1, 0});
  l.hinge("foot0", model::ground, before, {0, 0, 0});
  for (int k = 1; k <= squares; ++k) {
    const std::string n = std::to_string(k);
    const double x = k;
    const int rail = l.rod("rail" + n, {x - 1, 1, 0}, {x, 1, 0}), post = l.rod("post" + n, {x, 0, 0}, {x, 1, 0});
    l.hinge("foot" + n, model::ground, post, {x, 0, 0});
    l.hinge("left" + n, before, rail, {x - 1, 1, 0});
    l.hinge("right" + n, rail, post, {x, 1, 0});
    before = post;
  }
  return l;
}

void add_four_bar(Linkage& l, const std::string& n) {
  const int crank = l.rod("crank" + n, {0, 0, 0}, {0, 0.4, 0}),
            coupler = l.rod("coupler" + n, {0, 0.4, 0}, {1, 0.7, 0}),
            rocker = l.rod("rocker" + n, {1, 0, 0}, {1, 0.7, 0});
  l.hinge("A" + n, model::ground, crank, {0, 0, 0});
  l.hinge("B" + n, crank, coupler, {0, 0.4, 0});
  l.hinge("D" + n, model::ground, rocker, {1, 0, 0});
  l.hinge("C" + n, coupler, rocker, {1, 0.7, 0});
}

}  // namespace

TEST_CASE("Biconnected components of a graph: edges on a common circle, bridges by themselves") {
  // Two triangles that share vertex 2, a bridge 4-5, a double edge 5-6, an edge from 6 to itself, and 7 alone.
  const std::vector<GraphEdge> edges{{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}, {4, 2}, {4, 5}, {5, 6}, {6, 5}, {6, 6}};
  const std::vector<int> c = biconnected_components(8, edges);
  CHECK((c[0] == c[1] && c[1] == c[2]));
  CHECK((c[3] == c[4] && c[4] == c[5]));
  CHECK(c[7] == c[8]);
  CHECK(std::set<int>(c.begin(), c.end()).size() == 5);
}

TEST_CASE("Rows of a chain in absolute coordinates: each joint is a group of its own") {
  const Linkage chain = cut_chain(12);
  const Equations eq(chain.model, choose_tree(*chain.model));
  const auto groups = row_components(eq);
  CHECK(groups.size() == 12);
  for (const auto& group : groups) CHECK(group.rows.size() == 5);
  const Linkage loop = four_bar();
  CHECK(row_components(Equations(loop.model, choose_tree(*loop.model))).size() == 1);
}

// Driven joints are rows of measured coordinates, each between the two bodies of its joint. A coupler ties the joints that it reads.
TEST_CASE("Rows of measured coordinates stand with their joints, not with their neighbours") {
  Linkage chain = cut_chain(12);
  for (model::Joint& joint : chain.model->joints) Linkage::drive(joint, "0.1*t");
  const auto groups = row_components(Equations(chain.model, choose_tree(*chain.model)));
  CHECK(groups.size() == 12);
  for (const auto& group : groups) CHECK(group.rows.size() == 6);
  model::Contribution tie;
  tie.name = "tie", tie.row = {.kind = model::Row::Kind::sum, .terms = {{2, 0, 1.0}, {9, 0, -1.0}}};
  chain.model->contributions.push_back(tie);
  const auto tied = row_components(Equations(chain.model, choose_tree(*chain.model)));
  CHECK(tied.size() == 11);
  CHECK(std::ranges::count_if(tied, [](const RowGroup& group) { return group.rows.size() == 13; }) == 1);
}

// A free joint has no rows. What it measures depends on all joints of the chain between its bodies, and so does its drive.
TEST_CASE("The drive of a joint without rows stands in the loop that the others close") {
  Linkage l;
  for (int k = 0; k < 4; ++k) {
    const double x = 0.1 * k;
    const int body = l.rod("link" + std::to_string(k), {x, 0, 0}, {x + 0.1, 0, 0});
    l.joint("weld" + std::to_string(k), "fixed", body - 1, body, {x, 0, 0}, {0, 0, 1}).cut = true;
  }
  model::Joint& across = l.joint("across", "free", 0, 3, {0.3, 0, 0}, {0, 0, 1});
  across.cut = true;
  Linkage::drive(across, "0");
  const Equations eq(l.model, choose_tree(*l.model));
  const auto groups = row_components(eq);
  REQUIRE(eq.ng() == 4 * 6 + 1);
  CHECK(groups.size() == 2);  // the first weld by itself, the drive with all others
  const State design{0, eq.tree().q_design, std::vector<double>(static_cast<std::size_t>(eq.nv()), 0.0)};
  CHECK(find_rank(eq, design, Storage::sparse).rank == 24);
  CHECK(find_rank(eq, design, Storage::dense).rank == 24);
}

// Two routes: pivoted QR of all rows in the mass metric, and of each group in a metric of the coordinates alone. At positions where
// loops are open, too: rows and their groups do not ask whether they hold. A joint that is there twice makes rows redundant.
TEST_CASE("The ranks of the groups add up to that of the whole") {
  int redundant = 0, groups = 0, assembled = 0;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    for (const bool cut : {false, true}) {  // cut: bodies float, every joint is a constraint
      CAPTURE(cut);
      const auto model =
          random_model(seed, {.bodies = 8, .loops = 3, .rods = 1, .couplers = 1, .drives = int(seed % 2)});
      for (auto& joint : model->joints) joint.cut = cut && !joint.shape.rows.empty() ? std::optional(true) : joint.cut;
      if (const model::Joint& twin = model->joints[seed % 8]; !twin.shape.rows.empty()) {
        model->joints.push_back(model::Joint(twin));
        model::Joint& again = model->joints.back();
        again.name = "again", again.cut = true;
        for (auto& drive : again.drive) drive.reset();
      }
      const Topology topology = choose_tree(*model);
      const Equations eq(model, topology);
      State s = initial_guess(eq, 0);
      Linearised dense(eq, Trace::rank, nullptr, Storage::dense), sparse(eq, Trace::rank, nullptr, Storage::sparse);
      REQUIRE(dense.evaluate(s));
      REQUIRE(sparse.evaluate(s));
      const RowRank found = rank_by_component(sparse);
      const int rank = pivot_columns(dense.scaled(), rank_threshold).rank;
      CHECK(found.count() == rank);
      std::vector<int> kept, all(eq.nv());
      for (int j = 0; j < eq.nv(); ++j) all[j] = j;
      for (const auto& group : found.groups)
        kept.insert(kept.end(), group.independent.begin(), group.independent.end());
      CHECK(pivot_columns(transpose(dense.G.select(kept, all)), rank_threshold).rank == rank);
      redundant += eq.ng() - rank, groups += static_cast<int>(found.groups.size());
      if (!assemble(eq, s, {}).ok) continue;
      ++assembled;
      const Rank whole = find_rank(eq, s, Storage::dense), parts = find_rank(eq, s, Storage::sparse);
      CHECK(parts.here == whole.here);
      CHECK(parts.rank == whole.rank);
      CHECK(parts.independent.size() + parts.redundant.size() == static_cast<std::size_t>(eq.ng()));
    }
  }
  CHECK(redundant > 100);
  CHECK(groups > 150);
  CHECK(assembled > 10);
}

TEST_CASE("Redundancy of plane loops in space, of a chain and of one large component, is found by sparse QR too") {
  const Linkage chain = cut_chain(40);
  const Equations hanging(chain.model, choose_tree(*chain.model));
  const Rank of_chain = find_rank(hanging, initial_guess(hanging, 0));  // many: sparse by itself
  CHECK(is_sparse(hanging, Storage::by_size));
  CHECK(of_chain.rank == 200);
  CHECK(of_chain.redundant.empty());
  // Each square has two rows that count, of five: plane motion. Its freedoms: 1, however many squares.
  const Linkage row = ladder(70);  // 350 rows in one group: sparse QR within it
  const Equations eq(row.model, choose_tree(*row.model));
  REQUIRE(row_components(eq).size() == 1);
  REQUIRE(row_components(eq)[0].rows.size() > static_cast<std::size_t>(dense_rows));
  const Rank r = find_rank(eq, initial_guess(eq, 0));
  CHECK(r.rank == 140);
  CHECK(eq.tree().nv - r.rank == 1);
  for (const int k : r.independent) CHECK(eq.rows()[k].direction.starts_with("displacement"));
}

// Least of x^T M x / 2 - force^T x under G x = b, two routes: Cholesky and complete orthogonal decomposition, and one sparse LU.
TEST_CASE("Smallest steps by sparse factorisation are those of the dense one") {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    CAPTURE(seed);
    const auto model = random_model(seed, {.bodies = 7, .loops = 2, .rods = 1});
    const Equations eq(model, choose_tree(*model));
    State s = initial_guess(eq, 0);
    if (!assemble(eq, s, {}).ok) continue;
    Linearised dense(eq, Trace::nearest, nullptr, Storage::dense), sparse(eq, Trace::nearest, nullptr, Storage::sparse);
    REQUIRE(dense.evaluate(s));
    REQUIRE(sparse.evaluate(s));
    Vector x(eq.nv());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(1.0 + static_cast<double>(i));
    const Vector b = dense.G * x;  // so that redundant rows agree
    for (const std::vector<int>& held : {std::vector<int>{}, std::vector<int>{0}}) {
      if (!held.empty()) x[0] = 0;
      const Vector right = held.empty() ? b : dense.G * x;
      const Vector a = smallest_step(dense, right, held), c = smallest_step(sparse, right, held);
      for (int i = 0; i < eq.nv(); ++i) CHECK(std::abs(a[i] - c[i]) < 1e-6 * (1 + largest(a)));
    }
  }
}

// One group, whose rows depend on each other within the loops alone: five of a loop have rank two, the couplers count each. Right sides that
// contradict are met by least squares, G^T (G x - b) = 0, whatever the route; the dense one knows no groups.
TEST_CASE("Loops that couplers tie together are reduced one by one") {
  constexpr int loops = 6;
  Linkage l;
  for (int k = 0; k < loops; ++k) add_four_bar(l, std::to_string(k));
  for (int k = 1; k < loops; ++k) {
    model::Contribution tie;
    tie.name = "tie" + std::to_string(k), tie.row = {.kind = model::Row::Kind::sum, .terms = {}};
    for (const int loop : {k - 1, k}) tie.row->terms.push_back({4 * loop, 0, loop < k ? 1.0 : -1.3});
    l.model->contributions.push_back(tie);
  }
  const Equations eq(l.model, choose_tree(*l.model));
  const auto groups = row_components(eq);
  REQUIRE(groups.size() == 1);
  CHECK(groups[0].parts.size() == 2 * loops - 1);
  Linearised dense(eq, Trace::nearest, nullptr, Storage::dense), sparse(eq, Trace::nearest, nullptr, Storage::sparse);
  const State s = initial_guess(eq, 0);
  REQUIRE(dense.evaluate(s));
  REQUIRE(sparse.evaluate(s));
  const RowRank rank = rank_by_component(sparse);
  CHECK(rank.count() == 2 * loops + loops - 1);
  CHECK(rank.groups[0].parts.size() == groups[0].parts.size());
  Vector b(eq.ng());
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = std::sin(2.0 + static_cast<double>(i));
  const Vector x = smallest_step(sparse, b, {}), met = dense.G * x;
  Vector left(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) left[i] = met[i] - b[i];
  CHECK(largest(left) > 0.1);
  CHECK(largest(transpose(dense.G) * left) < 1e-12);
  const Vector by_dense = smallest_step(dense, met, {});  // of what can be met the smallest
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(std::abs(x[i] - by_dense[i]) < 1e-6 * largest(x));
}

// Rates of all hinges of a ladder, which has one freedom: rows of its constraints that are zeros, others that depend on nothing, given values that contradict
// each other. By hand: the motion along the freedom that comes nearest to the rates in least squares.
TEST_CASE("Constraints are met, and of too many given rates the least squares") {
  const Linkage row = ladder(3);
  const Equations eq(row.model, choose_tree(*row.model));
  GivenValues rates;
  for (int k = 0; k < static_cast<int>(row.model->joints.size()); ++k)
    rates.push_back({.joint = k, .scalar = 0, .value = std::sin(3.0 + k)});
  const Conditions given(eq, rates, Conditions::Of::rates);
  Linearised lin(eq, Trace::nearest, &given, Storage::sparse), dense(eq, Trace::nearest, nullptr, Storage::dense);
  const State s = initial_guess(eq, 0);
  REQUIRE(lin.evaluate(s));
  REQUIRE(dense.evaluate(s));
  const DenseMatrix freedom = null_space(dense.G, rank_threshold);
  REQUIRE(freedom.cols == 1);
  Vector along(lin.rows(), 0.0), b(lin.rows(), 0.0);
  multiply_add(lin.sparse_rows(), freedom.value, 1.0, along);
  double product = 0, square = 0;
  for (std::size_t k = 0; k < rates.size(); ++k) {
    const std::size_t at = static_cast<std::size_t>(eq.ng()) + k;
    b[at] = rates[k].value, product += along[at] * b[at], square += along[at] * along[at];
  }
  const RowRank rank = rank_by_component(lin);
  CHECK(rank.count() == eq.nv());
  ConstrainedSteps steps(lin, rank);
  for (int again = 0; again < 2; ++again) {  // the second time with what was factorised
    const Vector x = steps.nearest(Vector(eq.nv(), 0.0), b);
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(std::abs(x[i] - freedom.value[i] * product / square) < 1e-12);
  }
}

TEST_CASE("Free motions of many coordinates satisfy the constraints, one free coordinate at a time") {
  const Linkage chain = cut_chain(20);
  const Equations eq(chain.model, choose_tree(*chain.model));
  Linearised lin(eq, Trace::rank, nullptr, Storage::sparse);
  REQUIRE(lin.evaluate(initial_guess(eq, 0)));
  FreeMotions free(lin);
  REQUIRE(free.coordinates().size() == 20);
  for (int k = 0; k < 20; ++k) {
    const Vector v = free.motion(k);
    REQUIRE(v.size() == 120);
    Vector rate(lin.rows(), 0.0);
    multiply_add(lin.sparse_rows(), v, 1.0, rate);
    CHECK(largest(rate) < 1e-10 * largest(v));
    for (int i = 0; i < 20; ++i) CHECK(std::abs(v[free.coordinates()[i]] - (i == k ? 1.0 : 0.0)) < 1e-10);
  }
}

// Two loops in the same place have the characteristic length of one, so that reactions of least size must be those of one alone.
TEST_CASE("Reactions of indeterminate loops are found component by component") {
  const auto reactions = [](int loops) {
    Linkage l;
    for (int k = 0; k < loops; ++k) {
      add_four_bar(l, std::to_string(k));
    }
    const Topology topology = choose_tree(*l.model);
    const auto all = std::make_shared<const EquationsOfMotion>(l.model, topology);
    const State s = initial_guess(*all, 0);
    CHECK(static_cast<int>(row_components(*all).size()) == loops);
    const auto active = std::make_shared<const EquationsOfMotion>(l.model, topology, find_rank(*all, s).independent);
    CHECK(all->ng() - active->ng() == 3 * loops);
    Evaluator evaluator(active, all);
    REQUIRE(evaluator.evaluate(0, s.q, s.v) == Eval::ok);
    return evaluator.now().reactions;
  };
  const std::vector<double> one = reactions(1), two = reactions(2);
  REQUIRE(two.size() == 2 * one.size());
  CHECK(largest(one) > 1);
  for (std::size_t i = 0; i < two.size(); ++i) CHECK(std::abs(two[i] - one[i % one.size()]) < 1e-9 * largest(one));
}
