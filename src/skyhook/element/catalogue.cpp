#include "skyhook/element/catalogue.h"

#include <algorithm>
#include <array>
#include <span>

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
#include "skyhook/element/joint/point_on_line.h"
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

// Seventy elements are instantiated here, so what is a template is short: what need not know the type of the element stands outside.

template <class Member>
constexpr bool is_coordinate =
    std::is_same_v<Member, model::CoordinateRef> || std::is_same_v<Member, std::optional<model::CoordinateRef>>;

template <class... Owner, class... Member>
constexpr bool refers_to_coordinates(const std::tuple<Field<Owner, Member>...>&) {
  return (is_coordinate<Member> || ...);
}

template <class... Fields>
constexpr std::array<FieldInfo, sizeof...(Fields)> infos(const std::tuple<Fields...>& fields) {
  return std::apply([](const Fields&... f) { return std::array<FieldInfo, sizeof...(Fields)>{f...}; }, fields);
}

// Without a model the fields are only offered to the source.
using Read = void (*)(model::FieldSource& source, model::Model* model);

template <class Element>
void read_as(model::FieldSource& source, model::Model* model) {
  Element element;
  model::read_fields(Element::fields, element, source);
  if (model) element.add_to(source, *model);
}

// The name of the type is written once, in the catalogue: what an element has added gets it here.
void read_element(const char* name, Read read, model::FieldSource& source, model::Model& model) {
  const std::size_t joints = model.joints.size(), contributions = model.contributions.size(),
                    controllers = model.controllers.size(), roads = model.roads.size(), tracks = model.tracks.size(),
                    profiles = model.profiles.size();
  read(source, &model);
  const auto call = [name](auto& things, std::size_t first) {
    for (std::size_t i = first; i < things.size(); ++i) things[i].type = name;
  };
  call(model.joints, joints), call(model.contributions, contributions), call(model.controllers, controllers);
  call(model.roads, roads), call(model.tracks, tracks), call(model.profiles, profiles);
}

struct Kind {
  const char *name, *section, *summary;
  std::span<const FieldInfo> fields;
  Read read;
  bool refers_to_coordinates;
};

ElementType type_of(const Kind& k) {
  return {.name = k.name,
          .section = k.section,
          .summary = k.summary,
          .fields = {k.fields.begin(), k.fields.end()},
          .read = [name = k.name, read = k.read](model::FieldSource& source,
                                                 model::Model& model) { read_element(name, read, source, model); },
          .offer_fields = [read = k.read](model::FieldSource& source) { read(source, nullptr); },
          .refers_to_coordinates = k.refers_to_coordinates};
}

template <class Element>
constexpr auto infos_of_element = infos(Element::fields);

template <class Element>
ElementType add(const char* name, const char* section) {
  return type_of({name, section, Element::summary, infos_of_element<Element>, read_as<Element>,
                  refers_to_coordinates(Element::fields)});
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
      add<PointOnLine>("point_on_line", "joints"),
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
