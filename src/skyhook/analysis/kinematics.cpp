#include "skyhook/analysis/kinematics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "skyhook/analysis/unknown.h"
#include "skyhook/analysis/wheel_geometry.h"
#include "skyhook/simulation/channels.h"

namespace skyhook::analysis {
namespace {

using model::Kinematics;
using simulation::Channel;

std::string per(const std::string& unit, const std::string& below) {
  if (unit == below) return "-";
  return (unit == "-" ? "1" : unit) + "/" + (below.find('.') == std::string::npos ? below : "(" + below + ")");
}

// One point's row as it is being filled; the first point names the columns.
class Row {
 public:
  Row(KinematicCurves& curves) : curves_(curves), names_(curves.values.empty()) {
    curves.values.emplace_back(), curves.rates.emplace_back();
  }
  void add(const std::string& name, const std::string& unit, double value, double rate = unknown) {
    if (names_) curves_.channels.push_back({name, unit});
    curves_.values.back().push_back(value), curves_.rates.back().push_back(rate);
  }
  void add(const std::string& name, const std::string& unit, const AlongTravel& x) { add(name, unit, x.v, x.d[0]); }
  void add_with_gradient(const std::string& name, const std::string& unit, const AlongTravel& x) {
    add(name, unit, x);
    add(name + "_gradient", per(unit, curves_.rig.unit), x.d[0]);
  }

 private:
  KinematicCurves& curves_;
  bool names_;
};

class Measuring {
 public:
  Measuring(KinematicCurves& curves, const Kinematics& plan, const model::Experiment& experiment)
      : curves_(curves),
        plan_(plan),
        eq_(*curves.path.prepared.active),
        all_(simulation::all_channels(eq_)),
        still_(curves.path.prepared.active, curves.path.prepared.all),
        beside_(curves.path.prepared.active, curves.path.prepared.all),
        moving_(curves.path.prepared.active, curves.path.prepared.all) {
    const auto& outputs =
        experiment.outputs.empty() ? curves.path.prepared.model->outputs : curves.rig.that_remain(experiment.outputs);
    outputs_ = simulation::choose_channels(all_, outputs);
    for (const Kinematics::Carrier& wheel : plan.wheels) carriers_.emplace_back(eq_, wheel);
    for (const std::string& pad : curves.rig.pads) pads_.push_back(pad.empty() ? nullptr : find(pad + ".drive_z"));
    for (const Channel& c : all_) {
      if (!c.name.ends_with(".length")) continue;
      const std::string owner = c.name.substr(0, c.name.size() - 7);
      if (const Channel* rate = find(owner + ".rate")) lengths_.push_back({owner, rate});
    }
  }

  void measure(const PathPoint& point) {
    evaluate(point);
    Row row(curves_);
    std::vector<WheelGeometry> wheels;
    for (std::size_t k = 0; k < carriers_.size(); ++k) {
      wheels.push_back(carriers_[k].geometry(moving_.now(), curves_.rig.slowness, steering_axis(point, k)));
      add_wheel(plan_.wheels[k], wheels.back(), row);
      if (pads_[k]) add_load(point, plan_.wheels[k].name, *pads_[k], wheels.back().travel.d[0], row);
    }
    for (const bool is_front : {true, false}) add_axle(is_front, wheels, row);
    for (const auto& [owner, rate] : lengths_)
      row.add(owner + ".motion_ratio", per("m", curves_.rig.unit),
              -curves_.rig.slowness * rate->value(moving_.now(), {}));
    const auto taken = [&](const std::string& name) { return std::ranges::count(own_names_, name) > 0; };
    if (own_names_.empty()) {
      for (const auto& c : curves_.channels) own_names_.push_back(c.name);
      std::erase_if(outputs_, [&](const Channel& c) { return taken(c.name); });
    }
    for (const Channel& c : outputs_) row.add(c.name, c.unit, c.value(still_.now(), running_), slope(point, c));
  }

 private:
  struct Length {
    std::string owner;
    const Channel* rate;
  };

  const Channel* find(const std::string& name) const {
    const auto at = std::ranges::find(all_, name, &Channel::name);
    return at == all_.end() ? nullptr : &*at;
  }

  bool has_forces() const { return curves_.path.mode == Kinematics::Mode::quasi_static || curves_.path.free.empty(); }

  void rest(simulation::Evaluator& evaluator, double t, CSpan q, CSpan v, CSpan lambda) const {
    if (!has_forces() || evaluator.evaluate_at_rest(t, q, v, lambda) != Eval::ok) evaluator.evaluate_energy(t, q, v);
  }

  void evaluate(const PathPoint& point) {
    std::vector<double> v = point.state.v;
    std::fill_n(v.begin(), eq_.moving(), 0.0);
    rest(still_, point.state.t, point.state.q, v, point.lambda);
    v = point.state.v;
    for (int i = 0; i < eq_.moving(); ++i) v[static_cast<std::size_t>(i)] /= curves_.rig.slowness;
    moving_.evaluate_motion(point.state.t, point.state.q, v);
    running_.start_energy = 0;
    for (const int side : {0, 1}) {
      const double h = (side == 0 ? -1.0 : 1.0) * step();
      const PathPoint there = beside(point, h);
      v = point.state.v;
      std::fill_n(v.begin(), eq_.moving(), 0.0);
      rest(beside_, there.state.t, there.state.q, v, there.lambda);
      auto& values = side == 0 ? below_ : above_;
      values.clear();
      for (const Channel& c : outputs_) values.push_back(c.value(beside_.now(), running_));
      for (std::size_t k = 0; k < pads_.size(); ++k)
        values.push_back(pads_[k] ? pads_[k]->value(beside_.now(), running_) : 0.0);
      asked_ = outputs_;
    }
  }

  double step() const { return curves_.rig.step(); }

  // Along the tangent of positions and multipliers: of second order in a step that is far smaller than that of the points.
  double slope(const PathPoint&, const Channel& c) const {
    const auto at = std::ranges::find(asked_, c.name, &Channel::name) - asked_.begin();
    return slope_at(static_cast<std::size_t>(at));
  }
  double slope_at(std::size_t k) const { return (above_[k] - below_[k]) / (2 * step()); }

  // With its rate, by central differences along the path: the step is that of the channels.
  std::optional<SteeringAxis> steering_axis(const PathPoint& point, std::size_t wheel) {
    if (!plan_.steering || plan_.wheels[wheel].steering_axis) return {};
    if (!steered_at_ || *steered_at_ != point.s) {
      steered_at_ = point.s;
      axes_ = screw_axes(point);
      const auto below = screw_axes(beside(point, -step())), above = screw_axes(beside(point, step()));
      for (std::size_t k = 0; k < axes_.size(); ++k) {
        if (!axes_[k] || !below[k] || !above[k]) continue;
        const double per_step = 1 / (2 * step());
        axes_[k]->point_rate = per_step * (above[k]->point - below[k]->point);
        axes_[k]->direction_rate = per_step * (above[k]->direction - below[k]->direction);
      }
    }
    return axes_[wheel];
  }
  PathPoint beside(const PathPoint& point, double h) const {
    PathPoint out = point;
    std::vector<double> way = point.state.v;
    for (double& x : way) x *= h;
    std::fill(way.begin() + eq_.moving(), way.end(), 0.0);
    eq_.plus(out.state.q, way);
    for (std::size_t k = 0; k < out.lambda.size(); ++k) out.lambda[k] += h * point.slope[k];
    out.s += h, out.state.t = curves_.rig.time_at(out.s);
    return out;
  }
  std::vector<std::optional<SteeringAxis>> screw_axes(const PathPoint& point) const {
    std::vector<std::optional<SteeringAxis>> out(carriers_.size());
    const auto model = steered(curves_.rig, *plan_.steering, point.s);
    const auto v = tangent_of(curves_.path, point, model);
    if (v.empty()) return out;
    const simulation::Prepared& p = curves_.path.prepared;
    const auto all = std::make_shared<simulation::Equations>(model, p.topology, std::nullopt, p.all->held());
    simulation::Evaluator turning(all, all);
    std::vector<double> fast = v;
    for (int i = 0; i < eq_.moving(); ++i) fast[static_cast<std::size_t>(i)] /= curves_.rig.slowness;
    turning.evaluate_motion(point.state.t, point.state.q, fast);
    for (std::size_t k = 0; k < carriers_.size(); ++k)
      out[k] = WheelCarrier(*all, plan_.wheels[k]).screw_axis(turning.now());
    return out;
  }

  void add_wheel(const Kinematics::Carrier& wheel, const WheelGeometry& g, Row& row) {
    const std::string own = wheel.name + ".";
    row.add(own + "travel", "m", g.travel);
    row.add_with_gradient(own + "camber", "rad", g.camber);
    row.add_with_gradient(own + "toe", "rad", g.toe);
    row.add(own + "steer", "rad", g.steer);
    row.add_with_gradient(own + "track_change", "m", g.track_change);
    row.add_with_gradient(own + "wheelbase_change", "m", g.wheelbase_change);
    if (wheel.steering_axis || plan_.steering) {
      row.add_with_gradient(own + "caster", "rad", g.caster);
      row.add_with_gradient(own + "kingpin", "rad", g.kingpin);
      row.add(own + "trail", "m", g.trail);
      row.add(own + "scrub_radius", "m", g.scrub);
    }
    row.add(own + "roll_centre_height", "m", g.roll_centre_height);
    row.add(own + "brake_support", "rad", g.brake_support);
    row.add(own + "drive_support", "rad", g.drive_support);
    if (!plan_.wheelbase || !plan_.cg_height) return;
    const double lever = *plan_.wheelbase / *plan_.cg_height;
    const auto share = [&](double front) { return wheel.is_front ? front : 1 - front; };
    if (plan_.brake_share)
      row.add(own + (wheel.is_front ? "anti_dive" : "anti_lift"), "-",
              share(*plan_.brake_share) * lever * std::tan(g.brake_support));
    if (plan_.drive_share)
      row.add(own + (wheel.is_front ? "anti_rise" : "anti_squat"), "-",
              share(*plan_.drive_share) * lever * std::tan(g.drive_support));
  }

  void add_load(const PathPoint&, const std::string& wheel, const Channel& pad, double travel_slope, Row& row) {
    const auto at = static_cast<std::size_t>(std::ranges::find(pads_, &pad) - pads_.begin());
    const double rate = slope_at(asked_.size() + at);
    const bool known = has_forces();
    row.add(wheel + ".load", "N", known ? pad.value(still_.now(), running_) : unknown, known ? rate : unknown);
    row.add(wheel + ".rate", "N/m", known && std::abs(travel_slope) > 1e-9 ? rate / travel_slope : unknown);
  }

  // Two wheels that stand on both sides.
  void add_axle(bool is_front, const std::vector<WheelGeometry>& wheels, Row& row) const {
    const WheelGeometry *left = nullptr, *right = nullptr;
    for (std::size_t k = 0; k < wheels.size(); ++k) {
      if (plan_.wheels[k].is_front != is_front) continue;
      if (plan_.wheels[k].side == model::Wheel::Side::left) left = &wheels[k];
      if (plan_.wheels[k].side == model::Wheel::Side::right) right = &wheels[k];
    }
    if (!left || !right) return;
    const RollCentre centre = roll_centre(*left, *right);
    const std::string own = is_front ? "front_axle." : "rear_axle.";
    row.add(own + "track", "m", left->y - right->y);
    row.add(own + "roll_centre_y", "m", centre.y);
    row.add(own + "roll_centre_height", "m", centre.height);
  }

  KinematicCurves& curves_;
  const Kinematics& plan_;
  const simulation::Equations& eq_;
  std::vector<Channel> all_, outputs_, asked_;
  simulation::Evaluator still_, beside_, moving_;
  simulation::Running running_;
  std::vector<WheelCarrier> carriers_;
  std::vector<const Channel*> pads_;
  std::vector<Length> lengths_;
  std::vector<std::string> own_names_;
  std::vector<double> below_, above_;
  std::optional<double> steered_at_;
  std::vector<std::optional<SteeringAxis>> axes_;
};

// Of what is a derivative itself, from the neighbours: only pictures between the points ask for it.
void fill_rates(KinematicCurves& c) {
  const std::size_t n = c.values.size();
  for (std::size_t k = 0; k < c.channels.size(); ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      if (std::isfinite(c.rates[i][k])) continue;
      const std::size_t a = i > 0 ? i - 1 : i, b = i + 1 < n ? i + 1 : i;
      const double way = c.path.points[b].s - c.path.points[a].s;
      const double rate = way > 0 ? (c.values[b][k] - c.values[a][k]) / way : 0.0;
      c.rates[i][k] = std::isfinite(rate) ? rate : 0.0;
    }
  }
}

void add_warnings(KinematicCurves& c) {
  c.warnings = simulation::warnings_before(c.path.prepared);
  c.warnings.insert(c.warnings.end(), c.path.warnings.begin(), c.path.warnings.end());
  const Kinematics::Mode mode = c.path.mode;
  std::string free;
  for (const std::string& name : c.path.free) free += (free.empty() ? "" : ", ") + name;
  if (mode == Kinematics::Mode::kinematic && !free.empty())
    c.warnings.push_back(
        {"free_in_kinematics",
         {},
         "The drives leave " + free + " free: it stays where it is as far as it can, and forces are not known.",
         "Drive it under `travel`, name its joint under `hold`, or choose `mode: quasi_static`."});
  for (const std::string& end : c.path.ends) c.warnings.push_back({"travel_ends", {}, end, ""});
  c.warnings = without(std::move(c.warnings), c.path.prepared.model->ignored_warnings);
}

}  // namespace

int KinematicCurves::find(const std::string& channel) const {
  const auto at = std::ranges::find(channels, channel, &simulation::ChannelInfo::name);
  return at == channels.end() ? -1 : static_cast<int>(at - channels.begin());
}

KinematicCurves find_kinematics(const model::Model& model, const model::Experiment& experiment) {
  KinematicCurves curves;
  const Kinematics& plan = *experiment.kinematics;
  curves.rig = make_rig(model, plan, experiment.from_time);
  model::Experiment own = experiment;
  own.outputs = curves.rig.that_remain(experiment.outputs);
  curves.path = find_path(curves.rig, plan, own);
  if (!curves.path.ok()) return curves;
  Measuring measuring(curves, plan, own);
  for (const PathPoint& point : curves.path.points) measuring.measure(point);
  fill_rates(curves);
  add_warnings(curves);
  return curves;
}

}  // namespace skyhook::analysis
