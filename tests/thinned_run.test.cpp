// Samples from the curve through others. Reference: the same run with all samples solved, which takes the same steps, so that samples are compared one by one. What is
// allowed is three times the tolerance times the range of a number over the run, or a tenth of the largest of its kind, or 0.1: by so much those that are checked may be off, and twice that leaves room for
// what lies between them. Rates of states may bend the cubic between samples by that much, 4/27 of the time between them. Books of energy look at solved samples alone: balances
// may be off by as much more.
#include <cmath>
#include <limits>
#include <map>

#include "run_model.testing.h"
#include "skyhook/model/analysis_options.h"
#include "skyhook/simulation/simulation.h"

using namespace skyhook;
using skyhook::testing::load;
using skyhook::testing::load_text;
using skyhook::testing::Loaded;

namespace {

constexpr double room = 2;
// Between steps of an explicit method its curve has corners, where one step ends and the next begins; single samples, taken over such a corner, may be off by ten times as much.
constexpr double room_at_corners = 10;

struct Everything : simulation::Sink {
  simulation::RunInfo info;
  simulation::RunSummary summary;
  std::vector<std::vector<double>> times, rows, rates, run_states, residuals;
  std::vector<std::vector<double>> steps;

  void begin(const simulation::RunInfo& i) override { info = i; }
  void sample(const simulation::Sample& s) override {
    times.push_back({s.t, static_cast<double>(s.side)});
    auto& row = rows.emplace_back();
    for (const CSpan part : {s.channels, s.y, s.yp, s.poses, s.reactions, s.forces})
      row.insert(row.end(), part.begin(), part.end());
    rates.emplace_back(s.channel_rates.begin(), s.channel_rates.end());
    residuals.emplace_back(s.residuals.begin(), s.residuals.end());
    auto& state = run_states.emplace_back();
    if (s.run_state) state = s.run_state->numbers;
  }
  void step(const simulation::StepRecord& s) override { steps.push_back({s.t, s.h}); }
  void event(const simulation::EventRecord&) override {}
  void end(const simulation::RunSummary& s) override { summary = s; }

  std::vector<std::vector<double>> states() const {
    std::vector<std::vector<double>> out;
    const auto from = static_cast<std::ptrdiff_t>(info.channels.size()),
               to = from + static_cast<std::ptrdiff_t>(info.states.size());
    for (const auto& row : rows) out.emplace_back(row.begin() + from, row.begin() + to);
    return out;
  }

  // Columns of a row that are alike.
  std::string kind_of(std::size_t column) const {
    if (column < info.channels.size()) return info.channels[column].unit;
    const std::size_t states = 2 * info.states.size(), poses = 7 * info.bodies.size();
    std::size_t k = column - info.channels.size();
    if (k < states) return k < info.states.size() ? "y" : "y'";
    if (k -= states; k < poses) return k % 7 < 3 ? "places" : "quaternions";
    return (k - poses) % 6 < 3 ? "forces" : "moments";
  }
};

Everything run_with(Loaded loaded, const std::string& samples) {
  model::AnalysisOptions options = loaded.experiment.options ? *loaded.experiment.options : model::AnalysisOptions();
  options.samples = samples;
  loaded.experiment.options = std::make_shared<const model::AnalysisOptions>(options);
  Everything out;
  simulation::simulate(simulation::prepare(loaded.model, loaded.experiment), loaded.experiment, out, loaded.options);
  REQUIRE_MESSAGE(out.summary.status == simulation::RunStatus::finished, out.summary.reason);
  return out;
}

// Not a number where the other is.
double apart(double a, double b) { return std::isnan(a) && std::isnan(b) ? 0.0 : std::abs(a - b); }

// The largest difference over what is allowed; energies by the largest of them.
double worst(const Everything& curve, const Everything& solved, double tolerance, double output_step) {
  REQUIRE(curve.times == solved.times);
  std::map<std::string, double> largest;
  const std::size_t columns = solved.rows[0].size();
  std::vector<double> range(columns), off(columns);
  for (std::size_t c = 0; c < columns; ++c) {
    const bool is_turn = solved.kind_of(c) == "quaternions";
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (std::size_t k = 0; k < solved.rows.size(); ++k) {
      const double x = solved.rows[k][c], there = curve.rows[k][c];
      const double d =
          is_turn ? std::min(apart(there, x), apart(there, -x)) : apart(there, x);  // q and -q are one turn
      if (std::isfinite(x)) low = std::min(low, x), high = std::max(high, x);
      if (!(d <= off[c])) off[c] = d;
    }
    if (low > high) continue;
    range[c] = high - low;
    double& of_kind = largest[solved.kind_of(c)];
    of_kind = std::max({of_kind, high, -low});
  }
  double found = 0;
  for (std::size_t c = 0; c < columns; ++c) {
    const std::string kind = solved.kind_of(c);
    if (kind == "J") continue;
    const auto allowed_of = [&](std::size_t k) {
      return 3 * tolerance * std::max({range[k], 0.1 * largest[solved.kind_of(k)], 0.1});
    };
    double allowed = allowed_of(c);
    if (kind == "y'") allowed = std::max(allowed, allowed_of(c - solved.info.states.size()) * 27 / 4 / output_step);
    if (off[c] / allowed > found) found = off[c] / allowed;
    if (off[c] > room * allowed) MESSAGE("off by " << off[c] / allowed << ": column " << c << ", " << kind);
  }
  return found;
}

double largest_of(const std::vector<std::vector<double>>& rows) {
  double out = 0;
  for (const auto& row : rows) {
    for (const double x : row) out = std::max(out, std::abs(x));
  }
  return out;
}

// Events, controllers, wheels on rails, laws that switch.
struct Case {
  std::string model, experiment;
  double tolerance = 0, until = 0, output_step = 0;
  long fewest = 0;    // samples from the curve, in thousandths
  double off = room;  // by so much of what is allowed
};
const Case cases[] = {
    {"road/sedan/sedan", "lane_changes", 1e-4, 0, 0, 500},
    {"suspension/five_link", "bump", 0, 0, 1e-3, 500},
    {"rail/s_line_coach", "change", 1e-3, 8, 0, 0},
    {"mechanisms/n_four_bar", "turn", 0, 0, 0, 200},
    {"mechanisms/belt", "", 0, 0, 0, 300},
    {"mechanisms/crane", "", 0, 0, 0, 0},
    {"car/four_post", "shake", 1e-4, 2, 0, 0},
    {"mechanisms/coaster", "", 1e-4, 0, 2e-3, 0},  // power that flows, between nodes that lie closer and wider
    {"road/small_car", "", 1e-4, 0, 1e-3, 0, room_at_corners},
};

}  // namespace

TEST_CASE("Samples from the curve through others are those that are solved, within the tolerance") {
  for (const Case& c : cases) {
    CAPTURE(c.model);
    const Loaded loaded =
        load(c.model,
             {.experiment = c.experiment, .tolerance = c.tolerance, .until = c.until, .output_step = c.output_step});
    const Everything curve = run_with(loaded, "curve"), solved = run_with(loaded, "solved");
    const model::Experiment& e = loaded.experiment;
    const double tolerance = e.tolerance, step = e.output_step > 0 ? e.output_step : (e.until - e.from_time) / 1000;
    MESSAGE(c.model << ": " << curve.summary.from_curve << " of " << curve.summary.recorded << ", worst "
                    << worst(curve, solved, tolerance, step) << ", balance " << curve.summary.energy_closure
                    << " solved " << solved.summary.energy_closure << ", residuals " << largest_of(curve.residuals)
                    << " solved " << largest_of(solved.residuals));
    CHECK(solved.summary.from_curve == 0);
    CHECK(curve.summary.recorded == solved.summary.recorded);
    CHECK(curve.summary.recorded == static_cast<long>(curve.rows.size()));
    CHECK(1000 * curve.summary.from_curve >= c.fewest * curve.summary.recorded);
    CHECK(curve.steps == solved.steps);
    CHECK(worst(curve, solved, tolerance, step) <= c.off);
    CHECK(curve.states().back() == solved.states().back());
    CHECK(curve.summary.energy_closure <= 1.25 * solved.summary.energy_closure + 3 * tolerance);
  }
}

// Reactions are solved for to eleven digits of what goes into them: moments, differences of these, to 2e-9 of their size (`digits`).
TEST_CASE("At a tight tolerance samples are as exact as when all are solved") {
  const Loaded loaded = load("suspension/five_link", {.experiment = "bump", .tolerance = 1e-10, .output_step = 1e-3});
  const Everything curve = run_with(loaded, "curve"), solved = run_with(loaded, "solved");
  constexpr double digits = 7;
  CHECK(worst(curve, solved, 1e-10, 1e-3) <= digits);
}

// x = sin(10 t), so that the numbers asked for are known: one formula jumps, one is a pulse of 2 ms in each half second, between samples 5 ms apart that are solved.
TEST_CASE("Formulas that jump or are narrow are right between samples that are solved") {
  const Loaded loaded = load_text(R"yaml(skyhook: 1
bodies: {block: {mass: 1 kg}}
joints: {guide: {type: prismatic, from: ground, to: block, axis: x, rate: 10}}
forces: {spring: {type: spring_damper, joint: guide, stiffness: 100 N/m}}
gravity: [0, 0, 0]
outputs: {x: block.x, sign: "=if(block.x > 0.5[m], 1, -1)", pulse: "=exp(-((block.x - 0.3[m])/0.004[m])^2)"}
experiments: {e: {until: 5 s, output_step: 1 ms, tolerance: 1e-5}}
)yaml");
  const Everything curve = run_with(loaded, "curve"), solved = run_with(loaded, "solved");
  CHECK(curve.summary.from_curve > 3500);
  for (std::size_t k = 0; k < curve.rows.size(); ++k) {
    CHECK(std::abs(curve.rows[k][0] - solved.rows[k][0]) <= 2 * 3 * 1e-5);
    if (std::abs(solved.rows[k][0] - 0.5) > 3e-5) CHECK(curve.rows[k][1] == solved.rows[k][1]);
    CHECK(std::abs(curve.rows[k][2] - solved.rows[k][2]) <=
          0.86 / 0.004 * 2 * 3 * 1e-5);  // its slope times the error of x
  }
}

// Where samples are left out, later ones are looked at first. x = sin(10 t) passes 0.4 m within a millisecond behind 41 ms.
TEST_CASE("A channel that is no number is told with the time of its first sample, in whatever order they are solved") {
  for (const double until : {0.1, 0.3, 0.4, 0.45, 0.6, 0.8, 0.95}) {
    CAPTURE(until);
    const Loaded loaded = load_text(
        "skyhook: 1\nbodies: {block: {mass: 1 kg}}\njoints: {guide: {type: prismatic, from: ground, to: block, axis: "
        "x, rate: 10}}\n"
        "forces: {spring: {type: spring_damper, joint: guide, stiffness: 100 N/m}}\ngravity: off\noutputs: {x: "
        "block.x, root: \"=sqrt(" +
        std::to_string(until) +
        "[m] - block.x)\"}\nexperiments: {e: {until: 1 s, output_step: 1 ms, tolerance: 1e-5}}\n");
    const Everything curve = run_with(loaded, "curve"), solved = run_with(loaded, "solved");
    CHECK(curve.summary.from_curve > 300);
    REQUIRE(solved.summary.warnings.size() == 1);
    REQUIRE(curve.summary.warnings.size() == 1);
    CHECK(solved.summary.warnings[0].name == "not_finite");
    CHECK(curve.summary.warnings[0].what == solved.summary.warnings[0].what);
    CHECK(curve.summary.warnings[0].what.find(
              "t = " + std::to_string(std::ceil(100 * std::asin(until)) / 1000).substr(0, 5) + " s") !=
          std::string::npos);
  }
}

// At each of its samples the torque jumps, and nothing of a curve may go over that.
TEST_CASE("With a sampled controller samples come from the curve between its jumps") {
  const Loaded loaded = load_text(R"yaml(skyhook: 1
bodies: {arm: {mass: 2, inertia: [0.001, 0.06, 0.06], com: [0.3, 0, 0]}}
joints: {pivot: {type: revolute, from: ground, to: arm, axis: y}}
forces:
  bearing: {type: spring_damper, joint: pivot, angular_damping: 0.2}
  motor: {type: actuator, joint: pivot, signal: servo}
controllers:
  servo: {type: pid, sample_time: 50 ms, delay: 13 ms, input: pivot.angle, setpoint: -0.5, kp: 10, ki: 20, kd: 0.5, derivative_filter: 50 ms, unit: N.m}
outputs: [pivot.angle, pivot.angle_acceleration, servo]
experiments: {e: {until: 2, output_step: 0.2 ms, tolerance: 1e-6, solver: bdf}}
)yaml");
  const Everything curve = run_with(loaded, "curve"), solved = run_with(loaded, "solved");
  CHECK(curve.summary.from_curve > curve.summary.recorded / 2);
  CHECK(worst(curve, solved, 1e-6, 2e-4) <= room);
  for (std::size_t k = 0; k < curve.rows.size(); ++k)
    CHECK(curve.rows[k][2] == solved.rows[k][2]);  // what is held is no curve
}

// An explicit method follows the contact with steps of its own, far below the samples.
TEST_CASE("An explicit method on rails: samples come from the curve within the tolerance, or are solved") {
  for (const std::string solver : {"dopri5", "adams"}) {
    CAPTURE(solver);
    Loaded loaded =
        load("rail/wheelset/s1002", {.experiment = "run", .tolerance = 1e-4, .until = 0.1, .output_step = 1e-4});
    loaded.experiment.solver = solver;
    const Everything curve = run_with(loaded, "curve"), solved = run_with(loaded, "solved");
    MESSAGE(solver << ": " << curve.summary.from_curve << " of " << curve.summary.recorded << ", worst "
                   << worst(curve, solved, 1e-4, 1e-4));
    CHECK(curve.steps == solved.steps);
    CHECK(worst(curve, solved, 1e-4, 1e-4) <= room_at_corners);
  }
}

// What continues from a sample that was not solved itself is the run that would have come out anyway.
TEST_CASE("A run can go on from each sample") {
  const Loaded loaded = load("road/sedan/sedan", {.experiment = "lane_changes", .tolerance = 1e-4});
  const Everything curve = run_with(loaded, "curve"), solved = run_with(loaded, "solved");
  REQUIRE(curve.summary.from_curve > 400);
  REQUIRE(curve.run_states.size() == solved.run_states.size());
  for (std::size_t k = 0; k < curve.run_states.size(); ++k) {
    REQUIRE(curve.run_states[k].size() == solved.run_states[k].size());
    for (std::size_t i = 0; i < curve.run_states[k].size(); ++i) {
      const double a = curve.run_states[k][i], b = solved.run_states[k][i];
      CHECK(apart(a, b) <= 1e-3 * (1 + std::abs(b)));  // no turn is lost; of the work the balance tells
    }
  }
}

// What is pending is part of the run.
TEST_CASE("With samples from the curve a run in pieces, saved and taken back, is the run in one piece, bit by bit") {
  Loaded loaded = load("suspension/five_link", {.experiment = "bump", .until = 0.6, .output_step = 1e-3});
  const Everything one = run_with(loaded, "curve");
  REQUIRE(one.summary.from_curve > 200);
  model::AnalysisOptions options;
  options.samples = "curve";
  loaded.experiment.options = std::make_shared<const model::AnalysisOptions>(options);
  const auto prepared = simulation::prepare(loaded.model, loaded.experiment);
  Everything pieces;
  simulation::Simulation run(prepared, loaded.experiment, pieces, loaded.options);
  for (const double t : {0.0137, 0.11, 0.313131, 0.5, 0.6}) {
    const auto saved = run.save();
    const Everything told = pieces;
    run.advance(std::min(t + 0.05, 0.6));
    run.restore(saved);
    pieces = told;
    run.advance(t);
  }
  run.finish();
  CHECK(pieces.summary.from_curve == one.summary.from_curve);
  CHECK(pieces.times == one.times);
  CHECK(pieces.rows.size() == one.rows.size());
  for (std::size_t k = 0; k < one.rows.size(); ++k) {
    for (std::size_t c = 0; c < one.rows[k].size(); ++c) CHECK(apart(pieces.rows[k][c], one.rows[k][c]) == 0);
  }
}
