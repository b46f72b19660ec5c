// Sweeps as a user runs them: the table against exact solutions, any number of threads, files, failures.
#ifdef SKYHOOK_APP
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <sstream>
#include <thread>

#include "program.testing.h"
#include "run_model.testing.h"
#include "skyhook/io/result/reader.h"

using namespace skyhook;
using testing::Done;
namespace fs = std::filesystem;

namespace {

// A mass on a spring, released at the free length: x = -(m g / k) (1 - cos(w t)), w = sqrt(k / m).
const char* oscillator = R"(skyhook: 1
name: oscillator
parameters: {m: 2 kg, k: 200 N/m, span: 0.5 s}
bodies: {b: {mass: =m, at: [0, 0, 1]}}
joints: {slide: {type: prismatic, from: ground, to: b, axis: z}}
forces: {spring: {type: spring_damper, joint: slide, stiffness: =k}}
outputs: {x: slide.displacement}
experiments: {swing: {until: 2 s, output_step: 1 ms, tolerance: 1e-8}}
)";

struct Place : testing::Place {
  Place() : testing::Place("sweep") { write("m.yaml", oscillator); }
};

using Rows = std::vector<std::vector<std::string>>;

Rows csv(const std::string& text) {
  Rows rows;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
  }
  return rows;
}

}  // namespace

TEST_CASE("Sweep: deflection and period over stiffness and mass are exact") {
  const Place at;
  const Done done = at.run(
      "run m.yaml --sweep 'k=100..400:100 N/m' --sweep m=1,2 --measure 'min(x)' --measure 'time_of_max(x)' "
      "--measure 'mean(x)' --csv - --jobs 2");
  CHECK(done.code == 0);
  const Rows rows = csv(done.out);
  REQUIRE(rows.size() == 9);
  CHECK(rows[0][0] == "k [N/m]");
  CHECK(rows[0][1] == "m [kg]");  // bare numbers are in the parameter's SI unit
  CHECK(rows[0][3] == "min(x) [m]");
  for (std::size_t r = 1; r < rows.size(); ++r) {
    const double k = std::stod(rows[r][0]), m = std::stod(rows[r][1]);
    CHECK(k == 100.0 * static_cast<double>((r - 1) / 2 + 1));
    CHECK(m == 1.0 + static_cast<double>((r - 1) % 2));
    // The lowest point is twice the static deflection m g / k. The tolerance of 1e-8 acts on each of some hundred
    // steps; sampling every 1 ms misses the turning point by at most 0.5 ms: (w 0.5 ms)^2 / 4 = 3e-5 of it.
    const double deflection = m * 9.81 / k, w = std::sqrt(k / m);
    CHECK(std::stod(rows[r][3]) == doctest::Approx(-2 * deflection).epsilon(4e-5));
    // It returns to x = 0 after each period; the largest of these near-zero samples is at one of them.
    const double period = 2 * std::numbers::pi / w, t = std::stod(rows[r][4]);
    CHECK(std::abs(t - period * std::round(t / period)) < 1e-3);
    // Mean of -d (1 - cos(w t)) over [0, 2 s] is -d (1 - sin(2 w) / (2 w)); trapezoids err by (w 1 ms)^2 / 12.
    CHECK(std::stod(rows[r][5]) == doctest::Approx(-deflection * (1 - std::sin(2 * w) / (2 * w))).epsilon(4e-5));
  }
}

TEST_CASE("Sweep: the table does not depend on the number of threads") {
  const Place at;
  const auto values = [&](const std::string& jobs) {
    Rows rows = csv(at.run("run m.yaml --sweep k=100..300/9 --sweep m=1,3 --csv - --jobs " + jobs).out);
    for (auto& row : rows) row.erase(row.begin() + 7);  // the seconds
    return rows;
  };
  const Rows one = values("1");
  REQUIRE(one.size() == 19);
  CHECK(one[0].back() == "reason");
  CHECK(one == values("2"));  // texts of 17 digits: bit for bit
}

TEST_CASE("Sweep: failed points are rows, the others go on") {
  const Place at;
  const Done done = at.run("run m.yaml --sweep m=-1,1,0,2");
  CHECK(done.code == 3);
  CHECK(done.err.find("of 4 points failed") != std::string::npos);
  CHECK(done.out.find("failed") != std::string::npos);
  CHECK(done.out.find("mass is") != std::string::npos);
  CHECK(done.out.find("finished") != std::string::npos);
}

TEST_CASE("Sweep: files on request, by several threads") {
  const Place at;
  CHECK(at.run("run m.yaml --sweep k=100,200,300 --out runs --jobs 2 --json").code == 0);
  CHECK(at.text("out").find("runs/run_0003.h5") != std::string::npos);
  CHECK(at.text("out").find("\"k\": \"N/m\"") != std::string::npos);
  for (int k = 1; k <= 3; ++k) {
    const auto run = io::ResultFile::open(at.path / ("runs/run_000" + std::to_string(k) + ".h5"));
    CHECK(run.summary().status == simulation::RunStatus::finished);
    CHECK(run.samples() == 2001);
    const auto x = run.series("x").values;
    CHECK(*std::min_element(x.begin(), x.end()) == doctest::Approx(-2 * 2 * 9.81 / (100 * k)).epsilon(4e-5));
  }
  CHECK(at.run("run m.yaml --sweep k=100,200").code == 0);
  CHECK(!fs::exists(at.path / "m.h5"));
}

TEST_CASE("Sweep: wrong names and units are refused before any run") {
  const Place at;
  for (const auto& [arguments, why] : std::vector<std::pair<std::string, std::string>>{
           {"--sweep kk=1,2", "Did you mean \"k\"?"},
           {"--sweep 'k=1,2 kg'", "does not fit"},
           {"--sweep k=1,2 --measure 'max(y)'", "no channel"},
           {"--sweep k=1,2 --measure 'top(x)'", "no function"},
           {"--sweep k=1,2 --verify", "--verify"},
           {"--sweep k=1,2 --set 'k=3 N/m'", "--set and --sweep both change \"k\""},
           {"--sweep k=1,2 --sweep k=3", "twice"},
           {"--measure 'max(x)'", "--sweep"}}) {
    const Done done = at.run("run m.yaml " + arguments);
    CHECK(done.code == 2);
    CHECK_MESSAGE(done.err.find(why) != std::string::npos, done.err);
  }
  // A channel that is not recorded can be measured all the same.
  CHECK(at.run("run m.yaml --sweep k=100,200 --measure 'max(b.vz)'").out.find("max(b.vz) [m/s]") != std::string::npos);
}

TEST_CASE("Sweep: the model without the sweep may be a wrong one") {
  const Place at;
  std::string wrong = oscillator;
  at.write("wrong.yaml", wrong.replace(wrong.find("m: 2 kg"), 7, "m: -2 kg"));
  CHECK(at.run("run wrong.yaml --sweep 'm=1,2 kg'").code == 0);
  const Done done = at.run("run wrong.yaml --sweep k=100,200");
  CHECK(done.code == 2);
  CHECK(done.err.find("mass is") != std::string::npos);
}

TEST_CASE("Sweep: a point that cannot run names no file, not even one of an earlier sweep") {
  const Place at;
  fs::create_directories(at.path / "runs");
  at.write("runs/run_0001.h5", "old");
  const Done done = at.run("run m.yaml --sweep m=-1,1 --out runs");
  CHECK(done.code == 3);
  CHECK(!fs::exists(at.path / "runs/run_0001.h5"));
  CHECK(done.out.find("run_0001") == std::string::npos);
  CHECK(done.out.find("run_0002") != std::string::npos);
}

TEST_CASE("Sweep: a table that cannot be written is told before the runs") {
  const Place at;
  const Done done = at.run("run m.yaml --sweep k=100,200 --csv nowhere/t.csv --out runs");
  CHECK(done.code == 2);
  CHECK(done.err.find("nowhere/t.csv: the file cannot be written: No such file") != std::string::npos);
  CHECK(!fs::exists(at.path / "runs/run_0001.h5"));
  // A disk without room shows only afterwards: the table is printed all the same.
  const Done full = at.run("run m.yaml --sweep k=100,200 --csv /dev/full");
  CHECK(full.code == 3);
  CHECK(full.out.find("finished") != std::string::npos);
}

TEST_CASE("Sweep: an interrupt keeps the finished rows") {
  const Place at;
  const std::string command = "cd " + at.path.string() +
                              " && exec " SKYHOOK_APP
                              " run m.yaml --sweep k=100..300:0.01 --until 20 --csv table.csv -o runs >out 2>err";
  const pid_t child = fork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(127);
  }
  for (int k = 0; k < 2000 && !fs::exists(at.path / "runs/run_00001.h5"); ++k)  // complete, since it has its name
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  kill(child, SIGINT);
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 130);
  const std::size_t rows = csv(at.text("table.csv")).size();
  CHECK(rows > 1);
  CHECK(rows < 20001);
  const auto files = std::distance(fs::directory_iterator(at.path / "runs"), fs::directory_iterator());
  CHECK(files == static_cast<long>(rows) - 1);  // none of a point that was interrupted; a row is the header
  CHECK(at.text("err").find("Interrupted") != std::string::npos);
}

TEST_CASE("Sweep: JSON of an interrupted sweep names the points that are missing") {
  const Place at;
  const std::string command = "cd " + at.path.string() +
                              " && exec " SKYHOOK_APP
                              " run m.yaml --sweep k=100..300:0.1 --until 20 --json -o runs >out 2>err";
  const pid_t child = fork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(127);
  }
  for (int k = 0; k < 200 && !fs::exists(at.path / "runs/run_0001.h5"); ++k)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  kill(child, SIGINT);
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WEXITSTATUS(status) == 130);
  CHECK(at.json("d['interrupted'] and len(d['points']) > 0 and len(d['missing']) > 0"));
  // Together they are the grid, each point once.
  CHECK(at.json("sorted(round(p['k'] * 10) for p in d['points'] + d['missing']) == list(range(1000, 3001))"));
}

TEST_CASE("Sweep: every point tells its warnings, and the terminal sums them up by kind") {
  const Place at;
  // `span` is used nowhere, at all points; the output step is longer than the run at the two whose span is short.
  std::string model = oscillator;
  at.write("w.yaml", model.replace(model.find("until: 2 s"), 10, "until: \"=m*1[s/kg]\""));
  const Done done = at.run("run w.yaml --sweep m=0.3,0.4,2 --output-step 0.5 --json");
  CHECK(done.code == 0);
  CHECK(at.json("[len(p['warnings']) for p in d['points']] == [2, 2, 1]"));
  CHECK(at.json("all('unused' in [w['name'] for w in p['warnings']] for p in d['points'])"));
  CHECK(at.json("d['interrupted'] == False and d['missing'] == []"));
  CHECK(testing::has(done.err, "warning: 3 of 3 points (first: m=0.3 kg): w.yaml:3:"));
  CHECK(testing::has(done.err,
                     "warning: 2 of 3 points (first: m=0.3 kg): command line: The output step, 0.5 s, is longer"));
  CHECK(testing::has(done.err, "And 1 more of this kind, all in --json."));  // the other run is another 0.1 s longer
  const std::string table = at.run("run w.yaml --sweep m=0.3,2 --output-step 0.5 --csv -").out;
  CHECK(testing::has(table, "seconds,warnings,reason\n"));
  CHECK(testing::has(table, "parameter \"\"span\"\" is used nowhere. [unused]; command line: The output step"));
}

TEST_CASE("Sweep: a point that cannot start tells its warnings too") {
  const Place at;
  at.write("bad.yaml",
           "skyhook: 1\nparameters: {l: 1 m, unused: 3}\n"
           "bodies: {a: {mass: 1, inertia: [1, 1, 1], at: [0, 0, 0]}}\n"
           "joints: {h: {type: revolute, from: ground, to: a, at: [0, 0, 0], axis: y},\n"
           "  r: {type: rod, from: ground, to: a, from_at: [3, 0, 0], to_at: [1, 0, 0], length: =l}}\n"
           "experiments: {e: {until: 1}}\n");
  CHECK(at.run("run bad.yaml --sweep l=0.5,2 --json").code == 3);
  CHECK(at.json("d['points'][0]['status'] == 'failed' and d['points'][0]['warnings'][0]['name'] == 'unused'"));
}

TEST_CASE("Sweep: the table is none of the results, by whatever name") {
  const Place at;
  for (const char* csv : {"runs/run_0002.h5", "./runs/../runs/run_0002.h5", "link.csv"}) {
    CAPTURE(csv);
    fs::remove(at.path / "link.csv");
    fs::create_symlink("runs/run_0002.h5", at.path / "link.csv");
    const Done done = at.run("run m.yaml --sweep k=100,200 --out runs --csv " + std::string(csv));
    CHECK(done.code == 2);
    CHECK(testing::has(done.err, "two outputs of the command would go to this file"));
    CHECK(!fs::exists(at.path / "runs/run_0001.h5"));
  }
  CHECK(at.run("run m.yaml --sweep k=100,200 --out runs --csv runs/run_0003.h5").code == 0);
}

TEST_CASE("Plot: pictures and terminal from the command line") {
  const Place at;
  REQUIRE(at.run("run m.yaml -o a.h5 --ignore unused --solver ida").code == 0);
  REQUIRE(at.run("run m.yaml -o b.h5 --ignore unused --set 'k=300 N/m'").code == 0);
  CHECK(at.run("plot a.h5 x --out p.svg --compare b.h5 --title 'A & B'").code == 0);
  const std::string svg = at.text("p.svg");
  CHECK(svg.find("A &amp; B</title>") != std::string::npos);
  CHECK(svg.find(">x [m]</text>") != std::string::npos);
  CHECK(svg.find(">x (b.h5)</text>") != std::string::npos);
  CHECK(svg.find("stroke-dasharray") != std::string::npos);
  CHECK(at.run("plot a.h5 --out p.png --size 400x300").code == 0);
  CHECK(at.text("p.png").substr(1, 3) == "PNG");
  const Done text = at.run("plot a.h5 --terminal --width 60 --height 15");
  CHECK(text.out.find("time [s]") != std::string::npos);
  CHECK(text.out.find("\x1b") == std::string::npos);  // no colours into a file
  for (const char* wrong :
       {"", "--out p.gif", "--out p.svg --size 0x5", "--out p.svg --size 5", "--out p.svg --x y", "nothing --out p.svg",
        "--terminal --width 3", "--out p.svg --panels --overlay", "--out p.svg --from nan", "--out p.svg --to inf",
        "--out p.svg --from 1e300", "--out p.svg --from 2.1", "--out p.svg --to -1"})
    CHECK(at.run("plot a.h5 " + std::string(wrong)).code == 2);
  CHECK(at.run("plot a.h5 x --out p.svg --from 1 --to 5").err.empty());
  CHECK(at.run("plot a.h5 x --out p.svg --log-y").err.find("no value of x [m] is above 0") != std::string::npos);
}
#endif
