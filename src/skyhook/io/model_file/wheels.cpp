// Bodies that are wheels, and sensors: what only channels ask for.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "skyhook/io/model_file/field_reader.h"
#include "skyhook/io/model_file/sections.h"

namespace skyhook::io::model_file {
namespace {

using Side = model::Wheel::Side;

// The vehicle that a wheel belongs to: its origin and its axes at design.
struct Vehicle {
  Vec3d at;
  Mat3d axes = Mat3d::identity();
  Vec3d left() const { return axes * Vec3d{0, 1, 0}; }
};

Vehicle vehicle_of(const model::Wheel& wheel, const model::Model& model) {
  if (wheel.vehicle == model::ground) return {};
  const model::Body& body = model.bodies[static_cast<std::size_t>(wheel.vehicle)];
  return {body.at, body.axes};
}

class WheelReader {
 public:
  WheelReader(Node& node, model::Body& body, Reading& reading)
      : node_(node),
        body_(body),
        reading_(reading),
        what_("body \"" + body.name + "\": wheel"),
        reader_(reading, node, what_, body.name, node, reading.scope_of_body[body.name]) {}

  void read() {
    BodyWheelFields given;
    read_described(reader_, given);
    if (reader_.has_failed()) return;
    model::Wheel wheel;
    wheel.vehicle = given.vehicle.index;
    const Vehicle vehicle = vehicle_of(wheel, reading_.model);
    if (find_axis(given, vehicle, wheel) && find_side(given, vehicle, wheel)) body_.wheel = wheel;
    keep_for_kinematics(given);
  }

 private:
  // A forward spin is positive about an axis that points to the left, whichever way it was written.
  bool find_axis(const BodyWheelFields& given, const Vehicle& vehicle, model::Wheel& wheel) {
    const Vec3d axis = given.axis.value_or(body_.axes * Vec3d{0, 1, 0});
    const double size = norm(axis), left = size > 0 ? dot(axis, vehicle.left()) / size : 0.0;
    if (std::abs(left) < 1e-6) {
      reading_.report.add(
          reader_.where("axis"), what_ + ": its axis points neither to the left nor to the right.",
          "The axis is that about which the wheel turns, y of most vehicles. Give `axis`, global at design.");
      return false;
    }
    wheel.axis = (std::copysign(1.0, left) / size) * axis;
    return true;
  }

  bool find_side(const BodyWheelFields& given, const Vehicle& vehicle, model::Wheel& wheel) {
    const double y = dot(body_.at - vehicle.at, vehicle.left());
    if (given.side == "auto" && std::abs(y) < 1e-6) {
      reading_.report.add(node_,
                          what_ + " stands in the middle of its vehicle: its `at` does not tell on which side it is.",
                          "Write side: left or side: right, after which camber and toe have their signs, or side: "
                          "middle, without these.");
      return false;
    }
    wheel.side = given.side == "auto"    ? (y > 0 ? Side::left : Side::right)
                 : given.side == "left"  ? Side::left
                 : given.side == "right" ? Side::right
                                         : Side::middle;
    if (given.side != "auto") mirror_side(vehicle, wheel);
    return true;
  }

  void keep_for_kinematics(const BodyWheelFields& given) {
    Reading::WheelGiven& kept = reading_.wheels[body_.name];
    if (given.carrier.index != model::ground) kept.carrier = given.carrier.index;
    kept.radius = given.radius, kept.axle = given.axle, kept.where = reading_.report.at(node_);
    Node* axis = given.steering_axis.node;
    if (!axis) return;
    const std::string what = what_ + ": steering_axis";
    if (!axis->is_list() || axis->items.size() != 2) {
      reading_.report.add(*axis, what + " should be a list of two names.", "Write [lower_ball, upper_ball].");
      return;
    }
    for (Node& item : axis->items) {
      if (const auto name = reader_.scalars().full_name(item, what)) kept.steering_axis.push_back(*name);
    }
  }

  // A side that the file names changes where its part is mirrored from left to right.
  void mirror_side(const Vehicle& vehicle, model::Wheel& wheel) {
    const Vec3d left = vehicle.left();
    const bool is_mirrored = dot(times(reader_.scalars().scope().placement.sign, left), left) < 0;
    if (!is_mirrored || wheel.side == Side::middle) return;
    wheel.side = wheel.side == Side::left ? Side::right : Side::left;
    Node& side = find(node_, "side")->value;
    side.text = wheel.side == Side::left ? "left" : "right";
  }

  Node& node_;
  model::Body& body_;
  Reading& reading_;
  std::string what_;
  FieldReader reader_;
};

// Where the two axes nearly agree the joint is meant to be the bearing, not a steering axis. The wheel would wobble.
void check_bearing(const model::Body& body, const model::Joint& joint, Reading& reading) {
  if (!body.wheel) return;
  const Vec3d bearing = normalized(joint.shape.dofs[0].axis);
  const double angle = std::asin(std::min(1.0, norm(cross(bearing, body.wheel->axis))));
  if (angle < 1e-3 || angle > 0.35) return;
  reading.warn(
      "wheel_axis", body.where,
      fmt::format("body \"{}\" turns in joint \"{}\" about an axis that is {:.3g} deg off that of its `wheel`: its "
                  "camber will wobble.",
                  body.name, joint.name, angle * 180 / std::numbers::pi),
      "Give both the same `axis`.");
}

void read_sensor(Pending& thing, Reading& reading) {
  Conditional<SensorFields> given;
  FieldReader reader(reading, thing.value, "sensor \"" + thing.name + "\"", thing.name, thing.key, thing.scope);
  read_described(reader, given);
  if (reader.has_failed()) return;
  model::Sensor& sensor = reading.model.sensors.emplace_back();
  sensor.name = thing.name;
  sensor.where = reading.report.at(thing.key);
  sensor.from = given.from, sensor.to = given.to, sensor.in = given.in.value_or(given.from);
}

}  // namespace

void read_wheels(Node& bodies, Reading& reading) {
  for (Entry& entry : bodies.entries) {
    const auto found = reading.bodies.find(entry.key.text);
    Entry* wheel = entry.value.is_map() ? find(entry.value, "wheel") : nullptr;
    if (found == reading.bodies.end() || !wheel) continue;
    if (wheel->value.is_nothing()) {
      reading.report.add(wheel->key, "body \"" + entry.key.text + "\": \"wheel\" has no value.",
                         "Write wheel: {}, or remove the line.");
      continue;
    }
    try {
      WheelReader(wheel->value, reading.model.bodies[static_cast<std::size_t>(found->second)], reading).read();
    } catch (const Report::Known&) {}
  }
}

void check_wheel_axes(Reading& reading) {
  for (const model::Joint& joint : reading.model.joints) {
    const auto& dofs = joint.shape.dofs;
    if (dofs.size() != 1 || dofs[0].kind != model::Dof::Kind::revolute) continue;
    for (const int body : {joint.from, joint.to}) {
      if (body != model::ground) check_bearing(reading.model.bodies[static_cast<std::size_t>(body)], joint, reading);
    }
  }
}

Node read_sensors(std::vector<Level>& levels, Reading& reading) {
  auto things = things_of(levels, "sensor", reading);
  for (Pending& thing : things) {
    try {
      read_sensor(thing, reading);
    } catch (const Report::Known&) {
      reading.failed.insert(thing.name);
    }
  }
  return as_section(std::move(things), {});
}

}  // namespace skyhook::io::model_file
