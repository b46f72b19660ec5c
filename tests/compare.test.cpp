// `skyhook compare` as a user calls it: table, JSON, CSV, pictures, interrupts, wrong input.
#ifdef SKYHOOK_APP
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "program.testing.h"
#include "skyhook/simulation/solvers.h"

using namespace skyhook;
using testing::Done;
using testing::has;
using testing::lacks;

namespace {

const std::string four_bar = "compare mechanisms/four_bar.yaml --until 1 ";

struct Place : testing::Place {
  Place() : testing::Place("compare") {}
};

long lines(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

}  // namespace

TEST_CASE("Compare: errors fall with the tolerance, the work grows, drift is told") {
  const Place at;
  REQUIRE(at.run(four_bar + "turn --solvers ida --tolerances 1e-4..1e-8:1 --json").code == 0);
  CHECK(at.json("d['model'] == 'four_bar' and d['experiment'] == 'turn' and d['until'] == 1"));
  CHECK(at.json("[r['tolerance'] for r in d['rows']] == [1e-4, 1e-5, 1e-6, 1e-7, 1e-8]"));
  CHECK(at.json("all(r['status'] == 'finished' and r['solver'].startswith('ida') for r in d['rows'])"));
  CHECK(
      at.json("all(b['position_error'] < a['position_error'] and b['velocity_error'] < a['velocity_error'] and "
              "b['steps'] > a['steps'] and b['evaluations'] > a['evaluations'] "
              "for a, b in zip(d['rows'], d['rows'][2:]))"));  // every second: neighbours may be lucky
  CHECK(at.json("all(r['evaluations'] >= r['steps'] and r['jacobians'] > 0 and r['seconds'] > 0 for r in d['rows'])"));
  // Both are conditions of the integrator's equations and hold to about its tolerance.
  CHECK(
      at.json("all(0 < r['position_residual'] < 100*r['tolerance'] and "
              "0 < r['velocity_residual'] < 1000*r['tolerance'] for r in d['rows'])"));
  CHECK(at.json("d['reference']['tolerance'] <= 1.01e-10 and 0 < d['reference']['position_error'] < 1e-5"));
  CHECK(at.json("len(d['verdict']['solvers']) == 1 and d['verdict']['solvers'][0]['ratio'] == 1"));
}

TEST_CASE("Compare: table and progress for people, CSV and pictures as files") {
  const Place at;
  const Done done =
      at.run(four_bar + "--solvers ida --tolerances 1e-3,1e-5 --csv t.csv --out p.svg --terminal --target 1e-2");
  CHECK(done.code == 0);
  CHECK(has(done.out, "four_bar, turn, until 1 s. Reference: "));
  CHECK(has(done.out, "error q"));
  CHECK(has(done.out, "|G v|"));
  CHECK(has(done.out, "To an error of 0.01 in the positions:"));
  CHECK(has(done.out, "error of positions"));  // the axis of the diagram
  CHECK(has(done.err, "ida/ggl at 0.001"));
  const std::string csv = at.text("t.csv"), svg = at.text("p.svg");
  CHECK(csv.starts_with("solver,tolerance,status,position_error,velocity_error,steps,rejected,evaluations,"));
  CHECK(lines(csv) == 3);
  CHECK(has(svg, "<svg"));
  CHECK(has(svg, "evaluations"));

  const Done quiet = at.run(four_bar + "--solvers ida --tolerances 1e-3 --csv - --out p.png --quiet");
  CHECK(quiet.code == 0);
  CHECK(quiet.err.empty());
  CHECK(quiet.out.starts_with("solver,"));
  CHECK(lines(quiet.out) == 2);
  CHECK(at.text("p.png").starts_with("\x89PNG"));
}

TEST_CASE("Compare: the solvers recommended are the default, and `all` there are") {
  const Place at;
  const std::string crank = "compare mechanisms/slider_crank.yaml --tolerances 1e-5 --until 0.1 --json";
  REQUIRE(at.run(crank).code == 0);
  CHECK(
      at.json("[r['solver'] for r in d['rows']] == ['bdf/ggl', 'ida/ggl', 'radau5/ggl', 'dopri5/projecting', "
              "'adams/projecting', 'hem5/index2_projected']"));
  CHECK(at.json("all(r['status'] == 'finished' for r in d['rows'])"));
  std::string usable;
  for (const std::string& name : simulation::usable_solvers()) usable += (usable.empty() ? "'" : ", '") + name + "'";
  for (const std::string& name : simulation::usable_solvers_of_order_2()) usable += ", '" + name + "'";
  REQUIRE(at.run(crank + " --solvers all").code == 0);
  CHECK(at.json("[r['solver'] for r in d['rows']] == [" + usable + "]"));
  CHECK(at.json("all(r['status'] == 'finished' for r in d['rows'])"));
}

TEST_CASE("Compare: a pair has one name however it is written, and `auto` says what it has chosen") {
  const Place at;
  REQUIRE(at.run(four_bar + "--solvers ida,ida/ggl,auto --tolerances 1e-4 --json").code == 0);
  CHECK(at.json("len(d['rows']) == 2 and d['rows'][0]['solver'] == 'ida/ggl'"));
  CHECK(at.json("d['rows'][1]['solver'].startswith('auto (') and '/' in d['rows'][1]['solver']"));
  REQUIRE(at.run(four_bar + "--solvers 'ida/index*' --tolerances 1e-4 --json").code == 0);  // all for study
  CHECK(at.json("sorted(r['solver'] for r in d['rows']) == ['ida/index1', 'ida/index2', 'ida/index3']"));
}

TEST_CASE("Compare: the reference is what --reference says, and rows at its limit are marked") {
  const Place at;
  const std::string arguments = four_bar + "--solvers ida --tolerances 1e-3,1e-9 --reference ida@1e-6";
  const Done done = at.run(arguments);
  CHECK(done.code == 0);
  CHECK(has(done.out, "Reference: ida/ggl at 1e-06."));
  CHECK(has(done.out, "at the reference's limit"));
  at.run(arguments + " --json");
  CHECK(at.json("d['reference']['solver'] == 'ida/ggl' and d['reference']['tolerance'] == 1e-6"));
  CHECK(at.json("[r['at_limit'] for r in d['rows']] == [0, 1]"));
}

TEST_CASE("Compare: a run that takes too long is a row with its reason") {
  const Place at;
  const Done done = at.run(four_bar + "--solvers ida --tolerances 1e-5 --time-limit 1e-9 --json");
  CHECK(done.code == 3);  // there is no run to compare
  CHECK(at.json("d['rows'][0]['status'] == 'stopped' and 'After 1e-09 s' in d['rows'][0]['reason']"));
  CHECK(at.json("d['rows'][0]['position_error'] is None"));
}

TEST_CASE("Compare: another Jacobian is for ida, and refuses no other solver, nor the reference") {
  const Place at;
  const std::string arguments = four_bar + "--solvers ida,dopri5,auto --tolerances 1e-5 --json";
  REQUIRE(at.run(arguments + " --jacobian dense").code == 0);
  CHECK(at.json("all(r['status'] == 'finished' for r in d['rows']) and d['reference']['status'] == 'finished'"));
  CHECK(at.json("d['rows'][2]['solver'] == 'auto (bdf/ggl)'"));             // as `run` would choose
  CHECK(at.json("d['rows'][0]['evaluations'] > 3*d['rows'][0]['steps']"));  // differences cost evaluations
}

// The chain of [Arnold 2006]. Dense differences take 2 N residuals, in groups fewer; the exact Jacobian takes none.
TEST_CASE(
    "Compare --jacobians: cost of each strategy as in the tables of [Arnold 2006], in percent of dense differences") {
  const Place at;
  const std::string chain = "compare mechanisms/pendulum_chain.yaml --set N=8 --until 40 --jacobians --quiet ";
  REQUIRE(at.run(chain + "--solvers bdf/ggl_explicit --json").code == 0);
  CHECK(at.json(
      "d['rows'][0]['jacobian'] == 'dense' and abs(d['rows'][0]['percent'] - 100) < 1e-9 and d['left_out'] == []"));
  CHECK(at.json("all(r['tolerance'] == 1e-4 and r['status'] == 'finished' for r in d['rows'])"));  // the experiment's
  CHECK(at.json("len(d['rows']) == 12 and len(set(r['jacobian'] for r in d['rows'])) == 12"));
  const std::string by_name = "(lambda r: ";
  const std::string of_rows = ")({r['jacobian']: r for r in d['rows']})";
  const auto holds = [&](const std::string& what) { return at.json(by_name + what + of_rows); };
  CHECK(holds("r['dense']['residuals'] - r['dense']['residuals_without_jacobian'] == 16*r['dense']['jacobians']"));
  CHECK(holds("r['exact']['residuals'] == r['exact']['residuals_without_jacobian']"));
  CHECK(holds("r['dense']['updates'] == r['exact']['updates'] == 0 and r['dense+extended']['updates'] > 0"));
  CHECK(holds("r['dense+partitioned']['jacobians'] < 0.5*r['dense']['jacobians']"));
  CHECK(holds("all(abs(x['percent'] - 100*x['seconds']/r['dense']['seconds']) < 1e-9 for x in r.values())"));
  CHECK(holds("all(0 < x['position_error'] < 1e-3 and x['factorisations'] > 0 for x in r.values())"));

  const Done done = at.run(chain + "--csv t.csv --terminal --tolerances 1e-4,1e-5");
  CHECK(done.code == 0);
  CHECK(has(done.out, "#fcw"));
  CHECK(has(done.out, "percent"));
  CHECK(has(done.out, "Left out:"));  // the mass matrix of the residual formalism changes with the excitation
  CHECK(has(done.out, "the Jacobian strategy \"dense+extended\" does not fit this model"));
  CHECK(has(done.out, "error of positions"));  // the diagram
  CHECK(
      at.text("t.csv").starts_with("solver,jacobian,tolerance,status,position_error,velocity_error,steps,residuals,"));
  CHECK(lines(at.text("t.csv")) == 1 + 2 * 9);
  const std::size_t sums = done.out.find("Sums over all tolerances:");
  REQUIRE(sums != std::string::npos);
  CHECK(lines(done.out.substr(sums, done.out.find("#fc: residuals") - sums)) == 3 + 9 + 1);  // a row a strategy
  CHECK(lacks(at.run(chain).out, "Sums over"));                                              // of one tolerance
}

// Wheels that search anew find the same: the run is the same but for its time.
TEST_CASE("Compare --forget: the same residuals, with contacts searched for in each column") {
  const Place at;
  const std::string coach =
      "compare " SKYHOOK_SOURCE_DIR
      "/models/rail/s_line_coach.yaml change --until 0.2 --tolerances 1e-3 --reference bdf/ggl@1e-4 --quiet --json "
      "--jacobians dense,grouped";
  REQUIRE(at.run(coach).code == 0);
  CHECK(at.json("d['forget'] is False"));
  at.write("kept.json", at.text("out"));
  REQUIRE(at.run(coach + " --forget").code == 0);
  CHECK(at.json("d['forget'] is True"));
  const std::string same =
      "(lambda rows: [{k: v for k, v in r.items() if k not in ('seconds', 'percent')} for r in rows])";
  CHECK(at.json(same + "(d['rows']) == " + same + "(json.load(open('kept.json'))['rows'])"));
}

// The tolerances of table 3 of [Arnold 2006], whose absolute one is a tenth of the relative one: the row is the run with both.
TEST_CASE("Compare: an absolute tolerance of its own is that of the loosest runs, and the ratio that of all") {
  const Place at;
  const std::string compare = four_bar + "--solvers bdf --absolute-tolerance 1e-5 --quiet --tolerances ";
  REQUIRE(at.run(compare + "1e-6,1e-4 --json").code == 0);
  CHECK(at.json(
      "[(r['tolerance'], round(r['absolute_tolerance'], 12)) for r in d['rows']] == [(1e-4, 1e-5), (1e-6, 1e-7)]"));
  CHECK(at.json("abs(d['reference']['absolute_tolerance']/d['reference']['tolerance'] - 0.1) < 1e-12"));
  at.write("rows.json", at.text("out"));
  REQUIRE(
      at.run("run mechanisms/four_bar.yaml --until 1 --solver bdf --tolerance 1e-4 --absolute-tolerance 1e-5 --json")
          .code == 0);
  CHECK(at.json("d['steps'] == json.load(open('rows.json'))['rows'][0]['steps']"));
  CHECK(
      has(at.run(compare + "1e-4").out, "All absolute tolerances are 0.1 times the relative ones, which stand here."));
  CHECK(at.run(compare + "1e-4 --jacobians dense,exact --csv -").out.find(",at_limit,absolute_tolerance,warnings,") !=
        std::string::npos);
  CHECK(lacks(at.run(four_bar + "--solvers bdf --tolerances 1e-4").out, "absolute"));
}

TEST_CASE("Compare: what did not run has no cost, and CSV has numbers as one writes them") {
  const Place at;
  at.write("fall.yaml", R"(skyhook: 1
bodies: {b: {mass: 1 kg, at: [0, 0, 1]}}
joints: {slide: {type: prismatic, from: ground, to: b, axis: z}}
experiments: {fall: {until: 1 s, metric: euclidean}}
)");
  // hem5 has no such metric: the pair fits, but this experiment refuses it.
  CHECK(at.run("compare fall.yaml --solvers hem5,ida --tolerances 1e-6 --csv t.csv --json").code == 0);
  CHECK(at.json("d['rows'][0]['status'] == 'refused' and 'metric' in d['rows'][0]['reason']"));
  CHECK(at.json(
      "all(d['rows'][0][k] is None for k in ['position_error', 'steps', 'rejected', 'evaluations', 'jacobians', "
      "'factorisations', 'seconds', 'position_residual', 'velocity_residual'])"));
  CHECK(at.json("d['rows'][1]['status'] == 'finished' and d['rows'][1]['steps'] > 0"));
  CHECK(at.json("d['reference']['tolerance'] == 1e-8"));
  CHECK(has(at.text("t.csv"), "\nhem5/index2_projected,1e-06,refused,,,,,,,,,,,0,"));
  CHECK(has(at.text("t.csv"), "\nida/ggl,1e-06,finished,"));
}

TEST_CASE("Compare: an interrupt keeps the rows that are done") {
  const Place at;
  at.run("--version");  // makes the link to the models
  const std::string command = "cd " + at.path.string() + " && exec " SKYHOOK_APP " " + four_bar +
                              "--solvers ida --tolerances 1e-3..1e-8:10 --repeat 500 --csv table.csv >out 2>err";
  const pid_t child = fork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(127);
  }
  for (int k = 0; k < 1000 && at.text("err").find("run 5 of") == std::string::npos; ++k)  // a row is behind it then
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  kill(child, SIGINT);
  int status = 0;
  waitpid(child, &status, 0);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 130);
  const long rows = lines(at.text("table.csv"));
  CHECK(rows > 1);
  CHECK(rows < 52);
  CHECK(has(at.text("out"), "finished"));
  CHECK(has(at.text("err"), "rows are missing"));
}

TEST_CASE("Compare: wrong input is told before anything runs") {
  const Place at;
  const auto refused = [&](const std::string& arguments, const std::string& message) {
    CAPTURE(arguments);
    const Done done = at.run(arguments);
    CHECK(done.code == 2);
    CHECK(has(done.err, message));
    CHECK(done.out.empty());
    CHECK(lacks(done.err, "run 1 of"));
  };
  refused(four_bar + "--solvers euler", "there is no solver \"euler\"");
  refused(four_bar + "--solvers ida,radau", "Did you mean \"radau5\"?");
  refused(four_bar + "--solvers ida,dopri5/ggl", "\"dopri5/ggl\" does not work: dopri5 cannot solve ggl");
  refused(four_bar + "--solvers dopri5/gll", "there is no formulation \"gll\"");
  refused(four_bar + "--solvers dopri5/i3*", "(39 in all)");  // none of which is refused
  refused(four_bar + "--reference dopri5/ggl@1e-9", "\"dopri5/ggl\" does not work");
  refused(four_bar + "--tolerances 0", "must be above 0 and at most 0.1");
  refused(four_bar + "--tolerances=-1e-3", "must be above 0 and at most 0.1");
  refused(four_bar + "--tolerances nan", "must be above 0 and at most 0.1");
  refused(four_bar + "--tolerances 1e-9..1e-3", "write 1e-3..1e-9");
  refused(four_bar + "--absolute-tolerance 0", "--absolute-tolerance is 0, but must be above 0 and at most 0.1.");
  refused(four_bar + "--reference ida", "it has no tolerance");
  refused(four_bar + "--reference euler@1e-9", "there is no solver \"euler\"");
  refused(four_bar + "--out p.pdf", "ends in .svg or .png");
  refused(four_bar + "--csv nowhere/t.csv", "cannot be written");
  refused(four_bar + "--csv ''", "--csv is given without a file name");
  refused("compare ''", "the model is given without a file name");
  refused(four_bar + "--jacobians dens", "there is no Jacobian strategy \"dens\"");
  refused(four_bar + "--jacobians dense --jacobian exact", "Leave one of them out");
  refused(four_bar + "--forget", "Add --jacobians");
  refused(four_bar + "--repeat 0", "must be 1 to 1000");
  refused(four_bar + "--target 0", "between 0 and 1");
  refused(four_bar + "--time-limit -1", "must not be negative");
  refused(four_bar + "--json --terminal", "both print");
  refused("compare mechanisms/four_bar.yaml --until 0", "must be a number above 0");
  refused("compare mechanisms/four_bar.yaml fly", "\"fly\"");
  refused("compare nowhere.yaml", "nowhere.yaml");

  at.write("endless.yaml", R"(skyhook: 1
name: endless
bodies: {b: {mass: 1 kg, at: [0, 0, 1]}}
joints: {slide: {type: prismatic, from: ground, to: b, axis: z}}
experiments: {fall: {tolerance: 1e-6}}
)");
  refused("compare endless.yaml", "Give \"until\"");
}

TEST_CASE("Compare: a model that cannot be assembled, or has no reference, ends with code 3 and the reason") {
  const Place at;
  // A coupler that is too short to reach: base 3 m, links of 1 m, 0.5 m and 1 m.
  at.write("short.yaml", R"(skyhook: 1
bodies:
  a: {mass: 1, inertia: [1, 1, 1], at: [0, 0, 0]}
  b: {mass: 1, inertia: [1, 1, 1], at: [0, 1, 0]}
  c: {mass: 1, inertia: [1, 1, 1], at: [3, 0, 0]}
joints:
  A: {type: revolute, from: ground, to: a, axis: z}
  B: {type: revolute, from: a, to: b, axis: z}
  D: {type: revolute, from: ground, to: c, axis: z}
  C: {type: revolute, from: b, to: c, at: [0.5, 1, 0], at_to: [3, 1, 0], axis: z}
experiments: {rest: {until: 1 s}}
)");
  const Done open = at.run("compare short.yaml --json");
  CHECK(open.code == 3);
  CHECK(has(open.err, "no run can start. "));
  CHECK(at.json("d['rows'] == [] and d['reference']['status'] == 'failed' and 'C: disp' in d['reference']['reason']"));

  // Without a mass the accelerations do not exist, whatever the solver.
  at.write("massless.yaml", R"(skyhook: 1
bodies: {wheel: {mass: 0, at: [2, 0, 0]}}
joints: {hub: {type: revolute, from: ground, to: wheel, axis: y}}
experiments: {rest: {until: 1 s}}
)");
  const Done massless = at.run("compare massless.yaml --json");
  CHECK(massless.code == 3);
  CHECK(has(massless.err, "the reference, "));
  CHECK(has(massless.err, "wheel"));
  CHECK(at.json("d['rows'] == [] and d['reference']['status'] == 'failed'"));
}

TEST_CASE("Compare --jacobians: methods without a Jacobian are left out, and a run with one refuses a strategy") {
  const Place at;
  at.run("compare mechanisms/four_bar.yaml --until 0.2 --jacobians exact,dense --solvers dopri5,bdf --quiet --json");
  CHECK(at.json(
      "all(r['solver'].startswith('bdf') for r in d['rows']) and len(d['rows']) == 2 and len(d['left_out']) == 2"));
  CHECK(at.json("all('no Jacobian' in r['reason'] for r in d['left_out'])"));
  const auto done = at.run("run mechanisms/four_bar.yaml --until 0.2 --solver dopri5 --jacobian exact");
  CHECK(done.code == 2);
  CHECK(has(done.err, "has no Jacobian, so that the strategy \"exact\" means nothing to it."));
}

#endif
