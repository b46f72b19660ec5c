// A profile from a list of points.
#pragma once
#include "skyhook/element/profile_kind.h"

namespace skyhook::element {

struct PointsProfile : ProfileKind {
  model::TextFile file;
  std::string of = "wheel", y = "auto", z = "auto", unit;
  double origin = 0, smoothing = 1e-3, largest_gap = 5e-3;

  static constexpr auto fields = std::tuple_cat(
      describe(
          field(&PointsProfile::file, "file", "-", any(),
                "points in order along the profile: two columns y and z (.csv, or blanks between), or MiniProf text")
              .required(),
          field(&PointsProfile::of, "of", "-", any(), "what it is a profile of").one_of("wheel rail"),
          field(&PointsProfile::y, "y", "-", any(), "where y of the file points; auto: seen from the points")
              .one_of("auto field gauge"),
          field(&PointsProfile::z, "z", "-", any(), "where z of the file points; auto: seen from the points")
              .one_of("auto up down"),
          field(&PointsProfile::unit, "unit", "-", any(), "of the file; default: as it says, else mm"),
          field(&PointsProfile::origin, "origin", "m", any(),
                "y of the tape circle, or of the middle of the head, in axes of the file"),
          field(&PointsProfile::smoothing, "smoothing", "m", at_least(0.0),
                "waves of this length are halved, of twice the length they keep 98.5 %, of half of it 1.5 %; 0: nearly "
                "through all points"),
          field(&PointsProfile::largest_gap, "largest_gap", "m", positive(),
                "points that are further apart than this are an error")),
      ProfileKind::fields);
  static constexpr const char* summary = "a smooth curve near points of a file";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
