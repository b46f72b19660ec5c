// The two frames that a force or a rod connects.
#pragma once
#include "skyhook/model/field_source.h"

namespace skyhook::element {

struct Pair {
  model::Marker from, to;
};

struct PairFields {
  model::Marker from, to;
  std::optional<Vec3d> from_at, to_at;

  static constexpr auto fields = describe(
      field(&PairFields::from, "from", "-", any(), "marker or body (its reference frame), or ground").required(),
      field(&PairFields::to, "to", "-", any(), "marker or body (its reference frame), or ground").required(),
      field(&PairFields::from_at, "from_at", "m", any(), "point on `from`, global; default: that of the marker or body")
          .mirrored(Mirror::point),
      field(&PairFields::to_at, "to_at", "m", any(), "point on `to`, global; default: that of the marker or body")
          .mirrored(Mirror::point));

  // The frames with their points replaced where given. ModelError if both are fixed in the same body.
  Pair place(const model::FieldSource& source) const;
};

// A contribution with its name and line, between two frames or on a joint, still without its parts.
model::Contribution begin_contribution(const Pair& pair, const model::FieldSource& source);
model::Contribution begin_contribution(const model::CoordinateRef& joint, const model::FieldSource& source);
model::Contribution contribution(const Pair& pair, const model::FieldSource& source,
                                 std::shared_ptr<const model::ContributionLaw> law);

inline double design_distance(const Pair& pair) { return norm(pair.to.at - pair.from.at); }

}  // namespace skyhook::element
