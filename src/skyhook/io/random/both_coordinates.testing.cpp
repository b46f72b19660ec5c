#include "skyhook/io/random/both_coordinates.testing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <set>

#include "skyhook/analysis/start.h"
#include "skyhook/io/model_file/model_reader.h"
#include "skyhook/simulation/describe.h"
#include "skyhook/simulation/memory_sink.h"
#include "skyhook/simulation/simulate.h"

namespace skyhook::io::testing {
namespace {

struct Ran {
  std::string problem, coordinates;
  simulation::MemorySink sink;
};

// `read(settings)` gives the model as its experiment sets it.
using Read = std::function<model::Model(const std::vector<Setting>&)>;

struct Plan {
  Read read;
  std::string experiment, solver;
  Piece piece;
};

Ran run(const Plan& plan, model::Coordinates coordinates, double tolerance) {
  Ran out;
  const auto read = [&](const simulation::RunOptions::Changes& changes) {
    std::vector<Setting> set;
    for (const auto& [parameter, value] : changes) set.push_back({parameter, value});
    auto model = std::make_shared<model::Model>(plan.read(set));
    model->coordinates = coordinates;
    for (model::Body& body : model->bodies) body.coordinates.reset();
    return model;
  };
  try {
    const auto model = read({});
    model::Experiment e = *std::ranges::find(model->experiments, plan.experiment, &model::Experiment::name);
    e.until = e.from_time + std::min(plan.piece.share * (e.until - e.from_time), plan.piece.most);
    e.solver = plan.solver, e.output_step = (e.until - e.from_time) / plan.piece.samples;
    model::set_tolerance(e, tolerance);
    e.outputs = {{"", "*", {}}};
    const auto prepared = analysis::prepare(model, e);
    out.coordinates = simulation::coordinates_of(prepared);
    simulation::RunOptions options;
    options.reread = read;
    out.problem = prepared.ok() ? simulation::simulate(prepared, e, out.sink, options).reason : prepared.problem();
  } catch (const ModelError& error) {
    out.problem = error.what();
  }
  return out;
}

bool is_motion(const simulation::ChannelInfo& channel) {
  static const std::set<std::string> units{"m", "rad", "m/s", "rad/s", "J", "-"};
  return units.contains(channel.unit);
}

// What a run does wrong by itself.
bool is_error(const simulation::ChannelInfo& channel) {
  return channel.name.starts_with("constraints.") || channel.name == "energy.balance";
}

// Of the generalised force of a coupler the unit says nothing.
bool is_force(const simulation::ChannelInfo& channel) { return channel.name.ends_with(".force"); }

// Three angles of a body are no numbers where the middle one comes to 90 deg: rounding decides there.
bool is_attitude(const simulation::ChannelInfo& channel) {
  static const std::set<std::string> names{"angle_x", "angle_y", "angle_z", "roll", "pitch", "yaw"};
  std::string name = channel.name.substr(channel.name.rfind('.') + 1);
  if (name.ends_with("_rate")) name.resize(name.size() - 5);
  return names.contains(name);
}

void compare(const Ran& a, const Ran& b, BothCoordinates& out) {
  const auto names = [](const Ran& r) {
    std::set<std::string> all;
    for (const auto& channel : r.sink.info.channels) all.insert(channel.name + " [" + channel.unit + "]");
    return all;
  };
  if (names(a) != names(b)) return out.problem = "the channels are not the same", void();
  if (a.sink.time.size() != b.sink.time.size()) return out.problem = "the samples are not as many", void();
  for (std::size_t k = 0; k < a.sink.info.channels.size(); ++k) {
    const auto& channel = a.sink.info.channels[k];
    if (is_error(channel) || is_attitude(channel)) continue;
    const auto other = static_cast<std::size_t>(b.sink.find(channel.name));
    double most = 0, apart = 0;
    for (std::size_t i = 0; i < a.sink.time.size(); ++i) {
      const double x = a.sink.channels[i][k], y = b.sink.channels[i][other];
      if (std::isnan(x) && std::isnan(y)) continue;
      most = std::max(most, std::abs(x));
      const double d = std::abs(x - y);
      apart = std::max(apart, std::isnan(d) ? std::numeric_limits<double>::infinity() : d);
    }
    const bool motion = is_motion(channel) && !is_force(channel);
    double& worst = motion ? out.motion : out.loads;
    if (apart / (1 + most) <= worst) continue;
    worst = apart / (1 + most);
    (motion ? out.worst_motion : out.worst_load) = channel.name;
  }
}

// What two runs of which each has these errors say of a difference of 1e-8 and 1e-6.
bool is_sensitive(const BothCoordinates& errors) { return !(errors.motion < 1e-9) || !(errors.loads < 1e-7); }

BothCoordinates compare_runs(const Plan& plan, bool skips) {
  BothCoordinates out, looser_one;
  out.share = plan.piece.share;
  const double tolerance = plan.piece.tolerance;
  const Ran joint = run(plan, model::Coordinates::joint, tolerance);
  if (!joint.problem.empty()) return out.skipped = joint.problem, out;
  const Ran looser = run(plan, model::Coordinates::joint, 10 * tolerance);
  if (!looser.problem.empty()) return out.skipped = looser.problem, out;
  compare(joint, looser, looser_one);
  out.motion_error = looser_one.motion, out.load_error = looser_one.loads;
  if (skips && is_sensitive(looser_one))
    return out.too_sensitive = true,
           out.skipped =
               fmt::format("ten times the tolerance changes {} by {:.2g} and {} by {:.2g}", looser_one.worst_motion,
                           looser_one.motion, looser_one.worst_load, looser_one.loads),
           out;
  const Ran absolute = run(plan, model::Coordinates::absolute, tolerance);
  out.coordinates = absolute.coordinates;
  if (!absolute.problem.empty()) return out.problem = "absolute: " + absolute.problem, out;
  compare(joint, absolute, out);
  return out;
}

}  // namespace

BothCoordinates try_both_coordinates(const std::string& text) {
  const auto read = [&](const std::vector<Setting>& set) { return read_model_text(text, "random.yaml", set, "run"); };
  BothCoordinates out;
  for (const double share : {1.0, 1.0 / 4, 1.0 / 16, 1.0 / 64}) {
    out = compare_runs({read, "run", "radau5/ggl", {.share = share, .tolerance = 1e-10, .samples = 20}}, true);
    if (!out.too_sensitive) break;
  }
  return out;
}

BothCoordinates try_both_coordinates(const std::string& file, const std::string& experiment, const Piece& piece) {
  const auto read = [&](const std::vector<Setting>& set) { return read_model(file, set, experiment); };
  return compare_runs({read, experiment, "radau5", piece}, false);
}

}  // namespace skyhook::io::testing
