#include "skyhook/simulation/drive_jumps.h"

#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/element/source.testing.h"
#include "skyhook/formalism/plane_linkage.testing.h"
#include "skyhook/simulation/memory_sink.h"
#include "skyhook/simulation/simulate.h"

using namespace skyhook;
using namespace skyhook::simulation;
using element::test::motion;
using formalism::testing::Linkage;

namespace {

std::optional<Jump> jump_of(const std::string& of_t, double until) {
  const std::vector<Jump> jumps = find_jumps(motion(of_t), 0, until);
  return jumps.empty() ? std::nullopt : std::optional(jumps[0]);
}

void check_jump(const std::string& of_t, bool of_value, double t, double height) {
  CAPTURE(of_t);
  const auto jump = jump_of(of_t, 2);
  REQUIRE(jump);
  CHECK(jump->of_value == of_value);
  CHECK(std::abs(jump->t - t) < 1e-12);
  CHECK(std::abs(jump->height - height) < 1e-9);
}

// A plate that is driven up and down, alone or with a weight that slides on it.
MemorySink run(const std::string& drive, bool with_weight) {
  Linkage l;
  l.model->gravity = {};
  l.rod("plate", {0, 0, 0}, {1, 0, 0});
  if (with_weight) l.rod("weight", {0, 0, 1}, {1, 0, 1});
  model::Joint& stamp = l.slide("stamp", model::ground, 0, {0, 0, 0}, {0, 0, 1});
  Linkage::drive(stamp, drive);
  stamp.where = {"m.yaml", 7};
  if (with_weight) l.slide("guide", 0, 1, {0, 0, 1}, {0, 0, 1});
  model::Experiment e;
  e.name = "test", e.until = 2, e.output_step = 0.01;
  MemorySink sink;
  simulate(prepare(l.model, e), e, sink, {});
  return sink;
}

}  // namespace

TEST_CASE("Jumps of a drive are found where they are, with their height") {
  check_jump("0.1[m]*abs(t/1[s]-1)", false, 1, 0.2);                    // on a sample
  check_jump("0.1[m]*abs(t/1[s]-1.23456789)", false, 1.23456789, 0.2);  // between samples
  check_jump("0.1[m/s]*max(t-1[s], 0[s])", false, 1, 0.1);
  check_jump("sin(3*t/1[s]) + min(t/1[s], 0.7)", false, 0.7, -1);
  check_jump("if(t > 1.3[s], 0.5, 0.2) + cos(9*t/1[s])", true, 1.3, 0.3);
}

TEST_CASE("What is smooth has no jumps, however fast") {
  CHECK(!jump_of("sin(2*pi*25*t/1[s])", 60));
  CHECK(!jump_of("sin(2*pi*(25/120)*(t/1[s])^2)", 60));  // a sweep up to 25 Hz
  CHECK(!jump_of("0.1*1e-3*log(cosh((t/1[s]-1)/1e-3*0.3))", 2));
  CHECK(!jump_of("tanh((t/1[s]-1.0001)/1e-3)", 2));
  CHECK(!jump_of("if(t > 1[s], (t/1[s]-1)^2, 0)", 2));  // only the acceleration jumps
  CHECK(!jump_of("1000 + 1e-6*sin(t/1[s])", 2));
  CHECK(!jump_of("0.2", 2));
  CHECK(find_jumps(
            model::Motion(CubicSpline(std::vector<double>{0, 0.3, 0.9, 1.4, 2}, std::vector<double>{0, 1, -1, 3, 0})),
            0, 2)
            .empty());
}

TEST_CASE("A run tells of a drive that jumps, and of no other") {
  const auto kinked = run("0.1*abs(t-1)", true);
  CHECK(kinked.summary.status == RunStatus::finished);
  REQUIRE(!kinked.summary.warnings.empty());
  CHECK(kinked.summary.warnings[0].what.find("joint \"stamp\"") != std::string::npos);
  CHECK(kinked.summary.warnings[0].what.find("rate jumps by 0.2 m/s at t = 1 s") != std::string::npos);
  CHECK(kinked.summary.warnings[0].where.line == 7);
  CHECK(run("0.1*sin(t)", true).summary.warnings.empty());
}

TEST_CASE("A drive that is not finite ends the run and is named") {
  for (const bool with_weight : {false, true}) {
    for (const char* drive : {"0.1*sqrt(1-t)", "0.1*log(1-t)"}) {
      CAPTURE(with_weight);
      CAPTURE(drive);
      const auto r = run(drive, with_weight);
      CHECK(r.summary.status == RunStatus::failed);
      CHECK(r.summary.reason.find("he drive of joint \"stamp\"") != std::string::npos);
      CHECK(r.summary.reason.find("no finite number") != std::string::npos);
      CHECK(std::abs(r.summary.t_reached - 1) < 0.011);
      CHECK(r.summary.warnings.empty());  // its end is no jump
    }
  }
}
