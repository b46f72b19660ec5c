// A curve in the axes of the frame that carries it: through points, or by formulas.
#pragma once
#include "skyhook/model/field_source.h"
#include "skyhook/model/space_curve.h"

namespace skyhook::element {

struct CurveFields {
  model::Rows points;
  std::optional<model::Formula> x, y, z;
  std::vector<double> range;
  bool closed = false;

  static constexpr auto fields =
      describe(field(&CurveFields::points, "points", "m", any(), "points of the curve, [x, y, z] each, axes of `from`")
                   .mirrored(Mirror::polar)
                   .in_axes_of_from(),
               field(&CurveFields::x, "x", "m", any(), "instead of points: x over a parameter s, axes of `from`")
                   .mirrored(Mirror::x)
                   .in_axes_of_from()
                   .over("s:-"),
               field(&CurveFields::y, "y", "m", any(), "y over s").mirrored(Mirror::y).in_axes_of_from().over("s:-"),
               field(&CurveFields::z, "z", "m", any(), "z over s").mirrored(Mirror::z).in_axes_of_from().over("s:-"),
               field(&CurveFields::range, "range", "-", any(), "of formulas: first and last s"),
               field(&CurveFields::closed, "closed", "-", any(), "the curve returns to its beginning"));
};

// ModelError at the field that is to blame, or at `points`: too few points, a kink, a curve that meets itself.
std::shared_ptr<const model::SpaceCurve> curve_of(
    const CurveFields& fields, const model::FieldSource& source, const char* points = "points",
    model::SpaceCurve::Through through = model::SpaceCurve::Through::cubic);

// The curve as a row of thin rods on the body that carries it, for pictures: a way beside it, or the profile that the body looks like.
enum class Drawn { way, profile };
void draw(const model::SpaceCurve& curve, Drawn as, const model::Marker& on, model::Model& model);

}  // namespace skyhook::element
