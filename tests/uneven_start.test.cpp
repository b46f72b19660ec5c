// A coach that stands on irregularities when it starts. References: what a formula of the irregularity is at the wheels, by hand; the static load, that a wheel has where the rail is as laid, and the load of a wheel that is
// pressed by millimetres deeper into it.
#include <fmt/format.h>

#include "program.testing.h"
#include "run_model.testing.h"

using namespace skyhook;

namespace {

// Its wheelsets stand at 10.78, 8.22, -8.22 and -10.78 m.
std::string coach(const std::string& irregularities) {
  return fmt::format(
      "skyhook: 1\ninclude: {}/models/rail/manchester/vehicle.yaml\nparameters: {{speed: 20 m/s, creep: {{text: "
      "polach}}}}\ntracks:\n  line: {{rail: uic60, inclination: \"1:40\", irregularities: {{{}}}}}\nuse:\n  coach: "
      "{{template: manchester, x: 0 m}}\noutputs: [\"*.Q\"]\nexperiments:\n  run: {{until: 10 ms, output_step: 1 "
      "ms}}\n",
      SKYHOOK_SOURCE_DIR, irregularities);
}

const std::string wave = "level: \"=3[mm]*cos(s/2[m])\", cross_level: \"=1[mm]*cos(s/2[m])\"";

std::string checked(const std::string& text) {
  const testing::Place at;
  at.write("m.yaml", text);
  const testing::Done done = at.run("check m.yaml run");
  CHECK_MESSAGE(done.code == 0, done.err);
  return done.out + done.err;
}

double largest_load(const std::string& text) {
  const testing::Place at;
  at.write("m.yaml", text);
  const auto r = testing::run(testing::load_again({}, [&](const auto& set, const std::string& experiment) {
    return io::read_model((at.path / "m.yaml").string(), set, experiment);
  }));
  double most = 0;
  for (const auto& row : r.sink.channels) most = std::max(most, row.front());
  return most;
}

}  // namespace

// By default irregularities come in over the first 20 m. At 10.78 m that is u^3 (10 - 15 u + 6 u^2) with u = 0.539, 0.573; cos(5.39) = 0.627: of 3 mm and half of 1 mm on the left 1.26 mm. At 8.22 m there are
// 0.337 and cos(4.11) = -0.567, thus -0.67 mm; the rear bogie stands before the begin.
TEST_CASE("Uneven start: a wheel that stands on an irregularity is named, with its size and what to write") {
  const std::string uneven = checked(coach(wave));
  CHECK_MESSAGE(testing::has(uneven, "m.yaml:5:3: "), uneven);
  CHECK_MESSAGE(testing::has(uneven,
                             "track \"line\" is uneven where the run starts: at 10.78 m the rail of wheel "
                             "\"coach.front.front.left\" lies 1.3 mm higher than laid, 3 more "
                             "wheels stand on irregularities too"),
                uneven);
  CHECK_MESSAGE(testing::has(uneven, "irregularities: {begin: 11 m, ...}"), uneven);
  CHECK_MESSAGE(testing::has(uneven, "[uneven_start]"), uneven);
  CHECK_FALSE(testing::has(checked(coach(wave + ", begin: 11 m")), "uneven_start"));
}

TEST_CASE("Uneven start: what it says is worth loads of wheels many times their own, which the advice does without") {
  constexpr double static_load = 54546;
  CHECK(largest_load(coach(wave)) > 10 * static_load);
  CHECK(largest_load(coach(wave + ", begin: 11 m")) == doctest::Approx(static_load).epsilon(1e-3));
}
