#include "skyhook/element/curve_fields.h"

#include <algorithm>

#include "skyhook/element/finding.h"

namespace skyhook::element {
namespace {

std::shared_ptr<const model::SpaceCurve> through_points(const CurveFields& f, const model::FieldSource& source,
                                                        const char* name, model::SpaceCurve::Through through) {
  if (f.x || f.y || f.z || !f.range.empty())
    fail(source, name, "the curve is given twice, by `points` and by formulas.", "Remove one of them.");
  std::vector<Vec3d> points;
  for (const auto& row : f.points) {
    if (row.size() != 3) fail(source, name, "a point of the curve needs three numbers.", "Write [x, y, z].");
    points.push_back({row[0], row[1], row[2]});
  }
  try {
    return std::make_shared<const model::SpaceCurve>(points, f.closed, through);
  } catch (const ModelError& error) {
    fail(source, name, error.findings()[0].what, error.findings()[0].advice);
  }
}

}  // namespace

std::shared_ptr<const model::SpaceCurve> curve_of(const CurveFields& f, const model::FieldSource& source,
                                                  const char* points, model::SpaceCurve::Through through) {
  std::shared_ptr<const model::SpaceCurve> curve;
  if (!f.points.empty()) {
    curve = through_points(f, source, points, through);
  } else {
    if (!f.x && !f.y && !f.z)
      fail(source, points, "the curve is missing.", "Give `points`, or `x`, `y`, `z` over s and its `range`.");
    if (f.range.size() != 2 || !(f.range[1] > f.range[0]))
      fail(source, points, "formulas of a curve need the range of s.", "Write range: [first, last].");
    curve = std::make_shared<const model::SpaceCurve>(
        std::array{f.x.value_or(model::Formula{}), f.y.value_or(model::Formula{}), f.z.value_or(model::Formula{})},
        f.range[0], f.range[1], f.closed);
  }
  if (const std::string problem = curve->problem(); !problem.empty())
    fail(source, points, "the curve cannot be followed: " + problem + ".",
         problem.find("kink") != std::string::npos || problem.find("meets itself") != std::string::npos
             ? "Round off kinks, and do not let the curve meet itself."
             : "Look at its formulas and its range.");
  return curve;
}

void draw(const model::SpaceCurve& curve, Drawn as, const model::Marker& on, model::Model& model) {
  constexpr std::size_t most = 96;  // pieces
  // Radius: of the length; that of a long track is less, so that it hides nothing.
  constexpr double thickness = 0.002, thickest = 0.005, of_long_ones = 0.0006;
  const auto& samples = curve.samples();
  const std::size_t stride = std::max<std::size_t>(1, (samples.size() + most - 1) / most);
  std::vector<Vec3d> points;
  for (std::size_t k = 0; k < samples.size(); k += stride) points.push_back(on.at + on.axes * samples[k].p);
  points.push_back(on.at + on.axes * curve.position(curve.last()));
  auto& shapes =
      on.body == model::ground ? model.ground_shapes : model.bodies.at(static_cast<std::size_t>(on.body)).shapes;
  for (std::size_t k = 1; k < points.size(); ++k) {
    const Vec3d along = points[k] - points[k - 1];
    const double length = norm(along);
    if (!(length > 0)) continue;
    const Vec3d z = (1 / length) * along, x = perpendicular(z);
    model::Shape piece;
    piece.kind = model::Shape::Kind::rod, piece.is_line = as == Drawn::way;
    piece.at = 0.5 * (points[k - 1] + points[k]);
    piece.axes = Mat3d::columns(x, cross(z, x), z);
    piece.radius = std::min(thickness * curve.length(), std::max(thickest, of_long_ones * curve.length())),
    piece.length = length;
    shapes.push_back(piece);
  }
}

}  // namespace skyhook::element
