// Plug-ins that end the program, print, close its files or know no energy. References: exit code, words, what is left of the
// result; the same model without plug-in.
#include <cmath>

#include "program.testing.h"
#include "skyhook/io/result/reader.h"

using namespace skyhook;
using testing::has;
using testing::lacks;

namespace {

std::string with_plugin(const std::string& library, const std::string& more = "") {
  return "skyhook: 1\nbodies: {car: {mass: 40, at: [0, 0, 0.25]}}\n"
         "joints: {heave: {type: prismatic, from: ground, to: car, axis: z, rate: 0.3}}\n"
         "forces:\n  s: {type: spring_damper, joint: heave, stiffness: 1000, damping: 5}\n"
         "  p: {type: plugin, library: " SKYHOOK_PLUGINS "/" +
         library + ", from: ground, to: car" + more + "}\nexperiments: {kick: {until: 1, output_step: 1 ms}}\n";
}

std::string outlaw(int what) { return with_plugin("outlaw.so", ", parameters: {what: " + std::to_string(what) + "}"); }

constexpr int by_exit = 1, by_exit_at_once = 2, by_err = 3, printing = 4, no_energy = 5, closing = 6, in_child = 7,
              infinite_energy = 8;

}  // namespace

TEST_CASE("Plug-in: one that ends the program is named, the exit code is 4, and the result is kept") {
  for (const int what : {by_exit, by_exit_at_once, by_err}) {
    CAPTURE(what);
    const testing::Place at("plugin_exit");
    at.write("m.yaml", outlaw(what));
    const testing::Done run = at.run("run m.yaml --json");
    CHECK(run.code == 4);
    CHECK(has(run.err, "the plug-in \"outlaw.so\" of the element \"p\" ended the program by exit()"));
    const auto result = io::ResultFile::open(at.path / "m.h5");
    CHECK(result.summary().status == simulation::RunStatus::failed);
    CHECK(result.samples() > 50);  // of the 100 until it ended all that had been recorded, and the buffer holds 256
    CHECK(!std::filesystem::exists(at.path / "m.h5.part"));
    CHECK(at.run("check m.yaml").code == 0);
    CHECK(at.run("run m.yaml --sweep until=1,2").code == 2);  // no such parameter: in order
  }
}

TEST_CASE("Plug-in: a library that ends the program when it is loaded, or crashes when it is closed, is named") {
  const testing::Place at("plugin_load");
  at.write("m.yaml", with_plugin("exits_when_loaded.so"));
  for (const char* command : {"check m.yaml", "run m.yaml", "equilibrium m.yaml"}) {
    const testing::Done done = at.run(command);
    CHECK(done.code == 4);
    CHECK(has(done.err, "the plug-in \"exits_when_loaded.so\" of the element \"p\" ended the program by exit()"));
  }
  at.write("m.yaml", with_plugin("crashes_when_closed.so"));
  const testing::Done done = at.run("run m.yaml --json");
  CHECK(done.code == 4);
  CHECK(has(done.err, "the plug-in \"crashes_when_closed.so\" of the element \"p\" crashed"));
  CHECK(at.json("d['status'] == 'finished'"));  // what was found by then is told
  CHECK(io::ResultFile::open(at.path / "m.h5").summary().status == simulation::RunStatus::finished);
}

TEST_CASE("Plug-in: what one prints does not get between what the program prints") {
  const testing::Place at("plugin_prints");
  at.write("m.yaml", outlaw(printing));
  const testing::Done run = at.run("run m.yaml --json");
  CHECK(run.code == 0);
  CHECK(at.json("d['status'] == 'finished'"));
  CHECK(has(run.err, "words of a plug-in"));
  CHECK(has(run.err, "more words"));
}

TEST_CASE("Plug-in: one that forks may let its child end") {
  const testing::Place at("plugin_forks");
  at.write("m.yaml", outlaw(in_child));
  CHECK(at.run("run m.yaml --until 0.11 --json").code == 0);
  CHECK(at.json("d['status'] == 'finished'"));
}

TEST_CASE("Plug-in: one that closes the files of the program is suspected, and nothing crashes") {
  const testing::Place at("plugin_closes");
  at.write("m.yaml", outlaw(closing));
  const testing::Done run = at.run("run m.yaml");
  CHECK(run.code == 2);
  CHECK(has(run.err, "m.h5: the result cannot be written: it is closed already"));
  CHECK(has(run.err, "A plug-in may have closed files"));
}

// The spring and the damper alone close to 2e-4: what is not known must not look better than that.
TEST_CASE("Plug-in: an energy that is not a number leaves the balance unknown, and the element is named") {
  const testing::Place at("plugin_energy");
  for (const int what : {no_energy, infinite_energy}) {
    CAPTURE(what);
    at.write("m.yaml", outlaw(what));
    CHECK(at.run("run m.yaml --json").code == 0);
    CHECK(at.json("d['energy_closure'] is None"));
    CHECK(at.json("[w['name'] for w in d['warnings']] == ['not_finite'] and d['warnings'][0]['line'] == 6"));
    CHECK(at.json("'energy of plugin \\\"p\\\" is not a finite number' in d['warnings'][0]['text']"));
    const testing::Done run = at.run("run m.yaml");
    CHECK(has(run.out, "energy balance closes to (relative)"));
    CHECK(has(run.out, "not known"));
    CHECK(has(run.err, "whether the balance of energy closes is not known"));
    CHECK(std::isnan(io::ResultFile::open(at.path / "m.h5").summary().energy_closure));
    CHECK(at.run("show m.h5 --cost --json").code == 0);
    CHECK(at.json("[c['value'] for c in d['cost'] if c['cost'] == 'energy closure'] == [None]"));
  }
  at.write("m.yaml", outlaw(printing));
  CHECK(at.run("run m.yaml --json").code == 0);
  CHECK(at.json("0 < d['energy_closure'] < 1e-3 and d['warnings'] == []"));
}
