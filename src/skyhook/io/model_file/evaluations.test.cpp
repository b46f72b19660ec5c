// References: what stands in the file.
#include "skyhook/io/model_file/reader.testing.h"
#include "skyhook/model/analysis_options.h"

using namespace skyhook;
using namespace skyhook::io;

namespace {

std::string swing(const std::string& evaluations) {
  return pendulum("mass: 2 kg", "parameters: {wheelbase: 2.5 m}\nexperiments:\n  run: {until: 1 s, evaluations: " +
                                    evaluations + "}\n");
}

}  // namespace

TEST_CASE("Evaluations of an experiment: channels as written, numbers in SI, also from an expanded model") {
  const std::string text = swing(
      "[{standard: iso4138, name: circle, wheelbase: =2*wheelbase, high: 0.004 km/s^2, lateral_acceleration: bob.ay - "
      "bob.ax}, "
      "{standard: statistics, channels: [bob.x, bob.z]}]");
  for (const std::string& read : {text, read_model_text(text, "m.yaml", {}, "run").expanded}) {
    const model::Model m = read_model_text(read, "m.yaml");
    const auto& all = m.experiments[0].options->evaluations;
    REQUIRE(all.size() == 2);
    CHECK(all[0].standard == "iso4138");
    CHECK(all[0].name == "circle");
    using Pair = std::pair<std::string, std::string>;
    CHECK(all[0].given ==
          std::vector<Pair>{{"wheelbase", "5"}, {"high", "4"}, {"lateral_acceleration", "bob.ay - bob.ax"}});
    CHECK(all[1].given == std::vector<Pair>{{"channels", "bob.x"}, {"channels", "bob.z"}});
  }
}

TEST_CASE("Evaluations that cannot be are refused with their line") {
  CHECK(has(errors_of(swing("[{standard: iso2632}]")), "Did you mean \"iso2631\""));
  CHECK(has(errors_of(swing("[{standard: iso2631, vertical: bob.az}]")), "iso2631 has no \"vertical\""));
  CHECK(has(errors_of(swing("[{standard: iso4138, wheelbase: 3 s}]")), "wheelbase"));
  CHECK(has(errors_of(swing("[{vertical: bob.az}]")), "does not say its standard"));
  CHECK(has(errors_of(swing("iso2631")), "should be a list"));
  CHECK(has(errors_of(swing("[{standard: iso2631}, {standard: iso2631}]")), "is there twice"));
  CHECK(has(errors_of(pendulum("mass: 2 kg",
                               "experiments:\n  rest: {analysis: equilibrium, evaluations: [{standard: iso2631}]}\n")),
            "is of simulate alone"));
}

TEST_CASE("Functions of whole records are refused in outputs, with where they can stand") {
  const std::string text = errors_of(pendulum("mass: 2 kg", "outputs: {a: \"=rms(bob.az)\"}\n"));
  CHECK(has(text, "rms needs the whole record"));
  CHECK(has(text, "skyhook show RESULT"));
  CHECK(errors_of(pendulum("mass: 2 kg", "outputs: {a: \"=max(bob.az, bob.ax)\"}\n")).empty());
  CHECK(
      errors_of(
          pendulum(
              "mass: 2 kg",
              "tables: {rms: {table: [[0, 0], [1, 1]], units: [m, m], beyond: hold}}\noutputs: {a: \"=rms(bob.z)\"}\n"))
          .empty());
}
