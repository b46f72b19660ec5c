#include "skyhook/analysis/line_ends.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "skyhook/formalism/fill.h"
#include "skyhook/model/along_track.h"
#include "skyhook/model/guide.h"
#include "skyhook/model/track_line.h"

namespace skyhook::analysis {
namespace {

const model::AlongTrack* along(const model::Joint& joint) {
  return joint.shape.dofs.empty() ? nullptr : dynamic_cast<const model::AlongTrack*>(joint.shape.dofs[0].guide.get());
}

// Of each body: a number of the vehicle or train that it belongs to, which joints and forces hold together other than through the ground.
std::vector<int> vehicles_of(const model::Model& m) {
  std::vector<int> out = formalism::mechanism_parts(m);
  for (const model::Contribution& what : m.contributions) {
    if (what.joint >= 0 || what.from.body == model::ground || what.to.body == model::ground) continue;
    const int one = out[what.from.body], other = out[what.to.body];
    if (one != other) std::ranges::replace(out, other, one);
  }
  return out;
}

// Of the joints of one vehicle on one track: the foremost place at design, and the foremost one that a drive leads.
struct OnTrack {
  double foremost = -1e300;
  const model::Joint* led = nullptr;
};

// When a drive first leads to `way`; none: not in this time. Back and forth within a 200th of it goes unseen.
std::optional<double> first_time(const model::Joint& led, double way, double begin, double end) {
  const auto is_there = [&](double t) { return led.drive[0]->at(t).value > way; };
  if (is_there(begin)) return {};
  constexpr int looks = 200;
  for (int k = 1; k <= looks; ++k) {
    double early = begin + (end - begin) * (k - 1) / looks, late = begin + (end - begin) * k / looks;
    if (!is_there(late)) continue;
    for (int i = 0; i < 50; ++i) {
      const double t = (early + late) / 2;
      (is_there(t) ? late : early) = t;
    }
    return late;
  }
  return {};
}

}  // namespace

std::vector<Warning> lines_that_end(const model::Model& m, const model::Experiment& experiment) {
  if (std::ranges::none_of(m.joints, [](const model::Joint& joint) { return along(joint) != nullptr; })) return {};
  const std::vector<int> vehicles = vehicles_of(m);
  std::map<std::pair<std::string, int>, OnTrack> tracks;
  for (const model::Joint& joint : m.joints) {
    const model::AlongTrack* place = along(joint);
    if (!place || place->followed_line().is_endless()) continue;
    OnTrack& on = tracks[{place->track_name(), vehicles[joint.to]}];
    on.foremost = std::max(on.foremost, place->way_at_design());
    if (joint.drive[0] && (!on.led || place->way_at_design() > along(*on.led)->way_at_design())) on.led = &joint;
  }
  std::vector<Warning> out;
  for (const auto& [which, on] : tracks) {
    if (!on.led) continue;
    const model::AlongTrack& place = *along(*on.led);
    const double length = place.followed_line().length(), last = length - (on.foremost - place.way_at_design());
    const auto time = first_time(*on.led, last, experiment.from_time, experiment.until);
    if (!time) continue;
    out.push_back({"line_ends", on.led->where,
                   fmt::format("track \"{}\" is {:.6g} m long: the drive of joint \"{}\" brings the vehicle to its end "
                               "at about t = {:.4g} s, and the run ends there, not at {:.6g} s.",
                               which.first, length, on.led->name, *time, experiment.until),
                   "Lay a longer last segment, or end the run before."});
  }
  return out;
}

}  // namespace skyhook::analysis
