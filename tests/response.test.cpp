// `skyhook response` and the start from an equilibrium as a user calls them: table, JSON, CSV, pictures, wrong input.
#ifdef SKYHOOK_APP
#include "oscillator.testing.h"

using namespace skyhook;
using testing::has;

namespace {

// Lifted by a smooth bump: H(0) = 1, resonance near 1.6 Hz.
struct Place : testing::Oscillator {
  Place()
      : testing::Oscillator("response", R"yaml(  bump: {from: rest, until: 8 s, output_step: 10 ms}
  short: {from: rest, until: 1 s, output_step: 10 ms}
  rest: {analysis: equilibrium}
)yaml",
                            "=10[mm]*(ramp(t, 0.5[s], 0.6[s]) - ramp(t, 0.6[s], 0.7[s]))") {}
};

}  // namespace

// Reference: H = (100 + 4 i w)/(100 + 4 i w - w^2), at 1 Hz 1.618 and -9.0 deg; the bands are half a hertz wide.
TEST_CASE("Response: of a model and of its result, as JSON, CSV and pictures") {
  const Place at;
  const std::string wish = " --input foot --output load --low 0.8 --high 1.2";
  REQUIRE(at.run("response m.yaml" + wish + " --json").code == 0);
  CHECK(at.json("d['run'] == 'oscillator, bump' and d['input'] == 'foot'"));
  CHECK(at.json("d['outputs'][0]['name'] == 'load' and d['outputs'][0]['unit'] == '-'"));
  CHECK(
      at.json("all(abs(b['gain'] - abs((100 + 4j*w)/(100 + 4j*w - w*w))) < 0.05 for b in d['outputs'][0]['bands'] "
              "for w in [2*3.14159265*b['frequency']])"));
  CHECK(at.json("all(b['coherence'] > 0.95 for b in d['outputs'][0]['bands'])"));
  const std::string of_model = at.text("out");
  REQUIRE(at.run("run m.yaml -q -o r.h5").code == 0);
  REQUIRE(at.run("response r.h5" + wish + " --json").code == 0);
  CHECK(at.text("out") == of_model);
  REQUIRE(at.run("response r.h5 --input foot --csv t.csv --out p.svg -q").code == 0);
  CHECK(has(at.text("t.csv"), "frequency [Hz],load [-],phase [deg],coherence,force [N/m],phase [deg],coherence\n"));
  CHECK(has(at.text("p.svg"), "gain [N/m]"));
  const testing::Done table = at.run("response r.h5 --input lift.displacement");
  CHECK(table.code == 2);  // a result has only what was recorded
  CHECK(at.run("response m.yaml --input lift.displacement --output load.az -q").code == 0);
}

TEST_CASE("Response: what is wrong is said") {
  const Place at;
  testing::Done done = at.run("response m.yaml --input fot");
  CHECK(done.code == 2);
  CHECK(has(done.err, "fot"));
  done = at.run("response m.yaml --input foot --low 5 --high 2");
  CHECK(done.code == 2);
  CHECK(has(done.err, "no range"));
  done = at.run("response m.yaml short --input foot --output load -q");
  CHECK(done.code == 0);
  CHECK(has(done.err, "load does not end at rest"));
}

TEST_CASE("An experiment that starts from an equilibrium needs one that finds it") {
  const Place at;
  REQUIRE(at.run("run m.yaml -q -o r.h5").code == 0);
  REQUIRE(at.run("show r.h5 load --at 0 --at 0.4 --json").code == 0);
  CHECK(has(at.text("out"), "-0.0981"));  // m g / k, and there it stays
  at.write("wrong.yaml", at.text("m.yaml") + "  other: {from: bump, until: 1 s}\n");
  const testing::Done done = at.run("check wrong.yaml");
  CHECK(done.code == 2);
  CHECK(
      has(done.err, "experiment \"other\" starts from \"bump\", which is not an experiment that finds an equilibrium"));
  CHECK(has(done.err, "rest"));
  REQUIRE(at.run("expand m.yaml short").code == 0);
  CHECK(has(at.text("out"), "analysis: equilibrium"));
}

TEST_CASE("Response: options that mean nothing to a result are refused, and unknown channels named as what they are") {
  const Place at;
  REQUIRE(at.run("run m.yaml -q -o r.h5").code == 0);
  for (const std::string option : {"--until 3", "--set a=1", "--solver bdf", "--tolerance 1e-3", "--output-step 1"}) {
    const auto done = at.run("response r.h5 --input foot " + option);
    CHECK(done.code == 2);
    CHECK(has(done.err, "r.h5 is a result: " + option.substr(0, option.find(' ')) + " would change nothing of it."));
  }
  CHECK(has(at.run("response m.yaml --input foots").err,
            "--input: there is no channel \"foots\".\n  Did you mean \"foot\"?"));
  CHECK(has(at.run("response m.yaml --input foot --output loads").err, "--output: there is no channel \"loads\"."));
  CHECK(has(at.run("response r.h5 --input foots").err, "--input: there is no channel \"foots\"."));
}

#endif
