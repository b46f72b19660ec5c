// References: sequences by hand. Their numbers are binary fractions, so that nothing is rounded, except where sample times are
// tenths.
#include "skyhook/element/controller/pid.h"

#include "skyhook/element/controllers.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

namespace {

Pid pid(double sample_time, double kp, double ki, double kd = 0) {
  Pid p;
  p.input.channel = "body.x";
  p.sample_time = sample_time;
  p.kp = kp, p.ki = ki, p.kd = kd;
  return p;
}

// Without a setpoint the error is the negative input.
std::vector<double> answers(const Pid& pid, const std::vector<double>& errors) {
  SampledRun run(pid);
  std::vector<double> list;
  for (const double e : errors) list.push_back(run({-e})[0]);
  return list;
}

}  // namespace

TEST_CASE("Proportional, integral and filtered rate parts add up as by hand") {
  Pid p = pid(0.1, 2, 10, 0.5);
  p.derivative_filter = 0.1;
  p.setpoint = formula("1", "t:s");
  SampledRun run(p);
  CHECK(run({0})[0] == doctest::Approx(3));         // 2 + 1 + 0
  CHECK(run({0.5})[0] == doctest::Approx(1.25));    // 1 + 1.5 - 1.25
  CHECK(run({1.0})[0] == doctest::Approx(-0.375));  // 0 + 1.5 - 1.875
}

TEST_CASE("While the output is limited the integral waits, is led back or runs away") {
  const std::vector<double> errors{2, 2, 2, -1, -1, -1};
  Pid p = pid(1, 1, 1);
  p.lower = -2, p.upper = 2;
  CHECK(answers(p, errors) == std::vector<double>{2, 2, 2, -2, -2, -2});  // integral 0 0 0 -1 -1 -1
  p.anti_windup = "none";
  CHECK(answers(p, errors) == std::vector<double>{2, 2, 2, 2, 2, 2});  // integral 2 4 6 5 4 3
  p.anti_windup = "back_calculation";
  p.tracking_time = 2;
  CHECK(answers(p, errors) == std::vector<double>{2, 2, 2, -0.25, -1.25, -2});  // integral 1 1.5 1.75 0.75 -0.25 -1.125
}

TEST_CASE("An integral that leads back into the limits goes on") {
  Pid p = pid(1, 4, 1);
  p.upper = 2;
  CHECK(answers(p, {1, -0.25, 1}) == std::vector<double>{2, -1.25, 2});
  SampledRun run(p);
  run({-1.0});
  CHECK(run.memory[0] == 0);  // 4 + 1 is above 2
  run({0.25});
  CHECK(run.memory[0] == -0.25);
}

TEST_CASE("The setpoint is a formula of t, or a second input") {
  Pid p = pid(1, 1, 0);
  p.setpoint = formula("3[1/s]*t", "t:s");
  SampledRun with_formula(p);
  CHECK(with_formula({1}, 2.0)[0] == 5);
  p.setpoint.reset();
  p.setpoint_input.channel = "speed_loop";
  SampledRun with_input(p);
  CHECK(with_input({1, 7})[0] == 6);
  CHECK(with_input.controller().inputs[1].channel == "speed_loop");
  p.setpoint = formula("3", "t:s");
  CHECK(refused_field(p) == "setpoint_input");
}

TEST_CASE("Times, start value and unit of a controller go to the model") {
  Pid p = pid(0.25, 1, 0);
  p.offset = 1, p.delay = 0.5, p.starts = false, p.initial = {7}, p.unit = "kN";
  const SampledRun run(p);
  CHECK(run.controller().sample_time == 0.25);
  CHECK(run.controller().offset == 1);
  CHECK(run.controller().delay == 0.5);
  CHECK(!run.controller().starts_on);
  CHECK(run.model.signals.at(0).name == "part");
  CHECK(run.model.signals[0].unit == "N");  // all numbers are SI
  CHECK(run.model.signals[0].start == 7);
  p.initial = {1, 2};
  CHECK(refused_field(p) == "initial");
  p.initial = {};
  p.unit = "Newtons";
  CHECK(refused_field(p) == "unit");
  p.unit = "N", p.lower = 1, p.upper = 0;
  CHECK(refused_field(p) == "upper");
  p.upper = 2, p.delay = 1e6;
  CHECK(refused_field(p) == "delay");
}
