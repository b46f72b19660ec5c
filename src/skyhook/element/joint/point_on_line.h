// A point of a body slides along a line of nodal coordinates, over all its elements.
#pragma once
#include "skyhook/model/field_source.h"

namespace skyhook::element {

struct PointOnLine {
  model::Marker from, to;
  std::optional<Vec3d> to_at;
  std::string line;
  double damping = 0;

  static constexpr auto fields = describe(
      field(&PointOnLine::from, "from", "-", any(),
            "body that is a beam or cable of nodal coordinates (`beam` or `beams`)")
          .required(),
      field(&PointOnLine::to, "to", "-", any(), "marker or body (its reference frame) that slides on it").required(),
      field(&PointOnLine::to_at, "to_at", "m", any(), "its point, global; default: that of the marker or body")
          .mirrored(Mirror::point),
      field(&PointOnLine::line, "line", "-", any(), "of a body with several lines: which, by its name under `beams`"),
      field(&PointOnLine::damping, "damping", "N.s/m", at_least(0.0),
            "force against the motion along the line, over its speed"));
  static constexpr const char* summary = "a point of `to` slides along a beam or cable of nodal coordinates";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
