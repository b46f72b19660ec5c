// The coach of [Arnold 2006] §4.1 and a train of five. References: the sizes that the paper gives; the coach with elastic contact; the weight.
#include <cmath>
#include <map>

#include "program.testing.h"
#include "run_model.testing.h"
#include "skyhook/analysis/start.h"
#include "skyhook/formalism/evaluator.h"
#include "skyhook/formalism/recursive/equations.h"
#include "skyhook/formulation/ggl.h"
#include "skyhook/math/dense.h"

using namespace skyhook;

namespace {

const std::vector<std::string> axles{"coach.front.front", "coach.front.rear", "coach.rear.front", "coach.rear.rear"};

}  // namespace

TEST_CASE("Coach on the S-line: 41 coordinates, 8 constraints, 98 unknowns, and a train of five has five times that") {
  const auto coach = testing::load("rail/s_line_coach"), train = testing::load("rail/s_line_train");
  const auto one = simulation::prepare(coach.model, coach.experiment),
             five = simulation::prepare(train.model, train.experiment);
  REQUIRE_MESSAGE(one.ok(), one.problem());
  REQUIRE_MESSAGE(five.ok(), five.problem());
  CHECK(one.active->nv() == 41);
  CHECK(one.active->ng() == 8);
  const formulation::Ggl ggl(one.active);
  CHECK(ggl.structure().size() == 98);
  MESSAGE("non-zeros of the Jacobian: ", ggl.structure().pattern->nonzeros(), "; 1620 in the paper");
  CHECK(ggl.structure().pattern->nonzeros() < 98 * 98 / 3);
  CHECK(five.active->nv() == 205);
  CHECK(five.active->ng() == 40);
}

// Two routes: from the last multipliers with one response a wheel and the bend of rows along the motion, as samples have them; and from nothing, with six responses a wheel.
TEST_CASE("Coach on the S-line: accelerations that follow each other are those found afresh") {
  const auto coach = testing::load("rail/s_line_coach");
  const auto p = simulation::prepare(coach.model, coach.experiment);
  REQUIRE(p.ok());
  formalism::Evaluator evaluator(p.active, p.all);
  const auto& eq = *p.active->behind();
  auto ws = eq.workspace();
  formalism::AccelerationSolver fresh(eq);
  std::vector<double> q = p.state.q, v = p.state.v, a(v.size()), lambda(8), step(v.size());
  for (int k = 0; k < 6; ++k) {
    REQUIRE(evaluator.evaluate_accelerations(0.01 * k, q, v) == Eval::ok);
    REQUIRE(fresh.solve(0.01 * k, q, v, a, lambda, ws) == Eval::ok);
    for (std::size_t i = 0; i < a.size(); ++i) CHECK(std::abs(evaluator.now().a[i] - a[i]) < 1e-8 * largest(a));
    for (std::size_t i = 0; i < lambda.size(); ++i)
      CHECK(std::abs(evaluator.now().lambda[i] - lambda[i]) < 1e-8 * largest(lambda));
    for (std::size_t i = 0; i < v.size(); ++i)
      step[i] = 0.01 * v[i] + 1e-5 * std::sin(3.0 * static_cast<double>(i) + k),
      v[i] += 1e-3 * std::sin(2.0 * static_cast<double>(i) + k);
    eq.plus(q, step);
  }
}

// The same, where factors and slopes of loads are those of the first place and the solution begins with a guess that is a tenth off; and rates of multipliers along the motion, by
// first-order changes and by differences of solutions.
TEST_CASE(
    "Coach on the S-line: what factors and slopes of another place find does not show their age, nor where it began") {
  const auto coach = testing::load("rail/s_line_coach");
  const auto p = simulation::prepare(coach.model, coach.experiment);
  REQUIRE(p.ok());
  const auto& eq = *p.active->behind();
  auto ws = eq.workspace();
  formalism::AccelerationSolver keeps(eq), fresh(eq);
  keeps.keep_factors();
  std::vector<double> q = p.state.q, v = p.state.v, a(v.size()), lambda(8), a_kept = a, lambda_kept = lambda,
                      step(v.size());
  const auto is_near = [](const std::vector<double>& x, const std::vector<double>& of, double by) {
    double off = 0;
    for (std::size_t i = 0; i < x.size(); ++i) off = std::max(off, std::abs(x[i] - of[i]));
    return off < by * largest(of);
  };
  for (int k = 0; k < 8; ++k) {
    const double t = 0.01 * k;
    REQUIRE(fresh.solve(t, q, v, a, lambda, ws) == Eval::ok);
    std::vector<double> guess = a, guess_lambda = lambda;
    for (double& x : guess) x *= 1.1;
    for (double& x : guess_lambda) x *= 0.9;
    keeps.expect(t, guess, guess_lambda);
    REQUIRE(keeps.solve(t, q, v, a_kept, lambda_kept, ws) == Eval::ok);
    CHECK(is_near(a_kept, a, 1e-8));
    CHECK(is_near(lambda_kept, lambda, 1e-8));
    REQUIRE(keeps.can_follow(t, q, ws));
    constexpr double by = 1e-6;
    std::vector<double> there = q, speed = v;
    for (std::size_t i = 0; i < v.size(); ++i) step[i] = by * v[i] + 0.5 * by * by * a[i], speed[i] += by * a[i];
    eq.plus(there, step);
    std::vector<double> a_there = a, lambda_there = lambda;
    REQUIRE(fresh.solve(t + by, there, speed, a_there, lambda_there, ws) == Eval::ok);
    REQUIRE(keeps.follow(t + by, there, speed, a_kept, lambda_kept, ws) == Eval::ok);
    CHECK(is_near(a_kept, a_there, 1e-8));
    CHECK(is_near(lambda_kept, lambda_there, 1e-8));
    for (std::size_t i = 0; i < v.size(); ++i)
      step[i] = 0.01 * v[i] + 1e-5 * std::sin(3.0 * static_cast<double>(i) + k),
      v[i] += 1e-3 * std::sin(2.0 * static_cast<double>(i) + k);
    eq.plus(q, step);
  }
  MESSAGE(keeps.factorisations(), " factorisations for 8 solutions and as many beside them");
  CHECK(keeps.factorisations() <= 8);  // none beside, and none twice
}

// Elastic wheels sink in by a tenth of a millimetre, which constraints do not know; what guides the coach through the first arc is the same.
TEST_CASE("Coach on the S-line: quasi-elastic and elastic contact guide it alike") {
  const testing::Wish wish{.until = 3.5, .output_step = 0.5};
  auto elastic = wish;
  elastic.set = {{"contact", "multi_hertz"}};
  const auto a = testing::run("rail/s_line_coach", wish), b = testing::run("rail/s_line_coach", elastic);
  REQUIRE(a.sink.time.size() == b.sink.time.size());
  for (std::size_t k = 1; k < a.sink.time.size(); ++k) {
    double weight = 0;
    for (const std::string& axle : axles) {
      CHECK(std::abs(a.at(k, axle + ".lateral") - b.at(k, axle + ".lateral")) < 1.5e-3);
      for (const char* side : {".left.Q", ".right.Q"}) weight += a.at(k, axle + side);
    }
    CHECK(weight == doctest::Approx(44482 * 9.81).epsilon(0.02));
  }
  CHECK(std::abs(a.last("coach.front.front.lateral")) < 0.01);
  CHECK(a.sink.summary.cost.steps < 1500);
}

// What guides the coach through the first arc is its flanges, whatever contact and law of creep there are: the laws agree on where. Without creep nothing presses the wheelset to the outside but its share of the centrifugal force, so that it stays
// off the flange, at one place whatever the contact is.
TEST_CASE("Coach on the S-line: every contact with every law of creep comes into the first arc") {
  std::map<bool, double> first;  // with creep, and without
  for (const char* contact : {"quasi_elastic", "hertz", "multi_hertz"}) {
    for (const char* creep : {"polach", "she", "tanh", "fastsim", "fastsim_table", "none"}) {
      CAPTURE(std::string(contact) + ", " + creep);
      testing::Wish wish{.tolerance = 1e-3, .until = 3.2, .output_step = 0.8};
      wish.set = {{"contact", contact}, {"creep", creep}};
      const auto r = testing::run("rail/s_line_coach", wish);
      CHECK(r.sink.summary.status == simulation::RunStatus::finished);
      double weight = 0;
      for (const std::string& axle : axles) weight += r.last(axle + ".left.Q") + r.last(axle + ".right.Q");
      CHECK(weight == doctest::Approx(44482 * 9.81).epsilon(0.03));
      const double lateral = r.last("coach.front.front.lateral");
      const double there = first.try_emplace(std::string(creep) != "none", lateral).first->second;
      CHECK(lateral < -4e-3);  // outside, in a left arc
      CHECK(lateral == doctest::Approx(there).scale(0).epsilon(0.1));
    }
  }
  CHECK(first.at(true) < first.at(false));
}

// Buffers and screws are tightened at rest, and all cars have one speed: before the arc, where nothing bends the train, each buffer still pushes with 10 kN and the screw pulls with twice that.
TEST_CASE("Train of five on the S-line: couplings, weights, and the order in which the coaches come into the arc") {
  const auto r = testing::run("rail/s_line_train", {.tolerance = 1e-4, .until = 2.5, .output_step = 0.5});
  CHECK(r.sink.summary.status == simulation::RunStatus::finished);
  CHECK(r.sink.summary.energy_closure < 1e-3);
  for (int i = 1; i <= 5; ++i) {
    double weight = 0;
    for (std::string axle : axles) {
      axle.replace(0, 5, "coach[" + std::to_string(i) + "]");
      weight += r.last(axle + ".left.Q") + r.last(axle + ".right.Q");
    }
    CHECK(weight == doctest::Approx(44482 * 9.81).epsilon(0.03));
  }
  CHECK(std::abs(r.last("coach[1].front.front.lateral")) > 3e-3);
  for (int i = 3; i <= 5; ++i) CHECK(std::abs(r.last("coach[" + std::to_string(i) + "].front.front.lateral")) < 1e-4);
}

TEST_CASE("Coach on the S-line: on uneven track with contact by constraint") {
  const auto even = testing::run("rail/s_line_coach", {.tolerance = 1e-4, .until = 1.7, .output_step = 0.02});
  testing::Wish wish{.experiment = "uneven", .tolerance = 1e-4, .until = 1.7, .output_step = 0.02};
  const auto uneven = testing::run("rail/s_line_coach", wish);
  CHECK(uneven.sink.summary.status == simulation::RunStatus::finished);
  CHECK(uneven.sink.summary.energy_closure < 1e-3);
  const auto spread = [](const testing::Run& r) {
    double least = 1e9, most = 0;
    for (std::size_t k = 30; k < 80;
         ++k) {  // the first axle is 21.6 to 39.6 m along: behind the begin of the unevenness, before the arc
      const double q = r.at(k, "coach.front.front.left.Q");
      least = std::min(least, q), most = std::max(most, q);
    }
    return most - least;
  };
  CHECK(spread(even) < 500);
  CHECK(spread(uneven) > 1e3);
}

// The drive of the car would go on: what ends the run is the line under the first wheelset, with contacts by constraint too.
TEST_CASE("S-line coach: the run ends with the line, and says so") {
  const testing::Place at;
  const testing::Done done =
      at.run("run " + testing::model_path("rail/s_line_coach") + " --until 40 --output-step 5 --tolerance 1e-3 -q");
  CHECK(done.code == 3);
  CHECK_MESSAGE(testing::has(done.err, "end of track \"line\""), done.err);
}

// Rigid wheels that touch in two places: eight of them come through with friction, forty do not. Only the warning before the run is tested here; what is said where a wheel jumps on the spot is in
// simulation/event_density.test, since the time of it, and whether it comes at all, changes with last digits.
TEST_CASE("S-line coach: rigid wheels that cannot come through are told, with what to take in their place") {
  const auto said = [](const char* model, const char* contact) {
    const auto loaded = testing::load(model, {.set = {{"contact", contact}}});
    const auto p = analysis::prepare(loaded.model, loaded.experiment);
    std::string out;
    for (const Warning& w : p.warnings) out += w.name + " ";
    return out;
  };
  CHECK(said("rail/s_line_train", "rigid").find("rigid_wheels") != std::string::npos);
  CHECK(said("rail/s_line_train", "quasi_elastic").find("rigid_wheels") == std::string::npos);
  CHECK(said("rail/s_line_coach", "rigid").find("rigid_wheels") == std::string::npos);
}
