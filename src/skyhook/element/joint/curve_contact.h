// Two planar profiles that touch and stay so: cam and follower, a wheel on a rail head.
#pragma once
#include "skyhook/element/pair_fields.h"

namespace skyhook::element {

struct CurveContact : PairFields {
  model::Rows from_points, to_points;
  std::optional<model::Formula> from_x, from_z, to_x, to_z;
  std::vector<double> from_range, to_range;
  bool from_closed = false, to_closed = false, rolling = false;
  double from_radius = 0, to_radius = 0;

  static constexpr auto fields = std::tuple_cat(
      PairFields::fields,
      describe(
          field(&CurveContact::from_radius, "from_radius", "m", at_least(0.0), "of a disc about the point of `from`"),
          field(&CurveContact::from_points, "from_points", "m", any(), "or points of its profile, [x, z] each")
              .mirrored(Mirror::polar)
              .in_axes_of_from(),
          field(&CurveContact::from_x, "from_x", "m", any(), "or formulas: x over a parameter s")
              .over("s:-")
              .mirrored(Mirror::x)
              .in_axes_of_from(),
          field(&CurveContact::from_z, "from_z", "m", any(), "z over s")
              .over("s:-")
              .mirrored(Mirror::z)
              .in_axes_of_from(),
          field(&CurveContact::from_range, "from_range", "-", any(), "of formulas: first and last s"),
          field(&CurveContact::from_closed, "from_closed", "-", any(), "the profile returns to its beginning"),
          field(&CurveContact::to_radius, "to_radius", "m", at_least(0.0), "the same of `to`"),
          field(&CurveContact::to_points, "to_points", "m", any(), "in axes of `to`")
              .mirrored(Mirror::polar)
              .in_axes_of_from(),
          field(&CurveContact::to_x, "to_x", "m", any(), "x over s, axes of `to`")
              .over("s:-")
              .mirrored(Mirror::x)
              .in_axes_of_from(),
          field(&CurveContact::to_z, "to_z", "m", any(), "z over s, axes of `to`")
              .over("s:-")
              .mirrored(Mirror::z)
              .in_axes_of_from(),
          field(&CurveContact::to_range, "to_range", "-", any(), "of formulas: first and last s"),
          field(&CurveContact::to_closed, "to_closed", "-", any(), "the profile returns to its beginning"),
          field(&CurveContact::rolling, "rolling", "-", any(),
                "true: without slip; false: it slides without friction")));
  static constexpr const char* summary = "two planar profiles stay in touch, sliding or rolling";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
