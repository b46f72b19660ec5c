#include "skyhook/simulation/look_ahead.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "skyhook/formalism/parts.h"
#include "skyhook/model/along_track.h"
#include "skyhook/model/guide.h"

namespace skyhook::simulation {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr int always = 2;      // grains that a step may go unseen: a quarter of the shortest wave
constexpr double farther = 4;  // than the last step: how far the next one may go at most
constexpr int least_looks = 8;
constexpr double nothing = 1e-9;  // m of a height, or whatever its unit is

}  // namespace

// One of what a rider sees, from one look before t0 on.
struct LookAhead::Sight {
  const double* values;
  double at(int k) const { return values[k + 1]; }
  double slope(int k) const { return 0.5 * (at(k + 1) - at(k - 1)); }
  double bend(int k) const { return at(k + 1) - 2 * at(k) + at(k - 1); }
  // What the end of a step from k tells beyond what was known at its begin.
  double surprise(int k, int steps) const {
    const double x = steps;
    return std::abs(at(k + steps) - (at(k) + x * (slope(k) + 0.5 * x * bend(k))));
  }
  // How far it goes within from what both ends tell: the cubic with their values and slopes.
  double hidden(int k, int steps) const {
    const double a = at(k), b = at(k + steps), h = steps, sa = h * slope(k), sb = h * slope(k + steps);
    double most = 0;
    for (int i = 1; i < steps; ++i) {
      const double u = i / h, w = 1 - u;
      const double cubic = w * w * ((1 + 2 * u) * a + u * sa) + u * u * ((3 - 2 * u) * b - w * sb);
      most = std::max(most, std::abs(at(k + i) - cubic));
    }
    return most;
  }
};

LookAhead::Sight LookAhead::sight_of(const Rider& rider, int i) {
  return {rider.seen.data() + static_cast<std::size_t>(i * (rider.last + 3))};
}

void LookAhead::begin(const std::shared_ptr<const Equations>& active, const std::shared_ptr<const Equations>& all) {
  riders_.clear(), until_ = -1, by_ = nullptr;
  marked_.assign(active->model().contributions.size(), 0);
  add_wheels(*active), add_joints(*active);
  if (!riders_.empty()) evaluator_.emplace(active, all);
}

void LookAhead::add_wheels(const Equations& equations) {
  const auto add = [&](const model::Contribution& what, Kind kind, std::size_t k) {
    const model::OverGround* ground = model::over_ground(what);
    if (!ground) return;
    riders_.push_back({.kind = kind, .number = k, .name = &what.name, .ground = ground});
    marked_[model::number_of(equations.model(), what)] = 1;
  };
  const formalism::Parts& parts = equations.parts();
  for (std::size_t k = 0; k < parts.wrenches.size(); ++k) add(*parts.wrenches[k].what, Kind::wrench, k);
  for (std::size_t k = 0; k < parts.laws.size(); ++k) add(*parts.laws[k].what, Kind::law, k);
}

// Joints along a track, where no wheel looks at it.
void LookAhead::add_joints(const Equations& equations) {
  const auto& joints = equations.model().joints;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (joints[j].shape.dofs.empty()) continue;
    const model::Guide* guide = joints[j].shape.dofs[0].guide.get();
    const auto* along = dynamic_cast<const model::AlongTrack*>(guide);
    const auto* ground = dynamic_cast<const model::OverGround*>(guide);
    if (along && ground && !along->laid_line().is_straight() && !is_looked_at(along->laid_line()))
      riders_.push_back({.kind = Kind::joint, .number = j, .name = &joints[j].name, .ground = ground});
  }
}

bool LookAhead::is_looked_at(const model::TrackLine& line) const {
  return std::ranges::any_of(riders_, [&](const Rider& rider) {
    const auto* stands = dynamic_cast<const model::OnTrackLine*>(rider.ground);
    return stands && stands->track_line() == &line;
  });
}

// Of a joint its way and its speed, as x in axes of the line.
model::Relative<double> LookAhead::motion_of(const Rider& rider) const {
  const Snapshot& now = evaluator_->now();
  if (rider.kind == Kind::wrench) return now.relatives[rider.number];
  if (rider.kind == Kind::law) return now.input_of(rider.number).motion;
  const model::Joint& joint = now.equations().model().joints[rider.number];
  const auto at = now.equations().coordinate(static_cast<int>(rider.number), 0);
  model::Relative<double> out{now.t, {}, Mat3d::identity(), {}, {}};
  if (at.iq < 0) {
    const model::Motion2 drive = joint.drive[0]->at(now.t);
    out.set.way = drive.value, out.v.x = drive.rate;
  } else {
    const auto* along = dynamic_cast<const model::AlongTrack*>(joint.shape.dofs[0].guide.get());
    out.set.way = along->way_at_design() + now.q[static_cast<std::size_t>(at.iq)];
    out.v.x = now.v[static_cast<std::size_t>(at.iv)];
  }
  return out;
}

double LookAhead::limit(double t, double h, const StateAt& state) {
  by_ = nullptr;
  if (riders_.empty()) return infinite;
  for (Rider& rider : riders_) note_end(rider, t);
  if (!(t + farther * h <= until_ && farther * h <= reach_)) look(state(t), farther * h);
  double out = until_;
  for (const Rider& rider : riders_) {
    const double limit = limit_of(rider, t);
    if (limit < out) out = limit, by_ = rider.name;
  }
  return limit_ = out;
}

// The window is twice as long as the next step may be, so that others find it as well.
void LookAhead::look(const formalism::State& state, double reach) {
  evaluator_->evaluate_relative_motion(state.t, state.q, state.v, marked_);
  t0_ = state.t, until_ = reach_ = infinite;
  for (Rider& rider : riders_) {
    const model::Relative<double> motion = motion_of(rider);
    rider.grain = rider.ground->grain(motion), rider.begun = 0, rider.last = 0;
    if (!(rider.grain < infinite)) continue;
    const double looks = std::max<double>(least_looks, std::ceil(2 * reach / rider.grain));
    until_ = std::min(until_, t0_ + looks * rider.grain);
    if (reach <= always * rider.grain) {
      reach_ = std::min(reach_, always * rider.grain);
      continue;
    }
    rider.last = static_cast<int>(looks);
    const auto count = static_cast<std::size_t>(rider.last + 3);
    rider.seen.resize(count * static_cast<std::size_t>(rider.ground->sights()));
    rider.ground->look_ahead(motion, {-rider.grain, rider.grain, static_cast<int>(count)}, rider.seen);
    rider.is_even = true;
    for (std::size_t i = 0; i < rider.seen.size() && rider.is_even; ++i)
      rider.is_even = std::abs(rider.seen[i] - rider.seen[i / count * count]) <= nothing;
  }
}

void LookAhead::note_end(Rider& rider, double t) const {
  if (rider.last == 0) return rider.surprise.fill(0);
  const int k = std::min(rider.last, static_cast<int>((t - t0_) / rider.grain));
  if (k <= rider.begun) return;
  const int judged = rider.ground->is_stiff() ? 0 : rider.ground->sights();  // stiff ones ask for what is even alone
  for (int i = 0; i < judged; ++i) {
    double& surprise = rider.surprise[static_cast<std::size_t>(i)];
    surprise = std::max(sight_of(rider, i).surprise(rider.begun, k - rider.begun), surprise / 2);
  }
  rider.begun = k;
}

double LookAhead::limit_of(const Rider& rider, double t) const {
  if (!(rider.grain < infinite)) return infinite;
  const double near = t + always * rider.grain;
  if (rider.last == 0) return near;
  if (rider.is_even) return t0_ + rider.last * rider.grain;
  if (rider.ground->is_stiff()) return std::max(near, t0_ + last_even(rider) * rider.grain);
  int good = always;
  for (int steps = always + 1; rider.begun + steps <= rider.last && may_go(rider, steps);
       steps += std::max(1, steps / 4))
    good = steps;
  return std::max(near, t0_ + (rider.begun + good) * rider.grain);
}

// The number of the last look up to which nothing changes.
int LookAhead::last_even(const Rider& rider) const {
  int out = rider.last;
  for (int i = 0; i < rider.ground->sights(); ++i) {
    const Sight sight = sight_of(rider, i);
    for (int k = rider.begun + 1; k <= out; ++k) {
      if (std::abs(sight.at(k) - sight.at(rider.begun)) > nothing) out = k - 1;
    }
  }
  return out;
}

// What is hidden in a step from where the last one has ended is no more than what its end tells anew, or what the last ones have told: that is
// judged by the integrator's estimate of the error.
bool LookAhead::may_go(const Rider& rider, int steps) const {
  for (int i = 0; i < rider.ground->sights(); ++i) {
    const Sight sight = sight_of(rider, i);
    const double told = sight.surprise(rider.begun, steps) + rider.surprise[static_cast<std::size_t>(i)];
    if (sight.hidden(rider.begun, steps) > told + nothing) return false;
  }
  return true;
}

}  // namespace skyhook::simulation
