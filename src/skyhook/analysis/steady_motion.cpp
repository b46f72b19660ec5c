#include "skyhook/analysis/steady_motion.h"

#include <algorithm>
#include <cmath>

#include "skyhook/analysis/track_motion.h"
#include "skyhook/formalism/given_values.h"
#include "skyhook/formalism/joint_motion.h"
#include "skyhook/math/rotation.h"
#include "skyhook/model/analysis_options.h"

namespace skyhook::analysis {
namespace {

Mat3d rotation_at(CSpan q, int iq) { return rotation_of(Quaternion<double>{q[iq], q[iq + 1], q[iq + 2], q[iq + 3]}); }
Vec3d point_at(CSpan q, int iq) { return {q[iq], q[iq + 1], q[iq + 2]}; }

// Which bodies joints and rods join to those marked, not by way of the ground.
void spread(const model::Model& m, std::vector<char>& marked) {
  std::vector<std::pair<int, int>> edges;
  for (const model::Joint& joint : m.joints) edges.emplace_back(joint.from, joint.to);
  for (const model::Contribution& what : m.contributions) {
    if (what.closes_loop()) edges.emplace_back(what.from.body, what.to.body);
  }
  std::erase_if(edges, [](const auto& e) { return e.first == model::ground || e.second == model::ground; });
  for (bool more = true; more;) {
    more = false;
    for (const auto& [a, b] : edges) {
      char &x = marked[static_cast<std::size_t>(a)], &y = marked[static_cast<std::size_t>(b)];
      if (x != y) x = y = 1, more = true;
    }
  }
}

void refuse_driven(const model::Model& m, const std::string& name, const Location& where) {
  for (const model::Joint& joint : m.joints) {
    for (std::size_t k = 0; k < joint.drive.size(); ++k) {
      if (!joint.drive[k] || formalism::coordinate_name(joint, static_cast<int>(k), false) != name) continue;
      throw ModelError(
          where,
          "spin: \"" + name +
              "\" follows a drive, and its rate is that of the drive, which stands still in a steady motion.",
          runs_on_track(m) ? "Leave it out. What leads a vehicle along its track goes with `speed`."
                           : "Leave it out, or take away the drive.");
    }
  }
}

// How much faster what rolls gets for each rad that the search turns it: of a round wheel nothing else asks for its angle.
constexpr double rolling_gain = 10;  // 1/s

}  // namespace

GivenMotion given_motion(const model::Experiment& e) {
  GivenMotion out{e.speed, e.yaw_rate, e.spin, e.where};
  if (e.options) out.steer = e.options->steer, out.rolling = e.options->rolling, out.way = e.options->way;
  return out;
}

GivenMotion given_motion(const model::Model& model, const model::Experiment& e) {
  const auto start = std::ranges::find(model.experiments, e.start, &model::Experiment::name);
  return given_motion(e.start.empty() || start == model.experiments.end() ? e : *start);
}

SteadyMotion::SteadyMotion(const simulation::Prepared& prepared, const GivenMotion& given) : yaw_rate_(given.yaw_rate) {
  for (const auto& [name, rate] : given.spin) add_spin(prepared, name, rate, given);
  for (const std::string& name : given.rolling) {
    if (std::ranges::none_of(given.spin, [&](const auto& one) { return one.first == name; }))
      throw ModelError(given.where, "rolling: of \"" + name + "\" no rate is given.",
                       "Give one that is about right with `spin`: the search begins there.");
  }
  if (given.speed != 0) add_travel(prepared, given);
  if (given.speed != 0 || given.yaw_rate != 0) add_floats(prepared, given);
  std::ranges::sort(held_);
}

void SteadyMotion::add_spin(const simulation::Prepared& prepared, const std::string& name, double rate,
                            const GivenMotion& given) {
  const Location& where = given.where;
  refuse_driven(*prepared.model, name, where);
  const auto found = formalism::find_coordinates(*prepared.model, {name}, where);
  if (found.size() != 1)
    throw ModelError(where, "spin: \"" + name + "\" has several coordinates.", "Name one of them, as axle.angle.");
  const formalism::JointCoordinate at = prepared.active->coordinate(found[0].first, found[0].second);
  if (at.iv < 0)
    throw ModelError(where, "spin: \"" + name + "\" is no coordinate of the state, its joint closes a loop.",
                     "Give the rate of another joint of the loop, or cut another one (`cut: true`).");
  if (std::ranges::find(given.rolling, name) != given.rolling.end())
    spins_.push_back({at.iv, rate, at.iq, prepared.state.q[static_cast<std::size_t>(at.iq)]});
  else
    spins_.push_back({at.iv, rate}), held_.push_back(at.iv);
}

// All ways grow alike: the vehicle moves along the line, and turns with it. Wheels roll, unless their rates are given.
void SteadyMotion::add_travel(const simulation::Prepared& prepared, const GivenMotion& given) {
  const TrackTravel travel = travel_of(prepared);
  moving_drives_ = travel.led;
  for (const auto& way : travel.ways) spins_.push_back({way.iv, given.speed});
  held_.insert(held_.end(), travel.held.begin(), travel.held.end());
  if (travel.empty()) return;
  for (const auto& wheel : travel.rolling) {
    if (std::ranges::any_of(spins_, [&](const Spin& one) { return one.iv == wheel.iv; })) continue;
    spins_.push_back(
        {wheel.iv, given.speed / wheel.radius, wheel.iq, prepared.state.q[static_cast<std::size_t>(wheel.iq)]});
  }
}

// All of them move as one rigid body does.
void SteadyMotion::add_floats(const simulation::Prepared& prepared, const GivenMotion& given) {
  const model::Model& m = *prepared.model;
  const simulation::Equations& eq = *prepared.active;
  const TrackTravel travel = travel_of(prepared);
  Vec3d origin;
  std::vector<char> goes_along(m.bodies.size(), 0);
  for (std::size_t j = 0; j < m.joints.size(); ++j) {
    const model::Joint& joint = m.joints[j];
    const int number = static_cast<int>(j);
    if (joint.type != "free" || joint.from != model::ground || eq.is_cut(number)) continue;
    const auto x = eq.coordinate(number, 0), y = eq.coordinate(number, 1), turn = eq.coordinate(number, 3);
    if (x.iv < 0 || y.iv < 0) throw ModelError(joint.where, "speed: a drive moves free joint \"" + joint.name + "\".");
    if (!turn.in_rotation && yaw_rate_ != 0)
      throw ModelError(joint.where, "yaw_rate: the rotation of free joint \"" + joint.name + "\" has Cardan angles.",
                       "Give it `coordinates: quaternion`.");
    const Vec3d point = joint.at_to + point_at(prepared.state.q, x.iq);
    Vec3d ahead = m.bodies[static_cast<std::size_t>(joint.to)].axes.column(0);
    if (turn.in_rotation) ahead = rotation_at(prepared.state.q, turn.iq) * ahead;
    ahead.z = 0;
    if (floats_.empty()) origin = point;
    const Vec3d velocity = floats_.empty() ? (given.speed / std::max(norm(ahead), 1e-9)) * ahead : floats_[0].velocity;
    floats_.push_back({x.iq, x.iv, turn.in_rotation ? turn.iq : -1, turn.iv, joint.at_to - origin, velocity});
    goes_along[static_cast<std::size_t>(joint.to)] = 1;
    held_.push_back(x.iv);
    if (const auto wheels = std::ranges::find(travel.floating, joint.to, &TrackTravel::Wheelset::body);
        wheels != travel.floating.end() && turn.in_rotation) {
      if (yaw_rate_ != 0)
        throw ModelError(joint.where, "yaw_rate: free joint \"" + joint.name + "\" carries a wheelset on rails.",
                         "Let it run on a joint of type `track`.");
      // Rails say where it stands across.
      floats_.back().axle = wheels->axle, floats_.back().spin = given.speed / wheels->radius,
      floats_.back().at_start = rotation_at(prepared.state.q, turn.iq);
      continue;
    }
    held_.push_back(y.iv);
    if (turn.in_rotation && !given.sideslip) held_.push_back(turn.iv + 2);
  }
  if (floats_.empty() && runs_on_track(m) && given.speed != 0) {
    if (yaw_rate_ != 0)
      throw ModelError(given.where,
                       "yaw_rate: nothing floats on a free joint; what runs on a track turns as its curves do.",
                       "Leave it out.");
    return;
  }
  if (floats_.empty())
    throw ModelError(
        given.where,
        "speed or yaw_rate is given, but no body floats on a free joint from the ground, nor does one run on a track.",
        "Give rates of joints instead (`spin`), or leave them out.");
  spread(m, goes_along);
  add_carried(prepared, origin, goes_along);
}

// Bodies with coordinates of their own and no free joint, on cut joints and rods: the motion that their rows leave them would be any, and that of
// least change, from rest, is another one than that of the body that they hang on.
void SteadyMotion::add_carried(const simulation::Prepared& prepared, const Vec3d& origin,
                               const std::vector<char>& goes_along) {
  const model::Model& m = *prepared.model;
  const simulation::Equations& eq = *prepared.active;
  std::vector<int> of_joints;  // rotations
  for (std::size_t j = 0; j < m.joints.size(); ++j) {
    for (std::size_t k = 0; k < m.joints[j].reference.size(); ++k) {
      const auto at = eq.coordinate(static_cast<int>(j), static_cast<int>(k));
      if (at.in_rotation) of_joints.push_back(at.iv);
    }
  }
  for (const formalism::TreeLink& link : prepared.topology.links) {
    const auto b = static_cast<std::size_t>(link.body);
    if (link.joint >= 0 || !goes_along[b]) continue;
    for (const auto& r : eq.rotations()) {
      if (eq.owner_of_velocity(r.iv) != m.bodies[b].name || std::ranges::count(of_joints, r.iv) > 0) continue;
      floats_.push_back({r.iq - 3, r.iv - 3, r.iq, r.iv, m.bodies[b].at - origin, floats_[0].velocity});
    }
  }
}

std::vector<SteadyMotion::Floating> SteadyMotion::floating() const {
  std::vector<Floating> out;
  for (const Float& f : floats_) out.push_back({f.iv, f.rq < 0 ? -1 : f.rv});
  return out;
}

// Turned about its axle it spins faster.
double SteadyMotion::spin_of(const Float& f, CSpan q) {
  if (f.spin == 0) return 0;
  return f.spin + rolling_gain * dot(formalism::rotation_vector(transpose(f.at_start) * rotation_at(q, f.rq)), f.axle);
}

void SteadyMotion::at(CSpan q, Span v, Span a) const {
  for (const Spin& spin : spins_)
    v[spin.iv] = spin.rate + (spin.iq < 0 ? 0.0 : rolling_gain * (q[spin.iq] - spin.from));
  for (const Float& f : floats_) {
    const Vec3d yaw{0, 0, yaw_rate_}, velocity = f.velocity + cross(yaw, f.from + point_at(q, f.iq));
    const Vec3d acceleration = cross(yaw, velocity);
    for (int k = 0; k < 3; ++k) v[f.iv + k] = velocity[k], a[f.iv + k] = acceleration[k];
    if (f.rq < 0) continue;
    const Vec3d w = transpose_times(rotation_at(q, f.rq), yaw) + spin_of(f, q) * f.axle;  // constant along the motion
    for (int k = 0; k < 3; ++k) v[f.rv + k] = w[k];
  }
}

std::vector<SteadyMotion::Coupling> SteadyMotion::couplings(CSpan q) const {
  std::vector<Coupling> out;
  for (const Spin& spin : spins_) {
    if (spin.iq >= 0) out.push_back({spin.iv, spin.iv, rolling_gain, 0});
  }
  for (const Float& f : floats_) {
    for (int i = 0; f.spin != 0 && i < 3; ++i) {
      for (int j = 0; j < 3; ++j) out.push_back({f.rv + i, f.rv + j, rolling_gain * f.axle[i] * f.axle[j], 0});
    }
  }
  if (yaw_rate_ == 0) return out;
  const double w = yaw_rate_;
  for (const Float& f : floats_) {
    out.push_back({f.iv, f.iv + 1, -w, 0}), out.push_back({f.iv + 1, f.iv, w, 0});
    out.push_back({f.iv, f.iv, 0, -w * w}), out.push_back({f.iv + 1, f.iv + 1, 0, -w * w});
    if (f.rq < 0) continue;
    const Vec3d b = transpose_times(rotation_at(q, f.rq), Vec3d{0, 0, w});  // turned by d in its axes it gains b x d
    const double x[3][3] = {{0, -b.z, b.y}, {b.z, 0, -b.x}, {-b.y, b.x, 0}};
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        if (i != j) out.push_back({f.rv + i, f.rv + j, x[i][j], 0});
      }
    }
  }
  return out;
}

}  // namespace skyhook::analysis
