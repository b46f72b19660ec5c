// The coach of [Arnold 2006] §4.1 and a train of five. References: the sizes that the paper gives; the coach with elastic contact; the weight.
#include <cmath>

#include "run_model.testing.h"
#include "skyhook/formulation/ggl.h"

using namespace skyhook;

namespace {

const std::vector<std::string> axles{"coach.front.front", "coach.front.rear", "coach.rear.front", "coach.rear.rear"};

}  // namespace

TEST_CASE("Coach on the S-line: 41 coordinates, 8 constraints, 98 unknowns, and a train of five has five times that") {
  const auto coach = testing::load("rail/s_line_coach"), train = testing::load("rail/s_line_train");
  const auto one = simulation::prepare(coach.model, coach.experiment), five = simulation::prepare(train.model, train.experiment);
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
