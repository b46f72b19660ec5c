#include "skyhook/io/random/both_coordinates.testing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

#include "skyhook/io/model_file/model_reader.h"
#include "skyhook/simulation/memory_sink.h"
#include "skyhook/simulation/simulate.h"

namespace skyhook::io::testing {
namespace {

constexpr double tolerance = 1e-10;

struct Ran {
  std::string problem;
  simulation::MemorySink sink;
};

Ran run(const std::string& text, model::Coordinates coordinates, double at_tolerance) {
  Ran out;
  const auto read = [&](const simulation::RunOptions::Changes& changes) {
    std::vector<Setting> set;
    for (const auto& [parameter, value] : changes) set.push_back({parameter, value});
    auto model = std::make_shared<model::Model>(read_model_text(text, "random.yaml", set, "run"));
    model->coordinates = coordinates;
    return model;
  };
  try {
    const auto model = read({});
    model::Experiment e = *std::ranges::find(model->experiments, "run", &model::Experiment::name);
    e.solver = "radau5/ggl", e.tolerance = at_tolerance, e.output_step = e.until / 20;
    e.outputs = {{"", "*", {}}};
    const auto prepared = simulation::prepare(model, e);
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
      most = std::max(most, std::abs(a.sink.channels[i][k]));
      const double d = std::abs(a.sink.channels[i][k] - b.sink.channels[i][other]);
      apart = d <= apart ? apart : d;  // not a number counts
    }
    const bool motion = is_motion(channel) && !is_force(channel);
    double& worst = motion ? out.motion : out.loads;
    if (apart / (1 + most) <= worst) continue;
    worst = apart / (1 + most);
    (motion ? out.worst_motion : out.worst_load) = channel.name;
  }
}

}  // namespace

BothCoordinates try_both_coordinates(const std::string& text) {
  BothCoordinates out, sensitivity;
  const Ran joint = run(text, model::Coordinates::joint, tolerance);
  if (!joint.problem.empty()) return out.skipped = joint.problem, out;
  const Ran looser = run(text, model::Coordinates::joint, 10 * tolerance);
  if (!looser.problem.empty()) return out.skipped = looser.problem, out;
  compare(joint, looser, sensitivity);
  if (!(sensitivity.motion < 1e-9) || !(sensitivity.loads < 1e-7))
    return out.skipped =
               fmt::format("ten times the tolerance changes {} by {:.2g} and {} by {:.2g}", sensitivity.worst_motion,
                           sensitivity.motion, sensitivity.worst_load, sensitivity.loads),
           out;
  const Ran absolute = run(text, model::Coordinates::absolute, tolerance);
  if (!absolute.problem.empty()) return out.problem = "absolute: " + absolute.problem, out;
  compare(joint, absolute, out);
  return out;
}

}  // namespace skyhook::io::testing
