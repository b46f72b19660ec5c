#include "given_motion.h"

#include "quantity_option.h"
#include "skyhook/formalism/given_values.h"
#include "skyhook/formalism/joint_motion.h"

namespace skyhook::app {
namespace {

// A rate of an angle or of a length, as the coordinate is.
double rate_of(const model::Model& m, const std::string& name, const std::string& text) {
  const auto found = formalism::find_coordinates(m, {name}, {"command line"});
  const model::Joint& joint = m.joints[static_cast<std::size_t>(found[0].first)];
  const std::string unit = formalism::coordinate_unit(joint, found[0].second, true);
  try {
    return quantity_option("--spin " + name, text, unit);
  } catch (const ModelError& error) {
    throw ModelError({"command line"}, error.findings().front().what, "Write --spin " + name + "=\"60 " + unit + "\".");
  }
}

}  // namespace

analysis::GivenMotion given_motion(const MotionOptions& options, const model::Model& m,
                                   const model::Experiment& experiment) {
  analysis::GivenMotion motion = analysis::given_motion(m, experiment);
  if (options.speed) motion.speed = *options.speed;
  if (options.yaw_rate) motion.yaw_rate = *options.yaw_rate;
  if (options.way) motion.way = *options.way;
  for (const std::string& text : options.spin) {
    const std::size_t at = text.find('=');
    if (at == std::string::npos || at == 0)
      throw ModelError({"command line"}, "--spin " + text + " is not of the form COORDINATE=RATE.",
                       "For example --spin axle.angle=\"60 rad/s\".");
    const std::string name = text.substr(0, at);
    std::erase_if(motion.spin, [&](const auto& one) { return one.first == name; });
    motion.spin.emplace_back(name, rate_of(m, name, text.substr(at + 1)));
  }
  if (experiment.where.file.empty() || options.gives_motion()) motion.where = {"command line"};
  if (!options.steer.empty()) motion.steer = options.steer;
  if (!options.rolling.empty()) motion.rolling = options.rolling;
  return motion;
}

}  // namespace skyhook::app
