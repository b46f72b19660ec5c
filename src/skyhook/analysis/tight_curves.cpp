#include "skyhook/analysis/tight_curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "skyhook/analysis/curve_stops.h"
#include "skyhook/formalism/body_motion.h"
#include "skyhook/formalism/force_wrenches.h"
#include "skyhook/model/track_line.h"
#include "skyhook/simulation/snapshot.h"

namespace skyhook::analysis {
namespace {

constexpr double gentle = 1.0 / 150;  // 1/m: every vehicle on standard gauge passes 150 m
constexpr double friction = 0.3;

// The steepest slope of the flange.
double steepest(const element::rail::WheelOnRail& wheel) {
  double most = 0;
  constexpr int points = 400;
  for (int k = 1; k <= points; ++k) {
    const double width = (wheel.wheel->last() - wheel.wheel->first()) / points, s = wheel.wheel->first() + width * k;
    const auto a = wheel.wheel->at(s - width), b = wheel.wheel->at(s);
    if (b.y > a.y && a.y < 0) most = std::max(most, (b.z - a.z) / (b.y - a.y));
  }
  return most;
}

// What turns a bogie below its body, and what its wheels carry.
struct Hold {
  double moment = 0, load = 0;  // N.m, N a wheel
};

// With a spring in series, which a slow turn does not stretch.
bool is_damper(const model::Contribution& what) { return what.type == "maxwell" || what.type == "hydraulic_damper"; }

// The coordinate that turns a body about the vertical of its track; -1: it has none.
int yaw_of(const simulation::Equations& eq, int body) {
  const model::Model& m = eq.model();
  for (std::size_t j = 0; j < m.joints.size(); ++j) {
    if (m.joints[j].to != body || m.joints[j].type != "track") continue;
    const auto& dofs = m.joints[j].shape.dofs;
    for (std::size_t d = 0; d < dofs.size(); ++d) {
      if (dofs[d].name == "yaw") return eq.coordinate(static_cast<int>(j), static_cast<int>(d)).iq;
    }
  }
  return -1;
}

// With the frame turned by so much where it is drawn; its wheelsets stay where they are, for what holds them in it does not count.
std::optional<Hold> hold_of(const simulation::Prepared& p, const Bogie& bogie, double angle) {
  const int yaw = yaw_of(*p.active, bogie.frame);
  if (yaw < 0) return {};
  formalism::State state = p.state;
  state.q[static_cast<std::size_t>(yaw)] += angle;
  simulation::Evaluator at(p.active, p.all);
  std::vector<double> lambda(static_cast<std::size_t>(p.active->ng())), still(state.v);
  std::fill_n(still.begin(), p.active->moving(), 0.0);
  if (at.evaluate_at_rest(state.t, state.q, still, lambda) != Eval::ok) return {};
  const model::Model& m = *p.model;
  const formalism::Poses poses = formalism::poses_of(*p.all, state);
  const auto body = [&](int b) -> const model::Body& { return m.bodies[static_cast<std::size_t>(b)]; };
  const auto pose = [&](int b) -> const formalism::Pose& { return poses[static_cast<std::size_t>(b)]; };
  const auto inside = [&](int b) { return bogie.members.contains(b); };
  Hold out;
  formalism::for_each_wrench(at.now(), [&](const model::Contribution& what, const Vec3d& f, const Vec3d& n) {
    if (element::rail::on_rail_of(what) || is_damper(what) || what.joint >= 0 || what.to.body == model::ground ||
        inside(what.from.body) == inside(what.to.body))
      return;
    const double sign = inside(what.to.body) ? 1.0 : -1.0;
    const Vec3d point = pose(what.to.body).c + pose(what.to.body).R * (what.to.at - body(what.to.body).com);
    out.moment += sign * (n + cross(point - pose(bogie.frame).c, f)).z, out.load -= sign * f.z;
  });
  for (const int b : bogie.members) out.load += body(b).mass * norm(m.gravity);
  out.load /= static_cast<double>(2 * bogie.wheelsets.size());
  return out;
}

std::optional<Warning> climbing(const simulation::Prepared& p, const Bogie& bogie) {
  const Bend curve = sharpest_bends(*bogie.track->line).front();
  const double bend = std::abs(curve.bend);
  if (bend < gentle) return {};
  const auto& bodies = p.model->bodies;
  const auto &frame = bodies[static_cast<std::size_t>(bogie.frame)],
             &car = bodies[static_cast<std::size_t>(bogie.above)];
  const double angle = bogie.turn(curve.bend), tan_flange = steepest(*bogie.wheel);
  const auto straight = hold_of(p, bogie, 0), turned = hold_of(p, bogie, angle);
  if (!straight || !turned) return {};
  const double moment = std::abs(turned->moment - straight->moment), press = moment / bogie.base,
               limit = (tan_flange - friction) / (1 + friction * tan_flange) * straight->load;
  if (!(limit > 0) || press < limit) return {};
  return Warning{
      "tight_curve", bogie.track->where,
      fmt::format("track \"{}\" bends with a radius of {:.4g} m from {:.6g} m on, and \"{}\" is likely not to pass: it "
                  "stands at {:.3g} deg to \"{}\" there, which its springs resist by {:.3g} kN.m, so that "
                  "flanges must press by {:.3g} kN where a wheel carries {:.3g} kN; from {:.3g} kN on they climb "
                  "(Nadal, friction {}).",
                  bogie.track->name, 1 / bend, curve.s, frame.name, std::abs(angle) * 180 / std::numbers::pi, car.name,
                  1e-3 * moment, 1e-3 * press, 1e-3 * straight->load, 1e-3 * limit, friction),
      fmt::format("Give the curve a larger radius, by this estimate {:.3g} m or more, or let bogies turn more easily.",
                  press / limit / bend)};
}

}  // namespace

std::vector<Warning> tight_curves(const simulation::Prepared& p) {
  std::vector<Warning> out;
  if (std::ranges::all_of(p.model->tracks, [](const model::Track& t) { return !t.line || t.line->is_straight(); }))
    return out;
  for (const Bogie& bogie : bogies_of(*p.model)) {
    if (auto found = climbing(p, bogie)) out.push_back(std::move(*found));
    if (auto found = stop_in_curve(*p.model, bogie)) out.push_back(std::move(*found));
  }
  return out;
}

}  // namespace skyhook::analysis
