#include "skyhook/analysis/trim.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "skyhook/analysis/drives_as_given.h"
#include "skyhook/formalism/given_values.h"
#include "skyhook/formalism/linear_names.h"
#include "skyhook/model/model.h"

namespace skyhook::analysis {
namespace {

// The equilibrium at each value of the steering, with sideslip.
class Steering {
 public:
  Steering(const simulation::Prepared& prepared, const EquilibriumOptions& options)
      : prepared_(prepared), options_(options), name_(options.motion.steer) {
    const auto motions = formalism::prescribed_motions(*prepared.active);
    for (std::size_t k = 0; k < motions.size(); ++k) {
      if (motions[k].what.name == name_ || motions[k].what.name.starts_with(name_ + "."))
        slot_ = static_cast<int>(3 * k);
    }
    if (slot_ < 0) look_for_coordinate();
    options_.motion.steer.clear(), options_.motion.sideslip = true;
    if (slot_ < 0) options_.motion.spin.emplace_back(name_, 0.0);
    u_.resize(static_cast<std::size_t>(prepared.active->inputs()));
    prepared.active->inputs(prepared.state.t, u_);
    start_ = slot_ >= 0 ? u_[static_cast<std::size_t>(slot_)]
                        : prepared.state.q[static_cast<std::size_t>(at_.iq)] + prepared.active->reference(at_.iq);
  }
  double start() const { return start_; }
  const std::string& name() const { return name_; }
  // Each from the start: the way goes ahead of the body as it stands there.
  Equilibrium at(double value) {
    simulation::Prepared p = prepared_;
    if (slot_ >= 0) {
      u_[static_cast<std::size_t>(slot_)] = value;
      p = with_drives(prepared_, prepared_.state.t, u_);
    }
    if (slot_ < 0) p.state.q[static_cast<std::size_t>(at_.iq)] = value - p.active->reference(at_.iq);
    Equilibrium e = find_equilibrium(p, options_);
    e.steered = {name_, value, start_, slot_ >= 0};
    return e;
  }

 private:
  void look_for_coordinate() {
    const Location& where = options_.motion.where;
    const auto found = formalism::find_coordinates(*prepared_.model, {name_}, where);
    if (found.size() != 1)
      throw ModelError(where, "steer: \"" + name_ + "\" has several coordinates.",
                       "Name one of them, as column.angle.");
    at_ = prepared_.active->coordinate(found[0].first, found[0].second);
    if (at_.iv < 0 || at_.in_rotation)
      throw ModelError(where, "steer: \"" + name_ + "\" is neither driven nor a coordinate of the state.",
                       "Name another coordinate of the steering, or give it a drive.");
  }

  const simulation::Prepared& prepared_;
  EquilibriumOptions options_;
  std::string name_;
  formalism::JointCoordinate at_;
  int slot_ = -1;  // among the inputs; -1: no drive
  double start_ = 0;
  Vector u_;
};

// What is missing across the way: the second effort of the first body that floats (x, then y).
double side_force(const Equilibrium& e) {
  const auto floating = e.motion.floating();
  const std::string name = e.active->freedom_name(floating.at(0).iv + 1);
  return std::ranges::find(e.efforts, name, &Equilibrium::Effort::name)->force;
}

}  // namespace

Equilibrium find_trim(const simulation::Prepared& prepared, const EquilibriumOptions& options) {
  if (options.motion.speed == 0)
    throw ModelError(options.motion.where, "steer: only what moves can be steered.", "Give a speed too.");
  if (runs_on_track(*prepared.model))
    throw ModelError(options.motion.where, "steer: the model runs on a track, which leads it.",
                     "Leave it out: a steady motion along the track is found with `speed` alone.");
  Steering steering(prepared, options);
  // Secants. The first step is small against any steering lock.
  double x0 = steering.start(), x1 = x0 + 0.01;
  Equilibrium before = steering.at(x0);
  if (!before.found) return before;
  const double scale = prepared.active->heaviest() * std::max(norm(prepared.model->gravity), 1.0);
  Equilibrium now = steering.at(x1);
  int iterations = before.iterations;
  for (int k = 0; k < 40 && now.found; ++k) {
    iterations += now.iterations;
    const double f0 = side_force(before), f1 = side_force(now);
    if (std::abs(f1) <= 1e-9 * scale) {
      now.iterations = iterations;
      std::erase_if(now.efforts, [&](const auto& one) {
        return one.name == now.active->freedom_name(now.motion.floating().at(0).iv + 1);
      });
      return now;
    }
    if (f1 == f0) {
      now.found = false;
      now.problem = fmt::format("{} changes no side force: it does not steer.", steering.name());
      return now;
    }
    const double step = std::clamp(-f1 * (x1 - x0) / (f1 - f0), -0.3, 0.3);
    x0 = x1, x1 += step, before = std::move(now);
    now = steering.at(x1);
  }
  if (now.found) {
    now.problem = fmt::format(
        "No steady curve found: at {} = {:.4g} a side force of {:.3g} N is still missing. It may be more than the "
        "tyres "
        "can carry.",
        steering.name(), x1, side_force(now));
    now.found = false;
  }
  return now;
}

}  // namespace skyhook::analysis
