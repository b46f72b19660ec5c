// The described fields of shapes. Points are global at the design position; `at` is by default the body's reference
// point and axes are the body's.
#pragma once
#include "skyhook/io/model_file/fields.h"

namespace skyhook::io::model_file {

// One shape: exactly one of them is given.
struct ShapeFields {
  Part box, cylinder, sphere, wheel, rod, mesh;

  static constexpr auto fields = describe(
      field(&ShapeFields::box, "box", "-", any(), "a box: size"),
      field(&ShapeFields::cylinder, "cylinder", "-", any(), "a cylinder: radius, length and axis, or from and to"),
      field(&ShapeFields::sphere, "sphere", "-", any(), "a ball: radius"),
      field(&ShapeFields::wheel, "wheel", "-", any(), "a wheel: radius and width"),
      field(&ShapeFields::rod, "rod", "-", any(), "a round bar: from, to, radius"),
      field(&ShapeFields::mesh, "mesh", "-", any(), "triangles of a file"));
};

// Of the ground; a body has the same two.
struct GroundFields {
  Part shape, shapes;

  static constexpr auto fields =
      describe(field(&GroundFields::shape, "shape", "-", any(), "how it looks: {kind: {...}}"),
               field(&GroundFields::shapes, "shapes", "-", any(), "how it looks: a list of shapes"));
};

constexpr const char* colour_help = "a name, or \"#rrggbb\" between quotes; default: chosen by the viewer";

struct BoxFields {
  Vec3d size;
  std::optional<Vec3d> at;
  std::optional<Mat3d> orientation;
  std::string colour;

  static constexpr auto fields =
      describe(field(&BoxFields::size, "size", "m", positive(), "edge lengths along x, y, z").required(),
               field(&BoxFields::at, "at", "m", any(), "centre, global at design; default: `at` of the body")
                   .mirrored(Mirror::point),
               field(&BoxFields::orientation, "orientation", "-", any(), "axes at design; default: those of the body"),
               field(&BoxFields::colour, "colour", "-", any(), colour_help));
};

struct CylinderFields {
  double radius = 0;
  std::optional<double> length;
  std::optional<Vec3d> at, axis;
  Part from, to;
  std::string colour;

  static constexpr auto fields = describe(
      field(&CylinderFields::radius, "radius", "m", positive(), "radius").required(),
      field(&CylinderFields::length, "length", "m", positive(), "length along the axis"),
      field(&CylinderFields::at, "at", "m", any(), "centre, global at design; default: `at` of the body")
          .mirrored(Mirror::point),
      field(&CylinderFields::axis, "axis", "-", any(), "direction, global at design; default: z of the body")
          .mirrored(Mirror::polar),
      field(&CylinderFields::from, "from", "m", any(), "centre of one end: a point or a marker; instead of length"),
      field(&CylinderFields::to, "to", "m", any(), "centre of the other end"),
      field(&CylinderFields::colour, "colour", "-", any(), colour_help));
};

struct SphereFields {
  double radius = 0;
  std::optional<Vec3d> at;
  std::string colour;

  static constexpr auto fields =
      describe(field(&SphereFields::radius, "radius", "m", positive(), "radius").required(),
               field(&SphereFields::at, "at", "m", any(), "centre, global at design; default: `at` of the body")
                   .mirrored(Mirror::point),
               field(&SphereFields::colour, "colour", "-", any(), colour_help));
};

struct WheelFields {
  double radius = 0, width = 0;
  std::optional<Vec3d> at, axis;
  std::string colour;

  static constexpr auto fields = describe(
      field(&WheelFields::radius, "radius", "m", positive(), "radius").required(),
      field(&WheelFields::width, "width", "m", positive(), "width along the axis").required(),
      field(&WheelFields::at, "at", "m", any(), "centre, global at design; default: `at` of the body")
          .mirrored(Mirror::point),
      field(&WheelFields::axis, "axis", "-", any(), "axis it turns about, global at design; default: y of the body")
          .mirrored(Mirror::polar),
      field(&WheelFields::colour, "colour", "-", any(), colour_help));
};

struct RodFields {
  Part from, to;
  double radius = 0;
  std::string colour;

  static constexpr auto fields = describe(
      field(&RodFields::from, "from", "m", any(), "one end: a point, global at design, or a marker").required(),
      field(&RodFields::to, "to", "m", any(), "the other end").required(),
      field(&RodFields::radius, "radius", "m", positive(), "radius").required(),
      field(&RodFields::colour, "colour", "-", any(), colour_help));
};

struct MeshFields {
  std::string file;
  std::vector<double> scale;
  std::optional<Vec3d> at;
  std::optional<Mat3d> orientation;
  std::string colour;

  static constexpr auto fields = describe(
      field(&MeshFields::file, "file", "-", any(), "an STL or OBJ file, relative to the model file").required(),
      field(&MeshFields::scale, "scale", "-", any(),
            "metres for one unit of the file, a number or [x, y, z]; 0.001 for millimetres"),
      field(&MeshFields::at, "at", "m", any(), "where the file's origin goes; default: `at` of the body")
          .mirrored(Mirror::point),
      field(&MeshFields::orientation, "orientation", "-", any(), "of the file's axes; default: those of the body"),
      field(&MeshFields::colour, "colour", "-", any(), colour_help));
};

}  // namespace skyhook::io::model_file
