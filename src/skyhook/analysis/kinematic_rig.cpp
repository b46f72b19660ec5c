#include "skyhook/analysis/kinematic_rig.h"

#include <fmt/format.h>

#include <algorithm>

#include "skyhook/element/joint_rows.h"
#include "skyhook/model/element.h"

namespace skyhook::analysis {
namespace {

using model::Kinematics;

model::Motion linear(double at_start, double slope, double t0) {
  expression::Scope scope;
  scope.variables = {{"t", {}}};
  scope.check_dimensions = false;
  return model::Motion(expression::Expression::compile(
      fmt::format("({:.17g}) + ({:.17g})*(t - ({:.17g}))", at_start, slope, t0), scope, {}));
}

// Force or moment in axes of `from`, linear in t.
struct RigLoad final : model::WrenchLaw<RigLoad> {
  Vec3d force, moment;  // directions
  double start = 0, slope = 0, t0 = 0;

  template <class T>
  void law(const model::Relative<T>& m, model::Wrench<T>& out) const {
    const T size = T(start) + T(slope) * (m.t - T(t0));
    out.f = size * Vec3<T>(force), out.n = size * Vec3<T>(moment);
  }
};

class Builder {
 public:
  Builder(const model::Model& given, const Kinematics& plan, double t0)
      : plan_(plan), model_(std::make_shared<model::Model>(given)) {
    rig_.t0 = t0;
  }

  KinematicRig build() {
    choose_abscissa();
    stop_drives();
    for (const int joint : plan_.hold) hold(model_->joints[static_cast<std::size_t>(joint)]);
    leave_out();
    rig_.pads.resize(plan_.wheels.size());
    for (const Kinematics::Travel& travel : plan_.travel) drive(travel);
    for (const Kinematics::Load& load : plan_.loads) add(load);
    if (plan_.steering) hold_steering(*plan_.steering);
    // What a run alone has.
    model_->events.clear();
    model_->outputs = rig_.that_remain(model_->outputs);
    for (model::Experiment& e : model_->experiments) e.outputs = rig_.that_remain(e.outputs);
    rig_.model = std::move(model_);
    return std::move(rig_);
  }

 private:
  void choose_abscissa() {
    const auto moves = [](const auto& item) { return item.range.moves(); };
    const auto travel = std::ranges::find_if(plan_.travel, moves);
    const auto load = std::ranges::find_if(plan_.loads, moves);
    if (travel != plan_.travel.end()) {
      rig_.abscissa = travel->wheel >= 0 ? travel->name + ".travel" : travel->name;
      rig_.unit = travel->unit;
      rig_.from = travel->range.from, rig_.to = travel->range.to;
    } else if (load != plan_.loads.end()) {
      rig_.abscissa = plan_.wheels[static_cast<std::size_t>(load->wheel)].name + "." + name_of(load->direction);
      rig_.unit = load->direction == Kinematics::Load::Direction::aligning ? "N.m" : "N";
      rig_.from = load->range.from, rig_.to = load->range.to;
    }
    const double size = std::max(std::abs(rig_.from), std::abs(rig_.to));
    if (size > 0) rig_.slowness = 1e-4 / size;
  }

  // Value where s is zero and slope by time.
  struct Line {
    double start, slope;
  };
  Line line(const Kinematics::Range& range) const {
    const double ratio = range.moves() ? (range.to - range.from) / (rig_.to - rig_.from) : 0.0;
    return {range.from - ratio * rig_.from, ratio / rig_.slowness};
  }

  void stop_drives() {
    const auto stand = [&](std::optional<model::Motion>& motion) {
      if (motion) motion = linear(motion->at(rig_.t0).value, 0, rig_.t0);
    };
    for (model::Joint& joint : model_->joints) std::ranges::for_each(joint.drive, stand);
    for (model::Contribution& c : model_->contributions) {
      if (c.row) stand(c.row->drive);
    }
  }

  // Where its initial values have it. Orientations have no drives: such a joint is fixed as drawn.
  void hold(model::Joint& joint) {
    const bool has_ball =
        std::ranges::any_of(joint.shape.dofs, [](const model::Dof& d) { return d.kind == model::Dof::Kind::ball; });
    if (!has_ball) {
      for (std::size_t k = 0; k < joint.drive.size(); ++k) {
        if (!joint.drive[k]) joint.drive[k] = linear(joint.position[k].value_or(joint.reference[k]), 0, rig_.t0);
        joint.position[k].reset(), joint.velocity[k].reset();
      }
      return;
    }
    const element::Triad t = element::triad({0, 0, 1});
    rig_.gone.push_back(joint.name);
    joint.type = "fixed";
    joint.shape.dofs.clear();
    joint.shape.rows = element::operator+(element::no_motion_along({t.e, t.u, t.v}), element::fixed_orientation(t));
    joint.reference.clear(), joint.position.clear(), joint.velocity.clear(), joint.drive.clear();
    joint.position_where.clear(), joint.velocity_where.clear(), joint.drive_where.clear();
  }

  void leave_out() {
    std::erase_if(model_->contributions,
                  [&](const model::Contribution& c) { return std::ranges::count(plan_.without, c.name) > 0; });
    rig_.gone.insert(rig_.gone.end(), plan_.without.begin(), plan_.without.end());
  }

  void hold_steering(const Kinematics::Coordinate& steering) {
    model::Joint& joint = model_->joints[static_cast<std::size_t>(steering.joint)];
    const auto k = static_cast<std::size_t>(steering.scalar);
    if (!joint.drive[k]) joint.drive[k] = linear(joint.position[k].value_or(joint.reference[k]), 0, rig_.t0);
    joint.position[k].reset(), joint.velocity[k].reset();
  }

  void drive(const Kinematics::Travel& travel) {
    const Line way = line(travel.range);
    if (travel.wheel >= 0) return add_pad(travel, way);
    model::Joint& joint = model_->joints[static_cast<std::size_t>(travel.joint)];
    const auto k = static_cast<std::size_t>(travel.scalar);
    joint.drive[k] = linear(way.start, way.slope, rig_.t0);
    joint.position[k].reset(), joint.velocity[k].reset();
  }

  Mat3d axes_of(int body) const {
    return body == model::ground ? Mat3d::identity() : model_->bodies[static_cast<std::size_t>(body)].axes;
  }

  void add_pad(const Kinematics::Travel& travel, const Line& way) {
    const Kinematics::Carrier& wheel = plan_.wheels[static_cast<std::size_t>(travel.wheel)];
    model::Joint pad;
    pad.name = wheel.name + "_pad", pad.type = "free", pad.where = travel.where;
    pad.from = wheel.vehicle, pad.to = wheel.body;
    pad.at_from = pad.at_to = wheel.centre;
    pad.cut = true;
    const Mat3d axes = axes_of(wheel.vehicle);
    for (int k = 0; k < 3; ++k)
      pad.shape.dofs.push_back({model::Dof::Kind::prismatic, axes.column(k), std::string(1, "xyz"[k])});
    pad.shape.dofs.push_back({model::Dof::Kind::ball, {}, "rotation"});
    pad.reference.assign(6, 0.0);
    pad.position.resize(6), pad.velocity.resize(6), pad.drive.resize(6);
    pad.position_where.resize(6), pad.velocity_where.resize(6), pad.drive_where.resize(6, travel.where);
    pad.drive[2] = linear(way.start, way.slope, rig_.t0);
    rig_.pads[static_cast<std::size_t>(travel.wheel)] = pad.name;
    model_->joints.push_back(std::move(pad));
  }

  void add(const Kinematics::Load& load) {
    const Kinematics::Carrier& wheel = plan_.wheels[static_cast<std::size_t>(load.wheel)];
    const Mat3d axes = axes_of(wheel.vehicle);
    const Vec3d contact = wheel.centre - wheel.radius * axes.column(2);
    const Line way = line(load.range);
    auto law = std::make_shared<RigLoad>();
    using Direction = Kinematics::Load::Direction;
    law->force = load.direction == Direction::longitudinal ? Vec3d{1, 0, 0}
                 : load.direction == Direction::lateral    ? Vec3d{0, 1, 0}
                                                           : Vec3d{};
    law->moment = load.direction == Direction::aligning ? Vec3d{0, 0, 1} : Vec3d{};
    law->start = way.start, law->slope = way.slope, law->t0 = rig_.t0;
    model::Contribution force;
    force.name = wheel.name + "_" + name_of(load.direction), force.type = "force", force.where = load.where;
    force.from = {"", load.where, wheel.vehicle, contact, axes};
    force.to = {"", load.where, wheel.body, contact, axes};
    force.wrench = std::move(law);
    model_->contributions.push_back(std::move(force));
  }

  const Kinematics& plan_;
  std::shared_ptr<model::Model> model_;
  KinematicRig rig_;
};

}  // namespace

std::vector<model::Output> KinematicRig::that_remain(const std::vector<model::Output>& outputs) const {
  const auto is_gone = [&](const model::Output& output) {
    return std::ranges::any_of(gone, [&](const std::string& name) {
      const std::size_t at = output.channel.find(name + ".");
      const bool begins = at == 0 || (at != std::string::npos && output.is_formula());
      return at != std::string::npos && begins;
    });
  };
  std::vector<model::Output> list;
  std::ranges::remove_copy_if(outputs, std::back_inserter(list), is_gone);
  // Formulas of formulas that are gone.
  for (bool changed = true; changed;) {
    const auto reads_gone = [&](const model::Output& output) {
      return output.is_formula() && std::ranges::any_of(outputs, [&](const model::Output& other) {
               return output.channel.find(other.name) != std::string::npos && other.name != output.name &&
                      std::ranges::count(list, other.name, &model::Output::name) == 0;
             });
    };
    changed = std::erase_if(list, reads_gone) > 0;
  }
  return list;
}

std::shared_ptr<const model::Model> steered(const KinematicRig& rig, const Kinematics::Coordinate& steering, double s) {
  auto model = std::make_shared<model::Model>(*rig.model);
  const double t = rig.time_at(s);
  for (std::size_t j = 0; j < model->joints.size(); ++j) {
    auto& drive = model->joints[j].drive;
    for (std::size_t k = 0; k < drive.size(); ++k) {
      const bool is_it = static_cast<int>(j) == steering.joint && static_cast<int>(k) == steering.scalar;
      if (drive[k]) drive[k] = linear(drive[k]->at(t).value, is_it ? 1 / rig.slowness : 0, t);
    }
  }
  return model;
}

KinematicRig make_rig(const model::Model& model, const model::Kinematics& plan, double t0) {
  return Builder(model, plan, t0).build();
}

}  // namespace skyhook::analysis
