// Evaluation of results as a user calls it: formulas in show and plot, standards, evaluations of an experiment, sweeps over evaluated numbers.
//
// Reference: a seat that is moved by 5 mm at 4 Hz has an acceleration of 5 mm (8 pi)^2 = 3.1583 m/s^2, weighted by Wk(4 Hz) = 0.96718: rms 2.1599.
#ifdef SKYHOOK_APP
#include "program.testing.h"

using namespace skyhook;
using testing::has;

namespace {

const char* const seat = R"yaml(
skyhook: 1
name: seat
parameters: {f: 4 Hz, begin: 10 s}
bodies: {seat: {mass: 60 kg}, foot: {mass: 1 kg}}
joints:
  ride: {type: prismatic, from: ground, to: seat, drive: "=5[mm]*sin(2*pi*f*t)"}
  stand: {type: prismatic, from: ground, to: foot, drive: "=1[mm]*sin(2*pi*f*t)"}
outputs: {z: seat.z, foot: foot.z}
experiments:
  shake:
    until: 20 s
    output_step: 5 ms
    evaluations:
      - {standard: iso2631, vertical_acceleration: seat.az, from: =begin}
      - {standard: statistics, name: travel, channels: [z, z - foot]}
  plain: {until: 20 s, output_step: 5 ms, outputs: {az: seat.az, z: seat.z, foot: foot.z}}
  wrong: {until: 1 s, evaluations: [{standard: iso7401}]}
)yaml";

struct Place : testing::Place {
  Place() : testing::Place("evaluation") { write("m.yaml", seat); }
};

}  // namespace

TEST_CASE("Evaluation: formulas of channels in show and plot") {
  const Place at;
  REQUIRE(at.run("run m.yaml plain -q -o r.h5").code == 0);
  REQUIRE(at.run("show r.h5 'rms(part(Wk(az), 10 s, 20 s))' 'max(z)/max(foot)' 'z - foot' --json").code == 0);
  CHECK(at.json("abs(d['numbers'][0]['value'] - 2.15994) < 2e-4 and d['numbers'][0]['unit'] == 'm/s^2'"));
  CHECK(at.json("abs(d['numbers'][1]['value'] - 5) < 1e-9 and d['numbers'][1]['unit'] == '-'"));
  CHECK(at.json("len(d['values']) > 4000 and 'z - foot' in d['values'][0]"));
  // At one time, an eighth of a period behind the 40th: the number is of the run all the same.
  REQUIRE(at.run("show r.h5 'rms(az)' 'z - foot' --at 10.03125 --json").code == 0);
  CHECK(at.json("abs(d['numbers'][0]['value'] - 3.15827/2**.5) < 1e-4"));
  CHECK(at.json("len(d['values']) == 1 and abs(d['values'][0]['z - foot'] - 0.004/2**.5) < 1e-8"));
  CHECK(has(at.run("show r.h5 'rms(az)' --at 1").out, "m/s^2"));
  REQUIRE(at.run("show r.h5 'psd(az, 5 s)' --json").code == 0);
  // Three lines of a Hann window hold half the square of the amplitude; lines are 0.2 Hz apart.
  CHECK(at.json("abs(sum(list(x.values())[1] for x in d['tables'][0])*0.2 - 3.15827**2/2) < 0.01"));
  CHECK(has(at.run("show r.h5 'psd(az, 5 s)'").out, "psd(az, 5 s) [(m/s^2)^2/Hz]"));
  CHECK(at.run("plot r.h5 'psd(az)' 'z - foot' 'transfer(az, z)' 'rms(z)' -o p.svg").code == 0);
  CHECK(has(at.text("p.svg"), "frequency [Hz]"));
  const auto wrong = at.run("plot r.h5 'psdd(az)' -o p.svg");
  CHECK(wrong.code == 2);
  CHECK(has(wrong.err, "unknown function \"psdd\""));
  CHECK(has(at.run("show r.h5 'zz - foot'").err, "there is no channel \"zz\""));
}

TEST_CASE("Evaluation: a standard by its command, with table, JSON, result, picture and report") {
  const Place at;
  REQUIRE(at.run("run m.yaml plain -q -o r.h5").code == 0);
  REQUIRE(at.run("evaluate r.h5 --standard iso2631 --from 10 --json -o e.h5 --plot e.svg").code == 0);
  CHECK(at.json("d['standard'] == 'iso2631' and d['channels']['vertical_acceleration'] == 'az'"));
  CHECK(at.json("abs([n['value'] for n in d['numbers'] if n['number'] == 'vertical.rms'][0] - 2.15994) < 2e-4"));
  CHECK(has(at.run("show e.h5").out, "vertical.running_rms"));
  CHECK(has(at.text("e.svg"), "vertical.weighted"));
  CHECK(has(at.run("evaluate r.h5 -s iso2631 --from 10").out, "extremely uncomfortable"));
  CHECK(
      has(at.run("evaluate r.h5 -s iso2631 --vertical-acceleration 'derivative(derivative(z))'").out, "vertical.rms"));
  CHECK(has(at.run("evaluate r.h5 -s statistics --channels 'z - foot' --csv -").out, "z - foot.max"));
  CHECK(has(at.run("evaluate --help").out, "butterworth(x, 2, low, 10 Hz)"));
  const auto missing = at.run("evaluate r.h5 -s iso7401");
  CHECK(missing.code == 2);
  CHECK(has(missing.err, "--steering-wheel-angle CHANNEL"));
  CHECK(at.run("evaluate r.h5").code == 2);
  CHECK(at.run("evaluate r.h5 -s iso2631 -o r.h5").code == 2);  // what is read is not replaced
}

TEST_CASE("Evaluation: what an experiment evaluates is told, stored and measured by sweeps") {
  const Place at;
  REQUIRE(at.run("run m.yaml shake -o r.h5 --json").code == 0);
  CHECK(at.json("[e['name'] for e in d['evaluations']] == ['iso2631', 'travel']"));
  CHECK(
      at.json("abs([n['value'] for n in d['evaluations'][0]['numbers'] if n['number'] == 'vertical.rms'][0] - 2.15994) "
              "< 2e-4"));
  CHECK(
      at.json("abs([n['value'] for n in d['evaluations'][1]['numbers'] if n['number'] == 'z - foot.max'][0] - "
              "4e-3*0.99802673) < 1e-9"));         // samples are 2.5 ms beside the peak
  CHECK(has(at.run("show r.h5").out, "seat.az"));  // is recorded, though no output asks for it
  CHECK(has(at.run("run m.yaml shake -o r.h5").out, "vertical.mtvv"));
  REQUIRE(
      at.run("run m.yaml shake --sweep 'f=2,4 Hz' --measure iso2631.vertical.rms --measure 'rms(Wk(seat.az))' --json")
          .code == 0);
  CHECK(
      at.json("abs(d['points'][1]['iso2631.vertical.rms'] - 2.15994) < 2e-4 and d['units']['iso2631.vertical.rms'] == "
              "'m/s^2'"));
  CHECK(at.json(
      "abs(d['points'][1]['rms(Wk(seat.az))'] - 2.15994) < 0.02 and d['units']['rms(Wk(seat.az))'] == 'm/s^2'"));
  CHECK(at.run("run m.yaml shake --sweep 'f=2,4 Hz' --measure iso9999.rms").code == 2);
  CHECK(at.run("run m.yaml shake --sweep 'f=2,4 Hz' --measure 'psd(z)'").code == 2);  // no number
  const auto wrong = at.run("run m.yaml wrong -o w.h5");
  CHECK(wrong.code == 2);
  CHECK(has(wrong.err, "m.yaml:"));
  CHECK(has(wrong.err, "steering_wheel_angle"));
  CHECK(at.run("show w.h5 z").code == 0);  // the result is there all the same
}
#endif
