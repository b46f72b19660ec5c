#include "skyhook/element/catalogue.h"

#include <algorithm>

#include "skyhook/element/controller/expression.h"
#include "skyhook/element/controller/groundhook.h"
#include "skyhook/element/controller/input.h"
#include "skyhook/element/controller/lookup.h"
#include "skyhook/element/controller/pid.h"
#include "skyhook/element/controller/skyhook.h"
#include "skyhook/element/controller/state_space.h"
#include "skyhook/element/force/actuator.h"
#include "skyhook/element/force/air_spring.h"
#include "skyhook/element/force/brake.h"
#include "skyhook/element/force/bump_stop.h"
#include "skyhook/element/force/bushing.h"
#include "skyhook/element/force/contact.h"
#include "skyhook/element/force/coulomb.h"
#include "skyhook/element/force/force.h"
#include "skyhook/element/force/hydraulic_actuator.h"
#include "skyhook/element/force/hydraulic_damper.h"
#include "skyhook/element/force/joint_friction.h"
#include "skyhook/element/force/lag_actuator.h"
#include "skyhook/element/force/leaf_spring.h"
#include "skyhook/element/force/maxwell.h"
#include "skyhook/element/force/plugin.h"
#include "skyhook/element/force/rigid_contact.h"
#include "skyhook/element/force/rubber_bushing.h"
#include "skyhook/element/force/semi_active_damper.h"
#include "skyhook/element/force/spring_damper.h"
#include "skyhook/element/force/stick_slip.h"
#include "skyhook/element/force/torque.h"
#include "skyhook/element/force/track_mass.h"
#include "skyhook/element/force/tyre_calspan.h"
#include "skyhook/element/force/tyre_fiala.h"
#include "skyhook/element/force/tyre_linear.h"
#include "skyhook/element/force/tyre_magic_formula.h"
#include "skyhook/element/force/tyre_tmeasy.h"
#include "skyhook/element/force/tyre_vertical.h"
#include "skyhook/element/force/wheel_rail.h"
#include "skyhook/element/joint/coupler.h"
#include "skyhook/element/joint/curve_contact.h"
#include "skyhook/element/joint/cylindrical.h"
#include "skyhook/element/joint/fixed.h"
#include "skyhook/element/joint/free.h"
#include "skyhook/element/joint/gear.h"
#include "skyhook/element/joint/guide.h"
#include "skyhook/element/joint/in_plane.h"
#include "skyhook/element/joint/planar.h"
#include "skyhook/element/joint/point_on_curve.h"
#include "skyhook/element/joint/prismatic.h"
#include "skyhook/element/joint/revolute.h"
#include "skyhook/element/joint/rod.h"
#include "skyhook/element/joint/spherical.h"
#include "skyhook/element/joint/track.h"
#include "skyhook/element/joint/translation.h"
#include "skyhook/element/joint/universal.h"
#include "skyhook/element/profile/circular.h"
#include "skyhook/element/profile/conical.h"
#include "skyhook/element/profile/points.h"
#include "skyhook/element/profile/standard.h"
#include "skyhook/element/road/bump.h"
#include "skyhook/element/road/cosine.h"
#include "skyhook/element/road/crg.h"
#include "skyhook/element/road/flat.h"
#include "skyhook/element/road/iso8608.h"
#include "skyhook/element/road/posts.h"
#include "skyhook/element/road/profile.h"
#include "skyhook/element/road/ramp.h"
#include "skyhook/element/road/sine.h"
#include "skyhook/element/road/sine_sweep.h"
#include "skyhook/element/road/stair.h"
#include "skyhook/element/road/surface.h"
#include "skyhook/element/track/line.h"

namespace skyhook::element {

namespace {

template <class Member>
constexpr bool is_coordinate =
    std::is_same_v<Member, model::CoordinateRef> || std::is_same_v<Member, std::optional<model::CoordinateRef>>;

template <class Element>
bool refers_to_coordinates() {
  bool found = false;
  Element element;
  for_each_field(Element::fields, element, [&](const FieldInfo&, const auto& member) {
    found = found || is_coordinate<std::remove_cvref_t<decltype(member)>>;
  });
  return found;
}

// The name of the type is written once, in the catalogue: what an element has added gets it here.
template <class Element>
void read_element(const char* name, model::FieldSource& source, model::Model& model) {
  Element element;
  model::read_fields(Element::fields, element, source);
  const std::size_t joints = model.joints.size(), contributions = model.contributions.size(),
                    controllers = model.controllers.size(), roads = model.roads.size(), tracks = model.tracks.size(),
                    profiles = model.profiles.size();
  element.add_to(source, model);
  for (std::size_t i = joints; i < model.joints.size(); ++i) model.joints[i].type = name;
  for (std::size_t i = contributions; i < model.contributions.size(); ++i) model.contributions[i].type = name;
  for (std::size_t i = controllers; i < model.controllers.size(); ++i) model.controllers[i].type = name;
  for (std::size_t i = roads; i < model.roads.size(); ++i) model.roads[i].type = name;
  for (std::size_t i = tracks; i < model.tracks.size(); ++i) model.tracks[i].type = name;
  for (std::size_t i = profiles; i < model.profiles.size(); ++i) model.profiles[i].type = name;
}

template <class Element>
ElementType add(const char* name, const char* section) {
  return {
      .name = name,
      .section = section,
      .summary = Element::summary,
      .fields = infos_of(Element::fields),
      .read = [name](model::FieldSource& source, model::Model& model) { read_element<Element>(name, source, model); },
      .offer_fields =
          [](model::FieldSource& source) {
            Element element;
            model::read_fields(Element::fields, element, source);
          },
      .refers_to_coordinates = refers_to_coordinates<Element>()};
}

}  // namespace

const std::vector<ElementType>& catalogue() {
  static const std::vector<ElementType> types{
      add<Fixed>("fixed", "joints"),
      add<Revolute>("revolute", "joints"),
      add<Prismatic>("prismatic", "joints"),
      add<Cylindrical>("cylindrical", "joints"),
      add<Universal>("universal", "joints"),
      add<Spherical>("spherical", "joints"),
      add<Planar>("planar", "joints"),
      add<InPlane>("in_plane", "joints"),
      add<Translation>("translation", "joints"),
      add<Free>("free", "joints"),
      add<TrackJoint>("track", "joints"),
      add<Rod>("rod", "joints"),
      add<PointOnCurve>("point_on_curve", "joints"),
      add<Guide>("guide", "joints"),
      add<CurveContact>("curve_contact", "joints"),
      add<Coupler>("coupler", "joints"),
      add<Gear>("gear", "joints"),
      add<SpringDamper>("spring_damper", "forces"),
      add<LeafSpring>("leaf_spring", "forces"),
      add<AirSpring>("air_spring", "forces"),
      add<Bushing>("bushing", "forces"),
      add<RubberBushing>("rubber_bushing", "forces"),
      add<BumpStop>("bump_stop", "forces"),
      add<Force>("force", "forces"),
      add<Torque>("torque", "forces"),
      add<Actuator>("actuator", "forces"),
      add<JointFriction>("joint_friction", "forces"),
      add<Contact>("contact", "forces"),
      add<Coulomb>("coulomb", "forces"),
      add<TyreVertical>("tyre_vertical", "forces"),
      add<TyreLinear>("tyre_linear", "forces"),
      add<TyreCalspan>("tyre_calspan", "forces"),
      add<TyreFiala>("tyre_fiala", "forces"),
      add<TyreTmeasy>("tyre_tmeasy", "forces"),
      add<TyreMagicFormula>("tyre_magic_formula", "forces"),
      add<WheelRail>("wheel_rail", "forces"),
      add<RigidContact>("rigid_contact", "forces"),
      add<TrackMass>("track_mass", "forces"),
      add<StickSlip>("stick_slip", "forces"),
      add<Brake>("brake", "forces"),
      add<SemiActiveDamper>("semi_active_damper", "forces"),
      add<Maxwell>("maxwell", "forces"),
      add<HydraulicDamper>("hydraulic_damper", "forces"),
      add<HydraulicActuator>("hydraulic_actuator", "forces"),
      add<LagActuator>("lag_actuator", "forces"),
      add<Plugin>("plugin", "forces"),
      add<Pid>("pid", "controllers"),
      add<StateSpace>("state_space", "controllers"),
      add<Lookup>("lookup", "controllers"),
      add<Skyhook>("skyhook", "controllers"),
      add<Groundhook>("groundhook", "controllers"),
      add<ExpressionController>("expression", "controllers"),
      add<Input>("input", "controllers"),
      add<Flat>("flat", "roads"),
      add<Ramp>("ramp", "roads"),
      add<Bump>("bump", "roads"),
      add<Cosine>("cosine", "roads"),
      add<Stair>("stair", "roads"),
      add<Sine>("sine", "roads"),
      add<SineSweep>("sine_sweep", "roads"),
      add<Iso8608>("iso8608", "roads"),
      add<Profile>("profile", "roads"),
      add<Crg>("crg", "roads"),
      add<FormulaSurface>("surface", "roads"),
      add<Posts>("posts", "roads"),
      add<RailLine>("line", "tracks"),
      add<ConicalProfile>("conical", "profiles"),
      add<CircularProfile>("circular", "profiles"),
      add<PointsProfile>("points", "profiles"),
      add<StandardProfile>("standard", "profiles"),
  };
  return types;
}

const ElementType* find(const std::string& section, const std::string& name) {
  const auto is_it = [&](const ElementType& type) { return type.section == section && type.name == name; };
  const auto found = std::ranges::find_if(catalogue(), is_it);
  return found == catalogue().end() ? nullptr : &*found;
}

const ElementType* only_type_of(const std::string& section) {
  const ElementType* only = nullptr;
  for (const ElementType& type : catalogue()) {
    if (type.section != section) continue;
    if (only) return nullptr;
    only = &type;
  }
  return only;
}

}  // namespace skyhook::element
