// Plug-ins in whole models. References: the same model with the built-in element, whose derivatives are exact; statics of the
// example; messages by their words.
#include <sys/types.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "program.testing.h"
#include "run_model.testing.h"
#include "skyhook/analysis/equilibrium.h"
#include "skyhook/corrector/differences.h"
#include "skyhook/formulation/ggl.h"

using namespace skyhook;
using testing::has;

namespace {

const std::string plugins = SKYHOOK_PLUGINS;

// A chain a - b - c of hinges and a ball, with a spring from a to c, and another pendulum d beside it.
std::string chain(const std::string& force) {
  return "skyhook: 1\n"
         "bodies:\n"
         "  a: {mass: 2, inertia: [0.02, 0.03, 0.04], at: [0, 0, 0], com: [0.2, 0.01, 0]}\n"
         "  b: {mass: 1, inertia: [0.02, 0.01, 0.03], at: [0.4, 0, 0], com: [0.5, 0, 0.02]}\n"
         "  c: {mass: 1.5, inertia: [0.01, 0.02, 0.02], at: [0.7, 0.1, 0], com: [0.8, 0.1, 0.1]}\n"
         "  d: {mass: 1, inertia: [0.1, 0.1, 0.1], at: [2, 0, 0], com: [2.3, 0, 0]}\n"
         "joints:\n"
         "  ja: {type: revolute, from: ground, to: a, axis: y, rate: 1}\n"
         "  jb: {type: revolute, from: a, to: b, axis: [0, 1, 0.2]}\n"
         "  jc: {type: spherical, from: b, to: c}\n"
         "  jd: {type: revolute, from: ground, to: d, axis: y}\n"
         "forces:\n"
         "  s: " +
         force + "\nexperiments:\n  e: {until: 0.5, output_step: 0.05, tolerance: 1e-8}\n";
}

const std::string ends = "from: a, from_at: [0.1, 0, 0.05], to: c, to_at: [0.9, 0.2, 0.1]";
const std::string built_in = "{type: spring_damper, " + ends + ", stiffness: 300, damping: 4, free_length: 0.6}";
const std::string plugged = "{type: plugin, library: " + plugins + "/line_spring.so, " + ends +
                            ", parameters: {stiffness: 0.3 N/mm, damping: 4, free_length: 60 cm}}";

std::string trouble(int what, const std::string& after = "0.1 s") {
  return chain("{type: plugin, library: " + plugins + "/trouble.so, from: ground, to: c, parameters: {what: " +
               std::to_string(what) + ", after: " + after + "}}");
}

struct AtPoint {
  simulation::Prepared prepared;
  formulation::Ggl problem;
  std::vector<double> y, yp;
  explicit AtPoint(const std::string& text)
      : prepared([&] {
          const auto loaded = testing::load_text(text);
          return simulation::prepare(loaded.model, loaded.experiment);
        }()),
        problem(prepared.active),
        y(static_cast<std::size_t>(problem.structure().size())),
        yp(y.size()) {
    std::copy(prepared.state.q.begin(), prepared.state.q.end(), y.begin());
    std::copy(prepared.state.v.begin(), prepared.state.v.end(), y.begin() + problem.v());
    for (std::size_t k = 0; k < y.size(); ++k) y[k] += 0.05 * std::sin(3.0 * static_cast<double>(k) + 1.0);
    for (std::size_t k = 0; k < y.size(); ++k) yp[k] = std::cos(static_cast<double>(k));
  }
};

std::string failure_of(const std::string& text) {
  const auto loaded = testing::load_text(text);
  const auto prepared = simulation::prepare(loaded.model, loaded.experiment);
  REQUIRE_MESSAGE(prepared.ok(), prepared.problem());
  simulation::MemorySink sink;
  const auto summary = simulation::simulate(prepared, loaded.experiment, sink);
  CHECK(summary.status == simulation::RunStatus::failed);
  return summary.reason;
}

}  // namespace

// Both runs are right to a multiple of the tolerance 1e-8; that the Jacobian is differenced changes how Newton's iteration
// converges, not where to.
TEST_CASE("Plug-in: the law of a spring moves a model as the built-in spring does") {
  const testing::Run a = testing::run_text(chain(built_in)), b = testing::run_text(chain(plugged));
  REQUIRE(a.sink.states.size() == b.sink.states.size());
  double worst = 0;
  for (std::size_t i = 0; i < a.sink.states.size(); ++i) {
    for (std::size_t k = 0; k < a.sink.states[i].size(); ++k)
      worst = std::max(worst, std::abs(a.sink.states[i][k] - b.sink.states[i][k]));
  }
  CHECK(worst < 1e-7);  // measured: 2e-9
  CHECK(b.sink.summary.energy_closure < 1e-5);
  // The differenced block costs no steps.
  CHECK(b.sink.summary.cost.steps < 1.1 * static_cast<double>(a.sink.summary.cost.steps) + 3);
}

// Forward differences of the twelve local variables: some 1e-8 of the largest entry (see plugin.test.cpp of the element). In
// all other columns the two models compute the same numbers from the same exact derivatives.
TEST_CASE("Plug-in: only its own columns of the whole Jacobian are differenced") {
  AtPoint a(chain(built_in)), b(chain(plugged));
  auto ws = b.problem.workspace();
  CHECK(largest_mismatch(a.problem, {0.3, a.y, a.yp}, 50.0, *ws).relative < 1e-7);
  CHECK(largest_mismatch(b.problem, {0.3, b.y, b.yp}, 50.0, *ws).relative < 1e-6);
  Csc dy_a(a.problem.structure().pattern), dyp_a = dy_a, dy_b = dy_a, dyp_b = dy_a;
  REQUIRE(a.problem.derivatives({0.3, a.y, a.yp}, dy_a, dyp_a, *ws) == Eval::ok);
  REQUIRE(b.problem.derivatives({0.3, a.y, a.yp}, dy_b, dyp_b, *ws) == Eval::ok);
  CHECK(dyp_a.value == dyp_b.value);
  double largest = 0, own = 0;
  int touched = 0;
  for (int j = 0; j < a.problem.structure().size(); ++j) {
    const std::string& name = a.problem.structure().y[static_cast<std::size_t>(j)].name;
    const bool on_path = name.starts_with("jb") || name.starts_with("jc");  // from a to c: ja carries both along
    double error = 0;
    for (int k = dy_a.pattern->start[static_cast<std::size_t>(j)];
         k < dy_a.pattern->start[static_cast<std::size_t>(j) + 1]; ++k) {
      const auto i = static_cast<std::size_t>(k);
      largest = std::max(largest, std::abs(dy_a.value[i]));
      error = std::max(error, std::abs(dy_a.value[i] - dy_b.value[i]));
    }
    CAPTURE(name);
    if (!on_path) CHECK(error == 0.0);
    own = std::max(own, error), touched += error > 0;
  }
  CHECK(own < 1e-7 * largest);  // measured: 8e-9
  CHECK(touched > 0);           // else nothing would have been differenced
}

// A figure to look at, not to assert: machines differ.
TEST_CASE("Plug-in: cost of a Jacobian with and without") {
  const auto microseconds = [](const std::string& text) {
    AtPoint at(text);
    auto ws = at.problem.workspace();
    Csc dy(at.problem.structure().pattern), dyp = dy;
    double best = 1e9;
    for (int repeat = 0; repeat < 20; ++repeat) {
      const auto start = std::chrono::steady_clock::now();
      for (int i = 0; i < 100; ++i) REQUIRE(at.problem.derivatives({0.3, at.y, at.yp}, dy, dyp, *ws) == Eval::ok);
      best =
          std::min(best, std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
    }
    return best / 100;
  };
  MESSAGE("whole Jacobian of 4 bodies: " << microseconds(chain(built_in)) << " us with spring_damper, "
                                         << microseconds(chain(plugged)) << " us with the same law as a plug-in");
}

TEST_CASE("Plug-in: what gives no number is named with element, library and motion") {
  const std::string nan = failure_of(trouble(5));
  CHECK(has(
      nan,
      "force of plugin \"s\" (plug-in trouble.so) is not a number: f = (0, nan, 0) N, n = (0, 0, 0) N.m at t = 0.1"));
  CHECK(has(nan, "r = ("));
  const std::string retry = failure_of(trouble(6));
  CHECK(has(retry, "force of plugin \"s\" (plug-in trouble.so) gave no answer: no data beyond 0.1 s at t = 0.1"));
  CHECK(has(failure_of(trouble(7)), "gave no answer: the licence has expired at t = "));
  CHECK(has(failure_of(chain("{type: plugin, library: " + plugins + "/throws.so, from: ground, to: c}")),
            "(plug-in throws.so) gave no answer: it threw an exception: vector is empty at t = "));
}

TEST_CASE("Plug-in: other solvers name it too") {
  for (const std::string solver : {"radau5", "dopri5/projecting", "hem5"}) {
    CAPTURE(solver);
    std::string text = trouble(5);
    text.replace(text.find("tolerance"), 0, "solver: " + solver + ", ");
    CHECK(has(failure_of(text), "(plug-in trouble.so) is not a number"));
  }
}

TEST_CASE("Plug-in: reading a model loads nothing, and says nothing of the library") {
  const auto m =
      io::read_model_text(chain("{type: plugin, library: nowhere.so, from: ground, to: c, parameters: {k: 3 kN/m, "
                                "n: \"=2*3\"}}"),
                          "m.yaml");
  CHECK(has(m.expanded, "library: nowhere.so"));
  CHECK(has(m.expanded, "parameters: {k: 3000 N/m, n: 6}"));
  CHECK(io::read_model_text(m.expanded, "m.yaml").expanded == m.expanded);
  const auto shared = std::make_shared<model::Model>(m);
  CHECK_THROWS_WITH_AS(simulation::prepare(shared, m.experiments[0]),
                       doctest::Contains("there is no plug-in \"nowhere.so\""), ModelError);
}

TEST_CASE("Plug-in: the program tells what it loads, and check finds what is wrong") {
  const testing::Place at("plugin");
  at.write("good.yaml", chain(plugged));
  const testing::Done good = at.run("check good.yaml");
  CHECK(good.code == 0);
  CHECK(has(good.err, "loading the plug-in " + plugins + "/line_spring.so of the element \"s\": it runs its own code"));
  CHECK(has(good.out,
            "plug-in: s runs the code of " + plugins + "/line_spring.so\n  stiffness = 300 N/m: linear rate\n"));
  at.write("bad.yaml",
           chain("{type: plugin, library: line_spring.so, from: ground, to: c, parameters: {stiffness: 3 kg}}"));
  const testing::Done missing = at.run("check bad.yaml");
  CHECK(missing.code == 2);
  CHECK(has(missing.err, "bad.yaml:13:30: \"s\": there is no plug-in \"line_spring.so\"."));
  const testing::Done bad = at.run("check bad.yaml --path " + plugins);
  CHECK(bad.code == 2);
  CHECK(has(bad.err,
            "bad.yaml:13:91: \"s\": parameter stiffness is \"3 kg\", a quantity in kg, but the plug-in needs N/m."));
  CHECK(has(bad.err, "needs the parameter \"free_length\"."));
  CHECK(at.run("expand bad.yaml").code == 0);  // runs no code, needs no library
}

TEST_CASE("Plug-in: a crash is named, and what was flushed of the result can be read") {
  const testing::Place at("plugin_crash");
  const std::pair<int, const char*> crashes[] = {{1, "(SIGSEGV)"}, {2, "(SIGABRT)"}, {3, "(SIGFPE)"}, {8, "(SIGSEGV)"}};
  for (const auto& [what, signal] : crashes) {
    CAPTURE(what);
    at.write("crash.yaml", trouble(what, "0.4 s"));
    const testing::Done run =
        at.run("run crash.yaml --output-step 0.001");  // the first 256 samples are flushed at 0.255 s
    CHECK(run.code == 4);
    CHECK(has(run.err, "the plug-in \"trouble.so\" of the element \"s\" crashed"));
    CHECK(has(run.err, signal));
    const testing::Done show = at.run("show crash.h5 ja.angle --at 0.25");
    CHECK(show.code == 0);
  }
  at.write("crash.yaml", trouble(1, "0 s"));  // as soon as anything is computed
  CHECK(at.run("check crash.yaml").code == 4);
  at.write("sweep.yaml", "skyhook: 1\nparameters: {k: 1}\n" + trouble(1).substr(std::string("skyhook: 1\n").size()));
  const testing::Done sweep = at.run("run sweep.yaml --sweep k=1,2,3 --jobs 2");  // in threads
  CHECK(sweep.code == 4);
  CHECK(has(sweep.err, "the plug-in \"trouble.so\" of the element \"s\" crashed"));
}

TEST_CASE("Plug-in: the second Ctrl-C says which one never returns") {
  const testing::Place at("plugin_hang");
  at.write("hang.yaml", trouble(4));
  const pid_t child = fork();
  if (child == 0) {
    const std::string in = "cd " + at.path.string() + " && exec " SKYHOOK_APP " run hang.yaml >out 2>err";
    execl("/bin/sh", "sh", "-c", in.c_str(), nullptr);
    _exit(127);
  }
  const auto wait = [](int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); };
  for (int k = 0; k < 100 && !std::filesystem::exists(at.path / "hang.h5.part"); ++k) wait(50);  // the run has begun
  wait(200);
  REQUIRE(kill(child, SIGINT) == 0);
  wait(200);
  int status = 0;
  CHECK(waitpid(child, &status, WNOHANG) == 0);  // it cannot stop by itself
  REQUIRE(kill(child, SIGINT) == 0);
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFSIGNALED(status));
  CHECK(has(at.text("err"), "the plug-in \"trouble.so\" of the element \"s\" is still running"));
}

// Reference: statics. The gas carries the car at its design height; at the start the damper takes 0.3 m/s away from that.
TEST_CASE("Plug-in: the example is compiled by the command it shows, and rests where its physics says") {
  namespace fs = std::filesystem;
  const fs::path root = SKYHOOK_SOURCE_DIR;
  const testing::Place at("plugin_example");
  fs::create_directories(at.path / "docs");
  fs::create_directory_symlink(root / "include", at.path / "include");
  fs::create_directories(at.path / "docs/examples");
  for (const char* name : {"07_plugin.c", "07_plugin.yaml"})
    fs::copy_file(root / "docs/examples" / name, at.path / "docs/examples" / name);
  const std::string text = testing::text_of(root / "docs/examples/07_plugin.yaml");
  const std::size_t begin = text.find("cc -O2"), end = text.find('\n', begin);
  const std::string compile = text.substr(begin, end - begin);
  REQUIRE(has(testing::text_of(root / "docs/examples/07_plugin.c"), compile));
  REQUIRE(std::system(("cd " + at.path.string() + "/docs/examples && " + compile).c_str()) == 0);
  CHECK(at.run("check docs/examples/07_plugin.yaml").code == 0);
  const testing::Loaded loaded = testing::load_with({}, [&](const std::string& experiment) {
    return io::read_model((at.path / "docs/examples/07_plugin.yaml").string(), {}, experiment);
  });
  const auto rest = analysis::find_equilibrium(simulation::prepare(loaded.model, loaded.experiment));
  REQUIRE(rest.found);
  CHECK(std::abs(rest.state.q[0]) < 1e-9);
  CHECK(testing::run(loaded).at(0, "force") == doctest::Approx(400 * 9.81 - 1.2e3 * 0.3).epsilon(1e-12));
}
