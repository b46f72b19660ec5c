#include "skyhook/analysis/track_motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "skyhook/analysis/drives_as_given.h"
#include "skyhook/element/rail/standing.h"
#include "skyhook/formalism/body_motion.h"
#include "skyhook/formalism/linear_names.h"
#include "skyhook/model/along_track.h"
#include "skyhook/model/contribution.h"
#include "skyhook/model/guide.h"
#include "skyhook/simulation/channels.h"
#include "skyhook/simulation/snapshot.h"
#include "skyhook/simulation/track_scene.h"

namespace skyhook::analysis {
namespace {

using element::rail::on_rail_of;
using simulation::Equations;
using simulation::Prepared;

const model::AlongTrack* along_track(const model::Joint& joint) {
  return joint.shape.dofs.empty() ? nullptr
                                  : dynamic_cast<const model::AlongTrack*>(joint.shape.dofs.front().guide.get());
}

int scalars_of(const model::Dof& dof) { return dof.kind == model::Dof::Kind::ball ? 3 : 1; }

// Length along x of a straight track on the ground: a carriage on rails that needs no coordinates of the track.
bool leads_along(const model::Model& m, const model::Joint& joint, const model::Dof& dof) {
  return joint.from == model::ground && dof.kind == model::Dof::Kind::prismatic &&
         std::ranges::any_of(m.tracks, [&](const model::Track& t) {
           return t.from.body == model::ground && t.line->is_straight() &&
                  dot(dof.axis, t.from.axes.column(0)) > 1 - 1e-9;
         });
}

// Which bodies hang together, not by way of the ground: a number for each.
std::vector<int> groups_of(const model::Model& m) {
  std::vector<int> of(m.bodies.size());
  std::iota(of.begin(), of.end(), 0);
  const auto join = [&](int a, int b) {
    if (a == model::ground || b == model::ground) return;
    const int from = of[static_cast<std::size_t>(a)], to = of[static_cast<std::size_t>(b)];
    std::ranges::replace(of, from, to);
  };
  for (const model::Joint& joint : m.joints) join(joint.from, joint.to);
  for (const model::Contribution& c : m.contributions) {
    if (c.joint < 0) join(c.from.body, c.to.body);
  }
  return of;
}

class Finder {
 public:
  explicit Finder(const Prepared& p)
      : p_(p), eq_(*p.active), m_(eq_.model()), motions_(formalism::prescribed_motions(eq_)) {}

  TrackTravel find() {
    const std::vector<int> group = groups_of(m_);
    std::vector<int> led;  // groups
    for (std::size_t j = 0; j < m_.joints.size(); ++j) {
      const model::Joint& joint = m_.joints[j];
      const bool on_track = along_track(joint) != nullptr;
      for (std::size_t d = 0, k = 0; d < joint.shape.dofs.size();
           k += static_cast<std::size_t>(scalars_of(joint.shape.dofs[d])), ++d) {
        if (!(on_track ? k == 0 : leads_along(m_, joint, joint.shape.dofs[d]))) continue;
        if (joint.drive[k]) {
          if (const int slot = motion_of(*joint.drive[k]); slot >= 0)
            out_.led.push_back(slot), led.push_back(group[static_cast<std::size_t>(joint.to)]);
        }
        const auto at = eq_.coordinate(static_cast<int>(j), static_cast<int>(k));
        if (on_track && at.iv >= 0) out_.ways.push_back({static_cast<int>(j), at.iq, at.iv});
      }
    }
    hold_what_is_not_led(group, led);
    for (const model::Contribution& c : m_.contributions) {
      if (on_rail_of(c)) add_wheel(c);
    }
    measure_radii();
    return std::move(out_);
  }

 private:
  // Those on which wheels stand at the start, where they touch: creep forces are saturated at a spin that is wrong by a few thousandths, and say little then of the right one.
  void measure_radii() {
    if (out_.rolling.empty() && out_.floating.empty()) return;
    simulation::Evaluator there(p_.active, p_.all);
    std::vector<double> still(p_.state.v), lambda(static_cast<std::size_t>(eq_.ng()));
    std::fill_n(still.begin(), eq_.moving(), 0.0);
    if (there.evaluate_at_rest(p_.state.t, p_.state.q, still, lambda) != Eval::ok) return;
    const auto channels = simulation::all_channels(eq_);
    const auto mean = [&](const std::vector<std::string>& wheels, double& radius) {
      double sum = 0;
      for (const std::string& name : wheels) {
        const auto at = std::ranges::find(channels, name + ".radius", [](const auto& c) { return c.name; });
        sum += at == channels.end() ? std::nan("") : at->value(there.now(), {});
      }
      sum /= static_cast<double>(wheels.size());
      if (std::isfinite(sum) && std::abs(sum / radius - std::copysign(1.0, radius)) < 0.1)
        radius = std::copysign(sum, radius);
    };
    for (auto& one : out_.rolling) mean(one.wheels, one.radius);
    for (auto& one : out_.floating) mean(one.wheels, one.radius);
  }

  int motion_of(const model::Motion& drive) const {
    const auto at = std::ranges::find(motions_, &drive, &formalism::PrescribedMotion::motion);
    return at == motions_.end() ? -1 : static_cast<int>(at - motions_.begin());
  }

  void hold_what_is_not_led(const std::vector<int>& group, const std::vector<int>& led) {
    std::vector<int> heaviest(m_.bodies.size(), -1);  // by group: number of the way
    const auto body_of = [&](int way) {
      return static_cast<std::size_t>(
          m_.joints[static_cast<std::size_t>(out_.ways[static_cast<std::size_t>(way)].joint)].to);
    };
    for (int k = 0; k < std::ssize(out_.ways); ++k) {
      const int g = group[body_of(k)];
      int& best = heaviest[static_cast<std::size_t>(g)];
      if (std::ranges::count(led, g) == 0 && (best < 0 || m_.bodies[body_of(k)].mass > m_.bodies[body_of(best)].mass))
        best = k;
    }
    for (const int k : heaviest) {
      if (k >= 0) out_.held.push_back(out_.ways[static_cast<std::size_t>(k)].iv);
    }
  }

  // The coordinate that turns the wheel about its axle: of the joint that carries it, or of one further up where nothing moves between.
  void add_wheel(const model::Contribution& wheel) {
    const Vec3d axle = wheel.to.axes.column(1);
    int body = wheel.to.body;
    while (body != model::ground) {
      int carrier = -1;
      for (int j = 0; j < std::ssize(m_.joints); ++j) {
        if (m_.joints[static_cast<std::size_t>(j)].to == body && !eq_.is_cut(j)) carrier = j;
      }
      if (carrier < 0) return;
      const model::Joint& joint = m_.joints[static_cast<std::size_t>(carrier)];
      if (joint.type == "free" && joint.from == model::ground) {
        auto at = std::ranges::find(out_.floating, body, &TrackTravel::Wheelset::body);
        if (at == out_.floating.end()) at = out_.floating.insert(at, {body, axle, on_rail_of(wheel)->on_rail().radius});
        at->wheels.push_back(wheel.name);
        return;
      }
      int scalar = 0;
      for (const model::Dof& dof : joint.shape.dofs) {
        const auto at = eq_.coordinate(carrier, scalar);
        scalar += scalars_of(dof);
        if (dof.kind != model::Dof::Kind::revolute || at.iv < 0 || std::abs(dot(dof.axis, axle)) < 1 - 1e-6) continue;
        auto known = std::ranges::find(out_.rolling, at.iv, &TrackTravel::Rolling::iv);
        if (known == out_.rolling.end())
          known = out_.rolling.insert(
              known, {at.iq, at.iv, std::copysign(on_rail_of(wheel)->on_rail().radius, dot(dof.axis, axle))});
        known->wheels.push_back(wheel.name);
        return;
      }
      if (!joint.shape.dofs.empty()) return;
      body = joint.from;
    }
  }

  const Prepared& p_;
  const Equations& eq_;
  const model::Model& m_;
  std::vector<formalism::PrescribedMotion> motions_;
  TrackTravel out_;
};

// ---- is the track the same everywhere?

struct Place {
  std::string track;
  const model::TrackLine* line;
  double s;
  Vec3d gravity;  // in the axes that the line is laid in
};

std::vector<Place> places_of(const Prepared& p) {
  const Equations& eq = *p.active;
  const model::Model& m = eq.model();
  std::vector<Place> out;
  const auto gravity_in = [&](const model::Track& t) { return transpose_times(t.from.axes, m.gravity); };
  std::vector<double> u(static_cast<std::size_t>(eq.inputs()));
  eq.inputs(p.state.t, u);
  const auto motions = formalism::prescribed_motions(eq);
  for (std::size_t j = 0; j < m.joints.size(); ++j) {
    const auto* along = along_track(m.joints[j]);
    if (!along) continue;
    const auto track = std::ranges::find(m.tracks, along->track_name(), &model::Track::name);
    const auto at = eq.coordinate(static_cast<int>(j), 0);
    double s = along->way_at_design();
    if (at.iq >= 0) s += p.state.q[static_cast<std::size_t>(at.iq)];
    for (std::size_t k = 0; at.iq < 0 && m.joints[j].drive[0] && k < motions.size(); ++k) {
      if (motions[k].motion == &*m.joints[j].drive[0]) s = u[3 * k];
    }
    out.push_back(
        {along->track_name(), &along->followed_line(), s, track == m.tracks.end() ? m.gravity : gravity_in(*track)});
  }
  const formalism::Poses poses = formalism::poses_of(eq, p.state);
  for (const model::Contribution& c : m.contributions) {
    const auto* wheel = on_rail_of(c);
    if (!wheel || !wheel->line()) continue;
    const model::Track* track = simulation::track_below(m, c);
    if (!track || c.to.body == model::ground) continue;
    const Vec3d at = transpose_times(track->from.axes, poses[static_cast<std::size_t>(c.to.body)].c - track->from.at);
    out.push_back({track->name, wheel->line().get(), wheel->line()->foot(at), gravity_in(*track)});
  }
  return out;
}

bool is_even_at(const model::TrackLine& line, double s) {
  if (line.is_even()) return true;
  const model::Deviations d = line.deviations(s);
  const auto is_none = [](const auto& f) { return std::abs(f[0]) < 1e-12 && std::abs(f[1]) < 1e-12; };
  return is_none(d.alignment) && is_none(d.level) && is_none(d.cross_level) && std::abs(d.gauge[1]) < 1e-12;
}

// Which rails lie there: how many changes have begun, and whether one is under way.
std::pair<long, bool> rails_at(const model::TrackLine& line, double s) {
  const auto& changes = line.rail_changes();
  const auto next = std::ranges::find_if(changes, [&](const model::RailChange& c) { return c.begin > s; });
  return {next - changes.begin(), next != changes.begin() && s < (next - 1)->begin + (next - 1)->over};
}

std::string course_text(const model::TrackLine::Layout& at) {
  const std::string bend =
      at.curvature == 0 ? "it is straight" : fmt::format("its radius is {:.5g} m", 1 / std::abs(at.curvature));
  return bend + fmt::format(", its cant {:.3g} rad", std::asin(at.tilt));
}

void refuse_change(const Prepared& p, const GivenMotion& given) {
  constexpr double around = 0.05;  // m: a wheel touches no further off
  const std::vector<Place> places = places_of(p);
  const char* advice =
      "Put the vehicle where it stands on one straight or in one full curve alone, with `way` (--way \"200 m\"), or "
      "give the track another layout.";
  for (const Place& one : places) {
    const Place& first = *std::ranges::find(places, one.track, &Place::track);
    const auto expected = first.line->layout(first.s);
    for (const double s : {one.s - around, one.s, one.s + around}) {
      if (!is_even_at(*one.line, s))
        throw ModelError(
            given.where,
            fmt::format("speed: track \"{}\" is uneven at {:.5g} m: no motion along it is steady.", one.track, one.s),
            "Put the vehicle where its irregularities have not begun (`way`, --way), or leave these out.");
      if (const auto rails = rails_at(*one.line, s);
          rails.second || rails.first != rails_at(*first.line, first.s).first)
        throw ModelError(
            given.where,
            fmt::format(
                "speed: the rails of track \"{}\" change at {:.5g} m, below the vehicle: no motion along it is steady.",
                one.track, s),
            "Put the vehicle where it stands on one pair of rails, with `way` (--way \"200 m\").");
      const auto here = one.line->layout(s);
      const bool same = std::abs(here.curvature - expected.curvature) < 1e-9 &&
                        std::abs(here.tilt - expected.tilt) < 1e-9 && std::abs(here.climb - expected.climb) < 1e-9 &&
                        std::abs(here.widening - expected.widening) < 1e-9;
      if (!same)
        throw ModelError(given.where,
                         fmt::format("speed: track \"{}\" is not the same all along the vehicle, and no motion along "
                                     "it is steady: at {:.5g} m {}; at {:.5g} m {}.",
                                     one.track, first.s, course_text(expected), s, course_text(here)),
                         advice);
    }
  }
}

}  // namespace

TrackTravel travel_of(const Prepared& prepared) { return Finder(prepared).find(); }

bool runs_on_track(const model::Model& m) {
  if (std::ranges::any_of(m.joints, [](const model::Joint& j) { return along_track(j) != nullptr; })) return true;
  if (std::ranges::any_of(m.contributions, [](const model::Contribution& c) { return on_rail_of(c) != nullptr; }))
    return true;
  return std::ranges::any_of(m.joints, [&](const model::Joint& joint) {
    std::size_t k = 0;
    for (const model::Dof& dof : joint.shape.dofs) {
      if (joint.drive[k] && leads_along(m, joint, dof)) return true;
      k += static_cast<std::size_t>(scalars_of(dof));
    }
    return false;
  });
}

Prepared travelling(const Prepared& prepared, const GivenMotion& given) {
  const TrackTravel travel = travel_of(prepared);
  if (given.way != 0 && travel.empty())
    throw ModelError(given.where,
                     "way: nothing of this model hangs on a joint along a track or is driven along one, so nothing can "
                     "be put further on.",
                     "Leave it out, or give the place by the initial values of the bodies.");
  const double t = prepared.state.t;
  std::vector<double> u(static_cast<std::size_t>(prepared.active->inputs()));
  prepared.active->inputs(t, u);
  for (const int k : travel.led) {
    const auto slot = 3 * static_cast<std::size_t>(k);
    u[slot] += given.way, u[slot + 1] = given.speed, u[slot + 2] = 0;
  }
  Prepared out = travel.led.empty() ? prepared : with_drives(prepared, t, u);
  for (const auto& way : travel.ways) out.state.q[static_cast<std::size_t>(way.iq)] += given.way;
  refuse_change(out, given);
  return out;
}

TrackCourse course_of(const Prepared& p, double speed) {
  TrackCourse out;
  const std::vector<Place> places = places_of(p);
  if (places.empty()) return out;
  const Place& at = places.front();
  const auto layout = at.line->layout(at.s);
  const double flat = std::sqrt(1 - layout.climb * layout.climb);
  out.track = at.track, out.way = at.s, out.cant = std::asin(layout.tilt), out.climb = layout.climb;
  out.yaw_rate = speed * layout.curvature;
  out.radius = layout.curvature == 0 ? 0.0 : flat / layout.curvature;
  const Vec3d level{-std::sin(layout.heading), std::cos(layout.heading), 0};
  out.unbalanced =
      dot(flat * speed * speed * layout.curvature * level - at.gravity, at.line->place(at.s).axes.column(1));
  return out;
}

}  // namespace skyhook::analysis
