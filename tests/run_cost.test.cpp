// What a run tells of its own cost, and what it does not pay for.
#ifdef SKYHOOK_APP
#include <cmath>

#include "program.testing.h"
#include "skyhook/io/result/reader.h"

using namespace skyhook;
using testing::Done, testing::has, testing::Place;

// Reference: the definition; the table prints four digits.
TEST_CASE("Cost of a run: its parts add up to the wall time, in what is printed, in JSON and in the result") {
  const Place at;
  CHECK(at.run("run mechanisms/four_bar.yaml -o a.h5 --json").code == 0);
  CHECK(at.json("list(d['parts']) == ['set_up', 'integration', 'looking', 'output', 'energy', 'events', 'writing']"));
  CHECK(at.json("abs(sum(d['parts'].values()) - d['seconds']) < 1e-9 and min(d['parts'].values()) >= 0"));
  CHECK(at.json("d['parts']['set_up'] > 0 and d['parts']['integration'] > 0 and d['parts']['writing'] > 0"));
  const simulation::RunSummary s = io::ResultFile::open((at.path / "a.h5").string()).summary();
  CHECK(s.parts.sum() == doctest::Approx(s.seconds).epsilon(1e-9));
  const Done run = at.run("run mechanisms/four_bar.yaml -o a.h5");
  for (const char* part :
       {"wall time [s]", "  set-up", "  integration", "  output", "  energy books", "  events", "  writing"})
    CHECK(has(run.out, part));
  CHECK(has(at.run("show a.h5 --cost").out, "of this set-up"));
}

TEST_CASE("Cost of a run: one that cannot start has cost its set-up") {
  const Place at;
  at.write("open.yaml",
           "skyhook: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\njoints:\n  R: {type: revolute, from: ground, to: "
           "a, axis: "
           "z}\n  rod: {type: rod, from: ground, to: a, from_at: [5, 0, 0], to_at: [1, 0, 0], length: 1}\n"
           "experiments: {run: {until: 1}}\n");
  CHECK(at.run("run open.yaml --json").code != 0);
  CHECK(at.json("d['result'] is None and d['seconds'] > 0 and d['parts']['set_up'] == d['seconds']"));
}

TEST_CASE(
    "Cost of a run: reactions are recorded where an output asks for one, or with --reactions, and are the same then") {
  const Place at;
  CHECK(at.run("run mechanisms/four_bar.yaml --until 0.1 -o without.h5").code == 0);
  CHECK(at.run("run mechanisms/four_bar.yaml --until 0.1 --reactions -o with.h5").code == 0);
  const auto without = io::ResultFile::open((at.path / "without.h5").string()),
             with = io::ResultFile::open((at.path / "with.h5").string());
  const io::Block none = without.reactions(), all = with.reactions();
  REQUIRE(none.values.size() == all.values.size());
  for (const double x : none.values) CHECK(std::isnan(x));
  for (const double x : all.values) CHECK(std::isfinite(x));
  CHECK(at.run("diff without.h5 with.h5 --tol 1e-9").code == 0);
}
#endif
