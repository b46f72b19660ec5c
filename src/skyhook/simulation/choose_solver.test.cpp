#include "skyhook/simulation/choose_solver.h"

#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/formalism/plane_linkage.testing.h"
#include "skyhook/formulation/moving_linkages.testing.h"

using namespace skyhook;
using namespace skyhook::simulation;
using doctest::Approx;

namespace {

// A block of 2 kg on a guide, with spring and damper.
Prepared block(double stiffness, double damping) {
  formalism::testing::Linkage l;
  const int body = l.rod("block", {0, 0, 0}, {1, 0, 0}, 2);
  l.slide("guide", model::ground, body, {0, 0, 0}, {1, 0, 0});
  formulation::testing::resist(l, 0, stiffness, damping);
  return prepare(l.model, {});
}

double rate_of(const Prepared& prepared) { return fastest_rate(*prepared.active, prepared.state); }

Choice choice(const Prepared& prepared, const std::string& solver = "auto") {
  model::Experiment e;
  e.until = 5, e.solver = solver;
  return choose_solver(prepared, e);
}

}  // namespace

// Eigenvalues of (x, v)' = (v, -k/m x - d/m v).
TEST_CASE("the fastest rate is that of the oscillator, or of the decay where the damper leads") {
  CHECK(rate_of(block(200, 0)) == Approx(10).epsilon(0.02));
  CHECK(rate_of(block(200, 4)) == Approx(10).epsilon(0.05));  // a pair of complex numbers of this size
  const double d = 2000.0 / 2;
  CHECK(rate_of(block(200, 2000)) == Approx(d / 2 + std::sqrt(d * d / 4 - 100)).epsilon(0.02));
}

TEST_CASE("auto: models that are not stiff are integrated explicitly, stiff ones implicitly, and it says why") {
  const Choice mild = choice(block(200, 4)), stiff = choice(block(200, 2000));
  CHECK(mild.solver.name() == "adams/projecting");
  CHECK(mild.why.find("not stiff") != std::string::npos);
  CHECK(stiff.solver.name() == "bdf/ggl");
  CHECK(stiff.why.find("is stiff") != std::string::npos);
  const Choice loop = choice(prepare(formalism::testing::four_bar().model, {}));
  CHECK(loop.solver.name() == "dopri5/projecting");
  CHECK(loop.why.find("not stiff") != std::string::npos);
}

// A rate of 1e100 1/s, whose square is beyond all numbers; it was taken for none at all.
TEST_CASE("auto: a rate that cannot be told is no reason for an explicit method") {
  CHECK(std::isinf(rate_of(block(2e200, 0))));
  CHECK(choice(block(2e200, 0)).solver.name() == "bdf/ggl");
  CHECK(choice(block(2e200, 0)).why.find("cannot be found out") != std::string::npos);
}

// The rate is 10 1/s: one step passes 0.1 s.
TEST_CASE("auto: with samples that follow each other closely it is dopri5, and adams where they are rare") {
  const auto sampled = [](std::vector<double> times) {
    Prepared p = block(200, 4);
    auto model = std::make_shared<model::Model>(*p.model);
    for (const double time : times) model->controllers.push_back({.name = "pid", .sample_time = time});
    p.model = model;
    return choice(p);
  };
  CHECK(sampled({}).solver.name() == "adams/projecting");
  CHECK(sampled({1.0}).solver.name() == "adams/projecting");
  CHECK(sampled({0.15}).solver.name() == "adams/projecting");
  const Choice often = sampled({1.0, 0.01});
  CHECK(often.solver.name() == "dopri5/projecting");
  CHECK(often.why.find("sampled every 0.01 s") != std::string::npos);
  CHECK(often.why.find("start again") != std::string::npos);
}

TEST_CASE("what does not fit the model or the other options is refused") {
  const Prepared p = block(200, 4);
  CHECK(choice(p, "radau5/index2").why.empty());
  model::Experiment e;
  e.until = 1, e.solver = "dopri5", e.jacobian = "dense";
  CHECK_THROWS_AS(choose_solver(p, e), ModelError);
  e.solver = "auto";
  CHECK(choose_solver(p, e).solver.integrator == Integrator::bdf);
  e.jacobian = "dense+partitioned";  // which ida does not know
  CHECK(choose_solver(p, e).solver.integrator == Integrator::bdf);
}
