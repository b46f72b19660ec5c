#include "skyhook/element/curve_fields.h"

#include "skyhook/element/finding.h"

namespace skyhook::element {
namespace {

std::shared_ptr<const model::SpaceCurve> through_points(const CurveFields& f, const model::FieldSource& source,
                                                        const char* name) {
  if (f.x || f.y || f.z || !f.range.empty())
    fail(source, name, "the curve is given twice, by `points` and by formulas.", "Remove one of them.");
  std::vector<Vec3d> points;
  for (const auto& row : f.points) {
    if (row.size() != 3) fail(source, name, "a point of the curve needs three numbers.", "Write [x, y, z].");
    points.push_back({row[0], row[1], row[2]});
  }
  try {
    return std::make_shared<const model::SpaceCurve>(points, f.closed);
  } catch (const ModelError& error) {
    fail(source, name, error.findings()[0].what, error.findings()[0].advice);
  }
}

}  // namespace

std::shared_ptr<const model::SpaceCurve> curve_of(const CurveFields& f, const model::FieldSource& source,
                                                  const char* points) {
  std::shared_ptr<const model::SpaceCurve> curve;
  if (!f.points.empty()) {
    curve = through_points(f, source, points);
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
         "Round kinks off, and let the curve not meet itself.");
  return curve;
}

}  // namespace skyhook::element
