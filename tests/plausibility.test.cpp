// What a run can be doubted for: each doubt with its line and its name, and none on honest models.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <numbers>

#include "run_model.testing.h"
#include "skyhook/simulation/solvers.h"

using namespace skyhook;

namespace {

bool has(const std::string& text, const std::string& part) {
  const bool found = text.find(part) != std::string::npos;
  if (!found) MESSAGE("missing: " << part << "\nin: " << text);
  return found;
}

std::string text_of(const std::vector<Warning>& warnings) {
  std::string all;
  for (const Warning& w : warnings) all += to_string(w) + "\n";
  return all;
}

std::string doubts_of(const testing::Loaded& loaded) {
  return text_of(simulation::warnings_before(simulation::prepare(loaded.model, loaded.experiment)));
}

// A mass of 1 kg on a spring; line 7 holds the experiment.
std::string oscillator(const std::string& experiment, const std::string& stiffness = "100",
                       const std::string& more = "") {
  return "skyhook: 1\ngravity: off\nbodies: {b: {mass: 1 kg}}\njoints: {s: {type: prismatic, from: ground, to: b, "
         "axis: z}}\n"
         "forces: {spring: {type: spring_damper, from: ground, to: b, from_at: [0, 0, -1], stiffness: " +
         stiffness + "}}\ninitial: {s.displacement: 0.1}\nexperiments: {e: {" + experiment +
         "}}\noutputs: [s.displacement]\n" + more;
}

}  // namespace

TEST_CASE("Plausibility: no experiment of the models and examples is doubted") {
  namespace fs = std::filesystem;
  int count = 0;
  for (const char* folder : {"/models", "/docs/examples"}) {
    for (const auto& entry : fs::recursive_directory_iterator(std::string(SKYHOOK_SOURCE_DIR) + folder)) {
      if (entry.path().extension() != ".yaml" || entry.path().stem().string().find("_plugin") != std::string::npos)
        continue;  // its library is not built here
      const std::string path = entry.path().string();
      std::vector<std::string> names = {""};
      for (const auto& e : io::read_model(path).experiments) names.push_back(e.name);
      for (const auto& name : names) {
        CAPTURE(path);
        CAPTURE(name);
        model::Model m = io::read_model(path, {}, name);
        testing::Loaded loaded{std::make_shared<model::Model>(m), {}};
        for (const auto& e : m.experiments) {
          if (e.name == name) loaded.experiment = e;
        }
        CHECK(doubts_of(loaded) == "");
        ++count;
      }
    }
  }
  CHECK(count > 40);
}

TEST_CASE("Plausibility: an output step longer than the run, and a result of more than 1 GB") {
  CHECK(doubts_of(testing::load_text(oscillator("until: 1 s, output_step: 5"))) ==
        "test.yaml:7:31: The output step, 5 s, is longer than the run, 1 s: only its begin and end are recorded. "
        "Choose a shorter "
        "one; it counts in s. [output_step]\n");
  // 1e8 samples of time and side, 2 * 2 states, 7 of a pose, 2 of a channel, 6 of a joint, 6 of a force and 5 from which a run goes
  // on (t, begun, acted, work, start energy), 8 bytes each: 25.6 GB.
  CHECK(doubts_of(testing::load_text(oscillator("until: 1000 s, output_step: 1e-5"))) ==
        "test.yaml:7:34: The result will have 1e+08 samples and about 26 GB. Choose a longer output_step, or fewer "
        "outputs. "
        "[large_result]\n");
  CHECK(doubts_of(testing::load_text(oscillator("until: 1000 s, output_step: 1e-3"))) == "");
}

TEST_CASE("Plausibility: sample times that mean more than a million restarts") {
  testing::Loaded loaded = testing::load_text(oscillator(
      "until: 1.5 s", "100", "controllers: {c: {type: pid, input: s.displacement, kp: 1, sample_time: 1e-6}}\n"));
  CHECK(has(doubts_of(loaded),
            "test.yaml:9:15: Controller \"c\" samples every 1e-06 s: the integrator begins anew 1.5e+06 times in this "
            "run. Choose "
            "a longer time; it counts in s. [many_restarts]"));
  loaded.experiment.until = 0.9;
  CHECK(doubts_of(loaded).find("many_restarts") == std::string::npos);
}

TEST_CASE("Plausibility: a stiffness that the tolerance cannot resolve") {
  // At 1e-6 m the force of 1e8 N/m errs by 100 N, ten times the weight of 1 kg; of 1e6 N/m by 1 N.
  CHECK(doubts_of(testing::load_text(oscillator("until: 1 s", "1e8"))) ==
        "test.yaml:5:10: Force \"spring\" has a stiffness of 1e+08 N/m: an error of the tolerance, 1e-06 m, changes it "
        "by 100 N, more "
        "than the weight of 1 kg that it carries. Check its unit; tighten absolute_tolerance, or put a joint in its "
        "place. "
        "[too_stiff]\n");
  CHECK(doubts_of(testing::load_text(oscillator("until: 1 s", "1e6"))) == "");
  CHECK(doubts_of(testing::load_text(oscillator("until: 1 s, absolute_tolerance: 1e-9", "1e8"))) == "");
}

// A lever of 2 kg with 0.5 kg.m^2 about its hinge: an error of 1e-6 rad must change the moment by less than g sqrt(2 * 0.5) = 9.81
// N.m. On a slider 1 kg, as above.
TEST_CASE("Plausibility: stiffnesses on joint coordinates and of angles") {
  const auto told = [](const std::string& joint, const std::string& force) {
    return doubts_of(testing::load_text(
        "skyhook: 1\nbodies: {b: {mass: 2, inertia: [0.3, 0.5, 0.3]}, c: {mass: 1, inertia: [0.1, 0.1, 0.1]}}\n"
        "joints: {h: {type: revolute, from: ground, to: b, axis: y}, s: {type: " +
        joint + ", from: ground, to: c, axis: z}}\nforces: {k: {" + force + "}}\nexperiments: {e: {until: 1}}\n"));
  };
  CHECK(
      told("prismatic", "type: spring_damper, joint: h, angular_stiffness: 1e7") ==
      "test.yaml:4:10: Force \"k\" has a stiffness of 1e+07 N.m/rad: an error of the tolerance, 1e-06 rad, changes it "
      "by 10 N.m, more than the weight of the 2 kg that it turns, at their radius of gyration of 0.5 m. Check its "
      "unit; tighten absolute_tolerance, or put a joint in its place. [too_stiff]\n");
  CHECK(told("prismatic", "type: spring_damper, joint: h, angular_stiffness: 9.7e6") == "");
  CHECK(has(told("prismatic", "type: spring_damper, joint: s, stiffness: 1e7"),
            "Force \"k\" has a stiffness of 1e+07 N/m: an error of the tolerance, 1e-06 m, changes it by 10 N, more "
            "than the weight of 1 kg that it carries."));
  CHECK(told("prismatic", "type: spring_damper, joint: s, stiffness: 9.7e6") == "");
  CHECK(has(told("cylindrical", "type: spring_damper, joint: s.angle, angular_stiffness: 1e8"), "[too_stiff]"));
  CHECK(has(told("prismatic", "type: bushing, from: ground, to: b, angular_stiffness: [0, 1e8, 0]"),
            "Force \"k\" has a stiffness of 1e+08 N.m/rad"));
  CHECK(told("prismatic", "type: bushing, from: ground, to: b, angular_stiffness: [1e6, 1e6, 1e6]") == "");
}

TEST_CASE("Plausibility: options that mean nothing for the solver are named with their lines") {
  const auto of = [](const std::string& options) {
    return doubts_of(testing::load_text(oscillator("until: 1 s, " + options)));
  };
  CHECK(of("solver: dopri5, kappa: 0.01") ==
        "test.yaml:7:47: `kappa` means nothing for the solver dopri5/projecting: it belongs to Newton's iteration, "
        "which only implicit integrators have. Remove it, or choose another solver. [no_effect]\n");
  CHECK(has(of("solver: bdf, baumgarte: 5"), "`baumgarte` means nothing for the solver bdf/ggl: "));
  CHECK(has(of("solver: radau5, max_order: 3"), "`max_order` means nothing for the solver radau5/ggl: "));
  CHECK(has(of("solver: radau5/ggl, metric: euclidean"), "`metric` means nothing for the solver radau5/ggl: "));
  CHECK(has(of("solver: adams, jacobian: exact"), "`jacobian` means nothing for the solver adams/projecting: "));
  CHECK(has(of("solver: bdf, max_order: 12"), "`max_order` is 12, but bdf knows orders up to 5 only."));
  for (const char* right : {"solver: bdf, kappa: 0.01, max_order: 3, jacobian: exact", "solver: adams, max_order: 12",
                            "solver: dopri5, metric: euclidean", "solver: radau5/baumgarte, baumgarte: 5"})
    CHECK(of(right) == "");
  const auto rest = testing::load_text(oscillator("until: 1 s, analysis: equilibrium"), {.experiment = "e"});
  CHECK(has(doubts_of(rest), "test.yaml:7:19: `until` means nothing for `analysis: equilibrium`. Remove it."));
  // What `auto` chooses is known in the run.
  const auto run = testing::run_text(oscillator("until: 1 s, baumgarte: 5"));
  CHECK(has(text_of(run.sink.summary.warnings), "`baumgarte` means nothing for the solver adams/projecting"));
  const auto newton = testing::run_text(oscillator("until: 1 s, kappa: 0.01"));  // which it takes into account
  CHECK(newton.sink.summary.solver == "bdf/ggl");
  CHECK(newton.sink.summary.warnings.empty());
}

TEST_CASE("Plausibility: a channel that oscillates faster than the samples show") {
  // w = 100 1/s: 15.9 Hz. Samples every 50 ms show 10 Hz, every 10 ms 50 Hz.
  const auto told = [](const std::string& step) {
    return text_of(testing::run_text(oscillator("until: 10 s, output_step: " + step, "1e4")).sink.summary.warnings);
  };
  CHECK(told("50 ms") ==
        "Channel \"s.displacement\" oscillates with about 15.9 Hz, but samples every 0.05 s show no more than 10 Hz: "
        "what is recorded "
        "is right at its times and misleading in between. Choose an output_step of 0.006 s or less. [coarse_output]\n");
  // Samples with nearly the period of the oscillation make it a slow beat; its curvatures tell its frequency.
  CHECK(has(told("0.0628 s"), "oscillates with about 15.9 Hz"));
  CHECK(told("10 ms") == "");
  // A short run with few samples.
  const auto brief = [](const std::string& until, const std::string& stiffness) {
    return text_of(
        testing::run_text(oscillator("until: " + until + ", output_step: 50 ms", stiffness)).sink.summary.warnings);
  };
  CHECK(has(brief("0.3 s", "1e4"), "[coarse_output]"));
  for (const char* slow : {"1", "10", "100"}) {
    for (const char* until : {"0.25 s", "0.3 s", "0.5 s", "1 s"}) CHECK(brief(until, slow) == "");
  }
  // A fast remainder on a slow motion is no concern.
  const auto slow = testing::run_text(oscillator("until: 10 s, output_step: 50 ms, tolerance: 1e-6", "1"));
  CHECK(text_of(slow.sink.summary.warnings) == "");
}

// 10 Hz, sampled always at the same phases: constants are recorded, or a zigzag. From its largest value rates are zero too, from its
// middle curvatures are.
TEST_CASE("Plausibility: samples with the period of an oscillation hide it, and that is told") {
  const double stiffness = std::pow(20 * std::numbers::pi, 2);
  const auto told = [&](const std::string& initial, double step, const std::string& output) {
    std::string text =
        oscillator("until: 10 s, tolerance: 1e-8, output_step: " + std::to_string(step), fmt::format("{}", stiffness));
    text.replace(text.find("s.displacement: 0.1"), 19, initial);
    auto loaded = testing::load_text(text, {.outputs = {output}});
    return text_of(testing::run(loaded).sink.summary.warnings);
  };
  for (const char* initial : {"s.displacement: 0.1", "s.displacement_rate: 6"}) {
    for (const double step : {0.05, 0.1, 0.2, 0.5}) {
      CAPTURE(initial);
      CAPTURE(step);
      CHECK(has(told(initial, step, "s.displacement"), "[coarse_output]"));
    }
    for (const double step : {0.01, 0.02}) CHECK(told(initial, step, "s.displacement") == "");
    // Near such steps the frequency is still that of the oscillation.
    for (const double step : {0.0999, 0.1001, 0.11, 0.199})
      CHECK(has(told(initial, step, "s.displacement"), "oscillates with about 10 Hz"));
  }
  CHECK(has(told("s.displacement: 0.1", 0.1, "s.displacement_rate"), "oscillates with a multiple of about 5 Hz, but"));
}

// Pitch of a body that tumbles through 90 deg makes yaw and roll jump: who asks for them is told, who asks for nothing is not.
TEST_CASE("Plausibility: jumping angles are told to who has asked for them") {
  const auto told = [](const std::string& outputs) {
    return text_of(
        testing::run_text("skyhook: 1\ngravity: off\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\njoints: {f: "
                          "{type: free, from: ground, to: b, angular_velocity: [0, 3, 0.001]}}\n" +
                          outputs + "experiments: {e: {until: 3, tolerance: 1e-8}}\n")
            .sink.summary.warnings);
  };
  CHECK(told("") == "");
  CHECK(has(told("outputs: [b.roll, b.x]\n"), "[gimbal]"));
  CHECK(told("outputs: [b.qw, b.x]\n") == "");
}

// Explicit methods leave a stiff model at rest with a noise of the tolerance, of which nothing is exchanged but the noise itself.
TEST_CASE("Plausibility: where nothing moves no energy is lost") {
  for (const char* solver : {"dopri5", "adams", "ida", "radau5"}) {
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      CAPTURE(solver);
      CAPTURE(tolerance);
      auto loaded = testing::load("suspension/quarter_car", {.set = {{"bump", "0 mm"}}, .tolerance = tolerance});
      loaded.experiment.solver = solver;
      CHECK(text_of(testing::run(loaded).sink.summary.warnings).find("energy_lost") == std::string::npos);
    }
  }
}

// The other side of it: of an oscillation of 5 to 50 tolerances under gravity BDF loses nearly all in 160 periods.
TEST_CASE("Plausibility: a small motion that is lost is still told") {
  for (const char* amplitude : {"5 mm", "10 mm", "50 mm"}) {
    CAPTURE(amplitude);
    const std::string model =
        "skyhook: 1\nbodies: {b: {mass: 1 kg}}\njoints: {s: {type: prismatic, from: ground, to: b, axis: z}}\n"
        "forces: {spring: {type: spring_damper, joint: s, stiffness: 100, preload: -9.81}}\n"
        "experiments: {e: {until: 100 s, output_step: 50 ms, tolerance: 1e-3, solver: bdf}}\ninitial: "
        "{s.displacement: ";
    CHECK(has(text_of(testing::run_text(model + amplitude + "}\n").sink.summary.warnings), "[energy_lost]"));
  }
}

// The books of energy go on at the ends of steps: how many samples there are does not change what the balance misses. It is told as the largest that was seen, and while books ride on
// samples they look at every fourth end of a step at most: between two looks at a vibration it may be three times as large.
TEST_CASE("Plausibility: what the books of energy miss does not depend on the output step") {
  const auto closure = [](const std::string& model, const std::string& solver, double samples) {
    auto loaded = testing::load(model, {.tolerance = 1e-6});
    loaded.experiment.output_step = (loaded.experiment.until - loaded.experiment.from_time) / samples;
    loaded.experiment.solver = solver;
    return testing::run(loaded).sink.summary.energy_closure;
  };
  for (const char* model : {"suspension/quarter_car", "suspension/axle_on_stamp"}) {
    for (const char* solver : {"ida", "radau5"}) {
      CAPTURE(model);
      CAPTURE(solver);
      const double fine = closure(model, solver, 1000);
      CHECK(fine < 1e-4);
      for (const double samples : {3.0, 20.0}) {  // those of a sample in a step may miss more than the ends do
        const double coarse = closure(model, solver, samples);
        CHECK(coarse <= 3 * fine);
        CHECK(coarse > 0.1 * fine);
      }
    }
  }
}
