#include "skyhook/analysis/line_ends.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "skyhook/element/along_track.h"
#include "skyhook/model/guide.h"
#include "skyhook/model/track_line.h"

namespace skyhook::analysis {
namespace {

const element::AlongTrack* along(const model::Joint& joint) {
  return joint.shape.dofs.empty() ? nullptr : dynamic_cast<const element::AlongTrack*>(joint.shape.dofs[0].guide.get());
}

// Of the joints on one track: the foremost place at design, and the foremost one that a drive leads.
struct OnTrack {
  double foremost = -1e300;
  const model::Joint* led = nullptr;
};

double way_of(const model::Joint& led, double t) { return led.drive[0]->at(t).value; }

}  // namespace

std::vector<Warning> lines_that_end(const model::Model& m, const model::Experiment& experiment) {
  std::map<std::string, OnTrack> tracks;
  for (const model::Joint& joint : m.joints) {
    const element::AlongTrack* place = along(joint);
    if (!place || place->followed_line().is_endless()) continue;
    OnTrack& on = tracks[place->track_name()];
    on.foremost = std::max(on.foremost, place->way_at_design());
    if (joint.drive[0] && (!on.led || place->way_at_design() > along(*on.led)->way_at_design())) on.led = &joint;
  }
  std::vector<Warning> out;
  for (const auto& [name, on] : tracks) {
    if (!on.led) continue;
    const element::AlongTrack& place = *along(*on.led);
    const double length = place.followed_line().length(), last = length - (on.foremost - place.way_at_design());
    double early = experiment.from_time, late = experiment.until;
    if (way_of(*on.led, early) >= last || way_of(*on.led, late) <= last) continue;
    for (int k = 0; k < 60; ++k) {
      const double t = (early + late) / 2;
      (way_of(*on.led, t) < last ? early : late) = t;
    }
    out.push_back({"line_ends", on.led->where,
                   fmt::format("track \"{}\" is {:.6g} m long: the drive of joint \"{}\" brings the vehicle to its end at about t = {:.4g} s, and the run ends there, not at {:.6g} s.", name, length, on.led->name, late,
                               experiment.until),
                   "Lay a longer last segment, or end the run before."});
  }
  return out;
}

}  // namespace skyhook::analysis
