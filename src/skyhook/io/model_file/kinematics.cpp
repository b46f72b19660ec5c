// What an experiment with `analysis: kinematics` moves, holds and measures.
#include "skyhook/model/kinematics.h"

#include <algorithm>
#include <cmath>

#include "skyhook/formalism/joint_motion.h"
#include "skyhook/io/model_file/field_reader.h"
#include "skyhook/io/model_file/sections.h"

namespace skyhook::io::model_file {
namespace {

using model::Kinematics;
using Side = model::Wheel::Side;

class KinematicsReader {
 public:
  KinematicsReader(AnyExperimentFields& given, Reading& reading, const std::string& what)
      : given_(given),
        reading_(reading),
        report_(reading.report),
        model_(reading.model),
        what_(what),
        scalars_(reading.report, reading.parameters, {}) {}

  std::shared_ptr<const Kinematics> read() {
    plan_.mode = given_.mode == "kinematic"      ? Kinematics::Mode::kinematic
                 : given_.mode == "quasi_static" ? Kinematics::Mode::quasi_static
                                                 : Kinematics::Mode::automatic;
    plan_.points = given_.points;
    plan_.wheelbase = given_.wheelbase, plan_.cg_height = given_.cg_height;
    plan_.brake_share = given_.brake_share, plan_.drive_share = given_.drive_share;
    read_wheels();
    if (given_.travel.node) read_travel(*given_.travel.node);
    if (given_.loads.node) read_loads(*given_.loads.node);
    if (given_.hold.node) read_hold(*given_.hold.node);
    if (given_.without_part.node) read_without(*given_.without_part.node);
    if (given_.steering.node) read_steering(*given_.steering.node);
    const auto moves = [](const auto& item) { return item.range.moves(); };
    if (std::ranges::none_of(plan_.travel, moves) && std::ranges::none_of(plan_.loads, moves))
      report_.add(given_.where, what_ + " moves nothing.",
                  "Give travel: {wheel: [-80 mm, 80 mm]}, or loads with a first and a last value.");
    return std::make_shared<const Kinematics>(std::move(plan_));
  }

 private:
  // Wheels ---------------------------------------------------------------------------------------------------------
  std::vector<std::string> all_wheels() const {
    std::vector<std::string> names;
    for (const model::Body& body : model_.bodies) {
      if (body.wheel && body.wheel->side != Side::middle) names.push_back(body.name);
    }
    return names;
  }

  void read_wheels() {
    const std::vector<std::string> known = all_wheels();
    if (!given_.wheels.node) {
      for (const std::string& name : known) add_wheel(name);
      return;
    }
    for (Node& item : names_in(*given_.wheels.node, "wheels")) {
      if (std::ranges::count(known, item.text) > 0)
        add_wheel(item.text);
      else
        report_.add(item, what_ + ": wheels: \"" + item.text + "\" is no wheel that stands on a side of its vehicle.",
                    known.empty() ? "Give its body the line `wheel: {}`." : suggest(item.text, known, "Wheels"));
    }
  }

  void add_wheel(const std::string& name) {
    const int index = reading_.bodies.at(name);
    const model::Body& body = model_.bodies[static_cast<std::size_t>(index)];
    const Reading::WheelGiven& more = reading_.wheels[name];
    Kinematics::Carrier wheel;
    wheel.name = name, wheel.where = more.where;
    wheel.vehicle = body.wheel->vehicle, wheel.side = body.wheel->side;
    wheel.centre = body.at, wheel.axis = body.wheel->axis;
    wheel.body = more.carrier ? *more.carrier : carrier_of(index);
    wheel.radius = more.radius ? *more.radius : radius_of(body);
    wheel.is_front = more.axle == "auto" ? !is_behind(wheel) : more.axle == "front";
    if (!(wheel.radius > 0))
      report_.add(more.where, "body \"" + name + "\": wheel: its radius is not known, which kinematics need.",
                  "Give wheel: {radius: 300 mm}, or a shape: {wheel: {radius: ...}}.");
    read_steering_axis(more, wheel);
    plan_.wheels.push_back(std::move(wheel));
  }

  // The other body of a hinge about the wheel's axis; without one the wheel does not spin.
  int carrier_of(int wheel) const {
    const Vec3d axis = model_.bodies[static_cast<std::size_t>(wheel)].wheel->axis;
    for (const model::Joint& joint : model_.joints) {
      const auto& dofs = joint.shape.dofs;
      if (dofs.size() != 1 || dofs[0].kind != model::Dof::Kind::revolute) continue;
      if (norm(cross(dofs[0].axis, axis)) > 1e-3) continue;
      if (joint.to == wheel && joint.from != model::ground) return joint.from;
      if (joint.from == wheel && joint.to != model::ground) return joint.to;
    }
    return wheel;
  }

  static double radius_of(const model::Body& body) {
    for (const model::Shape& shape : body.shapes) {
      if (shape.kind == model::Shape::Kind::wheel) return shape.radius;
    }
    return 0;
  }

  bool is_behind(const Kinematics::Carrier& wheel) const {
    if (wheel.vehicle == model::ground) return wheel.centre.x < -1e-6;
    const model::Body& vehicle = model_.bodies[static_cast<std::size_t>(wheel.vehicle)];
    return dot(wheel.centre - vehicle.at, vehicle.axes.column(0)) < -1e-6;
  }

  void read_steering_axis(const Reading::WheelGiven& more, Kinematics::Carrier& wheel) {
    if (more.steering_axis.size() != 2) return;
    std::array<Vec3d, 2> points;
    for (std::size_t k = 0; k < 2; ++k) {
      const auto point = point_named(more.steering_axis[k]);
      if (!point) {
        report_.add(more.where,
                    "body \"" + wheel.name + "\": wheel: steering_axis names \"" + more.steering_axis[k] +
                        "\", which is neither a joint nor a marker.",
                    suggest(more.steering_axis[k], names_of_points(), "Joints and markers"));
        return;
      }
      points[k] = *point;
    }
    if (norm(points[1] - points[0]) > 1e-9)
      wheel.steering_axis = points;
    else
      report_.add(more.where, "body \"" + wheel.name + "\": wheel: the two points of its steering_axis coincide.",
                  "Name two joints or markers at different places.");
  }

  std::optional<Vec3d> point_named(const std::string& name) const {
    if (const auto at = reading_.joints.find(name); at != reading_.joints.end())
      return model_.joints[static_cast<std::size_t>(at->second)].at_to;
    const auto marker = std::ranges::find(model_.markers, name, &model::Marker::name);
    if (marker != model_.markers.end()) return marker->at;
    return {};
  }
  std::vector<std::string> names_of_points() const {
    std::vector<std::string> names;
    for (const auto& joint : model_.joints) names.push_back(joint.name);
    for (const auto& marker : model_.markers) names.push_back(marker.name);
    return names;
  }

  // Travel ---------------------------------------------------------------------------------------------------------
  struct Named {
    std::string name;
    Kinematics::Coordinate at;
    const char* unit;
  };
  std::vector<Named> coordinates() const {
    std::vector<Named> list;
    for (std::size_t j = 0; j < model_.joints.size(); ++j) {
      const model::Joint& joint = model_.joints[j];
      for (int k = 0; k < static_cast<int>(joint.reference.size()); ++k) {
        if (formalism::is_in_ball(joint, k)) continue;
        list.push_back({formalism::coordinate_name(joint, k, false),
                        {static_cast<int>(j), k},
                        formalism::coordinate_unit(joint, k, false)});
      }
    }
    return list;
  }
  int wheel_named(const std::string& name) const {
    const auto at = std::ranges::find(plan_.wheels, name, &Kinematics::Carrier::name);
    return at == plan_.wheels.end() ? -1 : static_cast<int>(at - plan_.wheels.begin());
  }

  void read_travel(Node& map) {
    if (!is_map(map, "travel", "Write {wheel: [-80 mm, 80 mm], rack.displacement: 10 mm}.")) return;
    const auto known = coordinates();
    for (Entry& entry : map.entries) {
      Kinematics::Travel travel;
      travel.name = entry.key.text, travel.where = report_.at(entry.key);
      travel.wheel = wheel_named(travel.name);
      const auto at = std::ranges::find(known, travel.name, &Named::name);
      if (travel.wheel < 0 && at == known.end()) {
        std::vector<std::string> names;
        for (const auto& wheel : plan_.wheels) names.push_back(wheel.name);
        for (const Named& c : known) names.push_back(c.name);
        report_.add(entry.key,
                    what_ + ": travel: \"" + travel.name + "\" is neither a wheel nor a coordinate of a joint.",
                    suggest(travel.name, names, "Wheels and coordinates"));
        continue;
      }
      if (travel.wheel < 0) travel.joint = at->at.joint, travel.scalar = at->at.scalar, travel.unit = at->unit;
      const auto range = range_of(entry.value, what_ + ": travel of " + travel.name, travel.unit);
      if (!range) continue;
      travel.range = *range;
      plan_.travel.push_back(std::move(travel));
    }
  }

  void read_loads(Node& map) {
    constexpr const char* advice =
        "Write {wheel: {lateral: [-2 kN, 2 kN]}}; there are longitudinal, lateral and aligning.";
    if (!is_map(map, "loads", advice)) return;
    for (Entry& entry : map.entries) {
      const int wheel = wheel_named(entry.key.text);
      std::vector<std::string> names;
      for (const auto& w : plan_.wheels) names.push_back(w.name);
      if (wheel < 0) {
        report_.add(entry.key, what_ + ": loads: \"" + entry.key.text + "\" is no wheel.",
                    suggest(entry.key.text, names, "Wheels"));
        continue;
      }
      if (!is_map(entry.value, "loads", advice)) continue;
      for (Entry& load : entry.value.entries) read_load(wheel, load, advice);
    }
  }

  void read_load(int wheel, Entry& load, const char* advice) {
    using Direction = Kinematics::Load::Direction;
    for (const Direction direction : {Direction::longitudinal, Direction::lateral, Direction::aligning}) {
      if (load.key.text != name_of(direction)) continue;
      const auto range =
          range_of(load.value, what_ + ": loads: " + load.key.text, direction == Direction::aligning ? "N.m" : "N");
      if (range) plan_.loads.push_back({wheel, direction, *range, report_.at(load.key)});
      return;
    }
    report_.add(load.key, what_ + ": loads: \"" + load.key.text + "\" is no load.", advice);
  }

  std::optional<Kinematics::Range> range_of(Node& node, const std::string& what, const char* unit) {
    if (!node.is_list()) {
      const auto value = scalars_.number(node, {what, unit});
      return value ? std::optional(Kinematics::Range{*value, *value}) : std::nullopt;
    }
    if (node.items.size() != 2) {
      report_.add(node, what + " should be [from, to], or one value.", "Write [-80 mm, 80 mm].");
      return {};
    }
    const auto from = scalars_.number(node.items[0], {what, unit}), to = scalars_.number(node.items[1], {what, unit});
    if (!from || !to) return {};
    return Kinematics::Range{*from, *to};
  }

  // The rest -------------------------------------------------------------------------------------------------------
  void read_hold(Node& list) {
    for (Node& item : names_in(list, "hold")) {
      if (const auto at = reading_.joints.find(item.text); at != reading_.joints.end())
        plan_.hold.push_back(at->second);
      else
        tell_unknown(item, "hold", "joint", model_.joints);
    }
  }

  void read_without(Node& list) {
    const auto forces = model::forces_of(model_);
    for (Node& item : names_in(list, "without")) {
      std::vector<std::string> names;
      for (const auto* force : forces) names.push_back(force->name);
      if (std::ranges::count(names, item.text) > 0)
        plan_.without.push_back(item.text);
      else
        report_.add(item, what_ + ": without: \"" + item.text + "\" is no force.", suggest(item.text, names, "Forces"));
    }
  }

  void read_steering(Node& node) {
    if (!scalars_.is_text(node, what_ + ": steering")) return;
    const auto known = coordinates();
    const auto at = std::ranges::find(known, node.text, &Named::name);
    if (at != known.end()) {
      plan_.steering = at->at;
      return;
    }
    std::vector<std::string> names;
    for (const Named& c : known) names.push_back(c.name);
    report_.add(node, what_ + ": steering: \"" + node.text + "\" is no coordinate of a joint.",
                suggest(node.text, names, "Coordinates"));
  }

  template <class Things>
  void tell_unknown(const Node& item, const char* field, const char* noun, const Things& things) {
    std::vector<std::string> names;
    for (const auto& thing : things) names.push_back(thing.name);
    report_.add(item, what_ + ": " + field + ": \"" + item.text + "\" is no " + noun + ".",
                suggest(item.text, names, std::string(1, static_cast<char>(std::toupper(noun[0]))) + (noun + 1) + "s"));
  }

  std::vector<Node> names_in(const Node& list, const char* field) {
    if (list.is_text()) return {list};
    if (list.is_list()) return list.items;
    report_.add(list, what_ + ": " + field + " should be a list of names, but is " + kind_name(list) + ".",
                "Write [name, ...].");
    return {};
  }

  bool is_map(const Node& node, const char* field, const char* advice) {
    if (!node.is_map())
      report_.add(node, what_ + ": " + field + " should be a map, but is " + kind_name(node) + ".", advice);
    return node.is_map();
  }

  AnyExperimentFields& given_;
  Reading& reading_;
  Report& report_;
  const model::Model& model_;
  std::string what_;
  ScalarReader scalars_;
  Kinematics plan_;
};

}  // namespace

void read_kinematics(AnyExperimentFields& given, Reading& reading, const std::string& what, bool is_selected) {
  if (given.analysis == "kinematics") {
    if (is_selected) given.kinematics = KinematicsReader(given, reading, what).read();
    return;
  }
  for (const FieldInfo& info : infos_of(KinematicsFields::fields)) {
    const auto at = std::ranges::find(given.given, info.name, [](const auto& g) { return g.first; });
    if (at != given.given.end())
      reading.report.add(at->second, what + ": \"" + info.name + "\" is of kinematics alone.",
                         "Write analysis: kinematics, or remove it.");
  }
}

}  // namespace skyhook::io::model_file
