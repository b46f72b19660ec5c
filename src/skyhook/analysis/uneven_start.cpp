#include "skyhook/analysis/uneven_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "skyhook/element/rail/standing.h"
#include "skyhook/formalism/parts.h"
#include "skyhook/model/track_line.h"
#include "skyhook/simulation/snapshot.h"
#include "skyhook/simulation/track_scene.h"

namespace skyhook::analysis {
namespace {

constexpr double flattening = 0.05e-3;  // m, of a wheel under its load, about

struct Standing {
  const model::Contribution* what;
  const model::Track* track;
  double s, left, up;  // m, along the line; shift of its rail by irregularities
  double shift() const { return std::hypot(left, up); }
};

Standing standing(const model::Contribution& what, const model::Track& track, const element::rail::OnRail& law,
                  const model::Relative<double>& motion) {
  const element::rail::WheelOnRail& wheel = law.on_rail();
  const model::TrackLine& line = *law.line();
  const double s = line.foot(motion.r + wheel.side * wheel.half * motion.R.column(1), motion.set.way);
  const auto shifts = line.rails(s);
  const auto& rail = wheel.side > 0 ? shifts.of_left : shifts.of_right;
  return {&what, &track, s, rail.left - 0.5 * wheel.side * line.layout(s).widening, rail.up};
}

std::vector<Standing> elastic_wheels(const simulation::Prepared& p) {
  std::vector<Standing> out;
  simulation::Evaluator at(p.active, p.all);
  at.evaluate_relative_motion(p.state.t, p.state.q, p.state.v, {});
  const auto& laws = p.active->parts().laws;
  for (std::size_t k = 0; k < laws.size(); ++k) {
    const model::Contribution& what = *laws[k].what;
    const auto* law = element::rail::on_rail_of(what);
    const model::Track* track = simulation::track_below(*p.model, what);
    if (law && track && law->line() && !law->line()->is_even() && what.law->declared().rows.empty())
      out.push_back(standing(what, *track, *law, at.now().input_of(k).motion));
  }
  return out;
}

std::string shift_text(const Standing& wheel) {
  std::string out;
  const auto add = [&](double shift, const char* plus, const char* minus) {
    if (std::abs(shift) < 0.1 * wheel.shift()) return;
    out += fmt::format("{}{:.2g} mm {}", out.empty() ? "" : " and ", 1e3 * std::abs(shift), shift > 0 ? plus : minus);
  };
  add(wheel.up, "higher", "lower"), add(wheel.left, "further left", "further right");
  return out;
}

}  // namespace

std::vector<Warning> uneven_starts(const simulation::Prepared& p, const model::Experiment& experiment) {
  std::vector<Warning> out;
  if (!experiment.start.empty() ||
      std::ranges::all_of(p.model->tracks, [](const model::Track& t) { return !t.line || t.line->is_even(); }))
    return out;
  const std::vector<Standing> wheels = elastic_wheels(p);
  for (const model::Track& track : p.model->tracks) {
    const Standing* worst = nullptr;
    long more = -1;
    double foremost = 0;
    for (const Standing& wheel : wheels) {
      if (wheel.track != &track) continue;
      foremost = std::max(foremost, wheel.s);
      if (!(wheel.shift() > flattening)) continue;
      if (++more == 0 || wheel.shift() > worst->shift()) worst = &wheel;
    }
    if (!worst) continue;
    const std::string others = more > 0 ? fmt::format(", {} more wheels stand on irregularities too", more) : "";
    out.push_back(
        {"uneven_start", track.where,
         fmt::format("track \"{}\" is uneven where the run starts: at {:.4g} m the rail of wheel \"{}\" lies {} than "
                     "laid{}. Wheels are placed on the track as laid, and begin with forces that their "
                     "springs do not balance.",
                     track.name, worst->s, worst->what->name, shift_text(*worst), others),
         fmt::format("Let its irregularities come in ahead of all wheels, irregularities: {{begin: {:.0f} m, ...}}, or "
                     "place the vehicle before them.",
                     std::ceil(foremost))});
  }
  return out;
}

}  // namespace skyhook::analysis
