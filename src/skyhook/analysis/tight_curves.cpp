#include "skyhook/analysis/tight_curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <set>

#include "skyhook/element/rail/standing.h"
#include "skyhook/formalism/body_motion.h"
#include "skyhook/formalism/force_wrenches.h"
#include "skyhook/model/track_line.h"
#include "skyhook/simulation/snapshot.h"
#include "skyhook/simulation/track_scene.h"

namespace skyhook::analysis {
namespace {

constexpr double gentle = 1.0 / 150;  // 1/m: every vehicle on standard gauge passes 150 m
constexpr double friction = 0.3;

struct Bogie {
  int frame;
  std::set<int> wheelsets;
  const model::Track* track;
  double tan_flange = 0;
};

const element::rail::WheelOnRail* wheel_of(const model::Contribution& what) {
  const auto* law = dynamic_cast<const element::rail::OnRail*>(what.law.get());
  return law ? &law->on_rail() : nullptr;
}

// The steepest slope of the flange.
double tan_flange(const element::rail::WheelOnRail& wheel) {
  double most = 0;
  constexpr int points = 400;
  for (int k = 1; k <= points; ++k) {
    const double width = (wheel.wheel->last() - wheel.wheel->first()) / points, s = wheel.wheel->first() + width * k;
    const auto a = wheel.wheel->at(s - width), b = wheel.wheel->at(s);
    if (b.y > a.y && a.y < 0) most = std::max(most, (b.z - a.z) / (b.y - a.y));
  }
  return most;
}

// Bodies to which springs fasten two wheelsets or more.
std::vector<Bogie> bogies_of(const model::Model& m) {
  std::map<int, const model::Contribution*> wheels;
  for (const model::Contribution& what : m.contributions) {
    if (what.to.body != model::ground && simulation::track_below(m, what)) wheels[what.to.body] = &what;
  }
  std::map<int, std::set<int>> fastened;
  for (const model::Contribution& what : m.contributions) {
    const auto fasten = [&](int a, int b) {
      if (a != model::ground && !wheels.contains(a) && wheels.contains(b)) fastened[a].insert(b);
    };
    if (what.joint < 0) fasten(what.from.body, what.to.body), fasten(what.to.body, what.from.body);
  }
  std::vector<Bogie> out;
  for (auto& [frame, wheelsets] : fastened) {
    if (wheelsets.size() < 2) continue;
    const model::Contribution& wheel = *wheels.at(*wheelsets.begin());
    out.push_back({frame, wheelsets, simulation::track_below(m, wheel), tan_flange(*wheel_of(wheel))});
  }
  return out;
}

struct Curve {
  double s = 0, bend = 0;  // where it begins; 1/m, without sign
};
Curve sharpest(const model::TrackLine& line) {
  constexpr int parts = 8;  // of a piece
  Curve out;
  double begin = 0;
  for (const model::TrackPiece& piece : line.pieces()) {
    for (int k = 0; k <= parts; ++k) {
      const double x = piece.length * k / parts, bend = std::abs(piece.curvature.at(x));
      if (bend > out.bend * (1 + 1e-6)) out = {begin + x, bend};
    }
    begin += piece.length;
  }
  return out;
}

// What turns a bogie below its body, and what its wheels carry.
struct Hold {
  double moment = 0, base = 0, load = 0;  // N.m, m, N a wheel
};

// The body that most springs fasten it to.
int body_above(const model::Model& m, const Bogie& bogie) {
  std::map<int, int> count;
  const auto inside = [&](int body) { return body == bogie.frame || bogie.wheelsets.contains(body); };
  for (const model::Contribution& what : m.contributions) {
    if (what.joint >= 0 || inside(what.from.body) == inside(what.to.body)) continue;
    if (const int other = inside(what.from.body) ? what.to.body : what.from.body; other != model::ground) ++count[other];
  }
  const auto most = std::ranges::max_element(count, {}, [](const auto& each) { return each.second; });
  return most == count.end() ? model::ground : most->first;
}

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
  const auto inside = [&](int b) { return b == bogie.frame || bogie.wheelsets.contains(b); };
  Hold out;
  formalism::for_each_wrench(at.now(), [&](const model::Contribution& what, const Vec3d& f, const Vec3d& n) {
    if (wheel_of(what) || is_damper(what) || what.joint >= 0 || what.to.body == model::ground || inside(what.from.body) == inside(what.to.body)) return;
    const double sign = inside(what.to.body) ? 1.0 : -1.0;
    const Vec3d point = pose(what.to.body).c + pose(what.to.body).R * (what.to.at - body(what.to.body).com);
    out.moment += sign * (n + cross(point - pose(bogie.frame).c, f)).z, out.load -= sign * f.z;
  });
  out.load += body(bogie.frame).mass * norm(m.gravity);
  for (const int b : bogie.wheelsets) out.base = std::max(out.base, 2 * norm(body(b).com - body(bogie.frame).com)), out.load += body(b).mass * norm(m.gravity);
  out.load /= static_cast<double>(2 * bogie.wheelsets.size());
  return out;
}

std::optional<Warning> doubt(const simulation::Prepared& p, const Bogie& bogie) {
  const Curve curve = sharpest(*bogie.track->line);
  const int above = body_above(*p.model, bogie);
  if (curve.bend < gentle || above == model::ground) return {};
  const auto& bodies = p.model->bodies;
  const auto &frame = bodies[static_cast<std::size_t>(bogie.frame)], &car = bodies[static_cast<std::size_t>(above)];
  const double away = std::abs(dot(frame.com - car.com, bogie.track->from.axes.column(0))), angle = std::asin(std::min(1.0, away * curve.bend));
  const auto straight = hold_of(p, bogie, 0), turned = hold_of(p, bogie, angle);
  if (!straight || !turned) return {};
  const double moment = std::abs(turned->moment - straight->moment), press = moment / turned->base, limit = (bogie.tan_flange - friction) / (1 + friction * bogie.tan_flange) * straight->load;
  if (!(limit > 0) || press < limit) return {};
  return Warning{"tight_curve", bogie.track->where,
                 fmt::format("track \"{}\" bends with a radius of {:.4g} m from {:.6g} m on, and \"{}\" is likely not to pass: it stands at {:.3g} deg to \"{}\" there, which its springs resist by {:.3g} kN.m, so that "
                             "flanges must press by {:.3g} kN where a wheel carries {:.3g} kN; from {:.3g} kN on they climb (Nadal, friction {}).",
                             bogie.track->name, 1 / curve.bend, curve.s, frame.name, angle * 180 / std::numbers::pi, car.name, 1e-3 * moment, 1e-3 * press, 1e-3 * straight->load, 1e-3 * limit, friction),
                 fmt::format("Give the curve a larger radius, by this estimate {:.3g} m or more, or let bogies turn more easily.", press / limit / curve.bend)};
}

}  // namespace

std::vector<Warning> tight_curves(const simulation::Prepared& p) {
  std::vector<Warning> out;
  if (std::ranges::all_of(p.model->tracks, [](const model::Track& t) { return !t.line || t.line->is_straight(); })) return out;
  for (const Bogie& bogie : bogies_of(*p.model)) {
    if (auto found = doubt(p, bogie)) out.push_back(std::move(*found));
  }
  return out;
}

}  // namespace skyhook::analysis
