// The described fields of templates and their use.
#pragma once
#include "skyhook/base/field.h"
#include "skyhook/io/model_file/fields.h"

namespace skyhook::io::model_file {

// What a template, a group and the model itself hold.
struct PartFields {
  Part bodies, markers, sensors, joints, roads, tracks, forces, controllers, signals, events, use, initial, outputs;

  static constexpr auto fields = describe(
      field(&PartFields::bodies, "bodies", "-", any(), "rigid bodies by name"),
      field(&PartFields::markers, "markers", "-", any(), "named frames on bodies"),
      field(&PartFields::sensors, "sensors", "-", any(), "where one marker is seen from another: channels by name"),
      field(&PartFields::joints, "joints", "-", any(), "joints, rods and couplers by name"),
      field(&PartFields::roads, "roads", "-", any(), "roads by name, for what stands on them"),
      field(&PartFields::tracks, "tracks", "-", any(), "railway tracks by name, for what runs on them"),
      field(&PartFields::forces, "forces", "-", any(), "force elements by name"),
      field(&PartFields::controllers, "controllers", "-", any(), "sampled controllers by name"),
      field(&PartFields::signals, "signals", "-", any(), "formulas of channels that laws listen to at every instant"),
      field(&PartFields::events, "events", "-", any(), "what happens where a formula crosses zero, or at given times"),
      field(&PartFields::use, "use", "-", any(), "parts inside this one"),
      field(&PartFields::initial, "initial", "-", any(), "initial values: joint.coordinate: value"),
      field(&PartFields::outputs, "outputs", "-", any(), "channels to record"));
};

struct TemplateFields : PartFields {
  std::string description;
  Part parameters, require;

  static constexpr auto fields = std::tuple_cat(
      describe(field(&TemplateFields::description, "description", "-", any(), "what the template is, for people"),
               field(&TemplateFields::parameters, "parameters", "-", any(),
                     "what its users may change: name: default; without default it must be given"),
               field(&TemplateFields::require, "require", "-", any(),
                     "what must hold of the parameters, in words: =condition")),
      PartFields::fields);
};

struct PlacementFields : ConditionFields {
  Part mirror;
  Vec3d move;
  std::string coordinates = "model";

  static constexpr auto fields =
      std::tuple_cat(describe(field(&PlacementFields::mirror, "mirror", "-", any(),
                                    "x, y or z: mirrored at the plane x, y or z = 0; true: y; none or false: not"),
                              field(&PlacementFields::move, "move", "m", any(), "displacement, after the mirror"),
                              field(&PlacementFields::coordinates, "coordinates", "-", any(),
                                    "of its bodies: joint, absolute, or auto, which of the two fills the matrices "
                                    "less; default: those of the model")
                                  .one_of("model joint absolute auto")),
                     ConditionFields::fields);
};

// A template put into the model; its parameters are fields as well. Sections join those of the template.
struct UseFields : PartFields, PlacementFields {
  std::string of;
  Part parameters;

  static constexpr auto fields = std::tuple_cat(
      describe(field(&UseFields::of, "template", "-", any(), "name of the template"),
               field(&UseFields::parameters, "parameters", "-", any(), "values of its parameters, if not beside it")),
      PartFields::fields, PlacementFields::fields);
};

// Things that belong together without a template.
struct GroupFields : PartFields, PlacementFields {
  static constexpr auto fields = std::tuple_cat(PartFields::fields, PlacementFields::fields);
};

}  // namespace skyhook::io::model_file
