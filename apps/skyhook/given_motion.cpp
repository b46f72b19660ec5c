#include "given_motion.h"

#include "quantity_option.h"
#include "skyhook/base/units.h"

namespace skyhook::app {
namespace {

// A rate of an angle or of a length: whichever its unit says, rad/s without one.
double rate_of(const std::string& text) {
  try {
    return quantity_option("--spin", text, "rad/s");
  } catch (const ModelError&) {
    return quantity_option("--spin", text, "m/s");
  }
}

}  // namespace

analysis::GivenMotion given_motion(const EquilibriumCommand& options, const model::Experiment& experiment) {
  analysis::GivenMotion motion = analysis::given_motion(experiment);
  if (options.speed) motion.speed = *options.speed;
  if (options.yaw_rate) motion.yaw_rate = *options.yaw_rate;
  for (const std::string& text : options.spin) {
    const std::size_t at = text.find('=');
    if (at == std::string::npos || at == 0)
      throw ModelError({"command line"}, "--spin " + text + " is not of the form COORDINATE=RATE.",
                       "For example --spin axle.angle=\"60 rad/s\".");
    const std::string name = text.substr(0, at);
    std::erase_if(motion.spin, [&](const auto& one) { return one.first == name; });
    motion.spin.emplace_back(name, rate_of(text.substr(at + 1)));
  }
  if (!options.steer.empty()) motion.steer = options.steer;
  if (!options.rolling.empty()) motion.rolling = options.rolling;
  return motion;
}

}  // namespace skyhook::app
