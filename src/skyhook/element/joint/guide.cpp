#include "skyhook/element/joint/guide.h"

#include <fmt/format.h>

#include <cmath>

#include "skyhook/element/finding.h"
#include "skyhook/element/joint_fields.h"
#include "skyhook/model/guide.h"

namespace skyhook::element {
namespace {

using model::GuidePose;
using Curve = std::shared_ptr<const model::SpaceCurve>;

// x along the curve, y across it and across `up`.
template <class T>
Mat3<T> axes_along(const Vec3<T>& tangent, const Vec3d& up) {
  const Vec3<T> x = (T(1) / norm(tangent)) * tangent, side = cross(Vec3<T>(up), x);
  const Vec3<T> y = (T(1) / norm(side)) * side;
  return Mat3<T>::columns(x, y, cross(x, y));
}

// The coordinate is the length of the way, so that its rate is the speed. All is relative to the place at design.
struct ByFormulas final : model::GuideLaw<ByFormulas> {
  Curve curve;
  Mat3d axes;               // of the curve, at design
  double start;             // length of the way to the design position
  std::optional<Vec3d> up;  // where the body's axes follow
  Vec3d origin;
  Mat3d back;

  ByFormulas(Curve given, const Mat3d& its_axes, double from, std::optional<Vec3d> given_up)
      : curve(std::move(given)), axes(its_axes), start(from), up(given_up) {
    const double s = curve->parameter_at(start);
    origin = curve->position(s);
    if (up) back = transpose(axes * axes_along(curve->tangent(s), *up));
  }
  int coordinates() const override { return 1; }

  template <class T>
  GuidePose<T> law(std::span<const T> q) const {
    const T s = curve->parameter_at(T(start) + q[0]);
    const Mat3<T> turned(axes);
    if (!up) return {turned * (curve->position(s) - Vec3<T>(origin)), Mat3<T>::identity()};
    const auto [position, tangent] = curve->deep_place(s);
    return {turned * (position - Vec3<T>(origin)), turned * axes_along(tangent, *up) * Mat3<T>(back)};
  }
  std::string refuses(std::span<const double> q) const override {
    const double way = start + q[0], beyond = 1e-9 * curve->length();
    if (curve->is_closed() || (way >= -beyond && way <= curve->length() + beyond)) return {};
    return fmt::format("the body has reached the {} of the curve (position = {:.6g} m of {:.6g} m)",
                       way < 0 ? "beginning" : "end", way, curve->length());
  }
  std::string signature() const override { return curve->is_closed() ? "closed" : "open"; }
};

// How far the curve is from running along this direction: sine of the smallest angle between them.
double least_sine(const model::SpaceCurve& curve, const Vec3d& direction) {
  double least = 1;
  for (const auto& x : curve.samples()) least = std::min(least, norm(cross(direction, x.tangent)));
  return least;
}

Vec3d up_of(const Guide& fields, const model::SpaceCurve& curve, const model::FieldSource& source) {
  constexpr double too_near = 0.02;  // about one degree
  if (fields.up) {
    const Vec3d up = unit_axis(source, "up", *fields.up);
    if (least_sine(curve, up) < too_near)
      fail(source, "up", "the curve runs along `up` somewhere: which side of the body is up is not certain there.",
           "Give another direction, or leave it out so that one is chosen, or write axes: keep.");
    return up;
  }
  const Vec3d z{0, 0, 1}, other = curve.binormal();
  constexpr double clear = 0.3;
  if (least_sine(curve, z) > clear) return z;
  if (least_sine(curve, other) < too_near)
    fail(source, "axes", "the curve runs in many directions: none was found that could stay at the side of the body.",
         "Give `up`, write axes: keep, or divide the way into several guides.");
  return other;
}

// A smooth curve swings over to the other side of a long piece beside a short one.
void warn_of_uneven_points(const model::Rows& points, bool closed, const model::FieldSource& source,
                           model::Model& model) {
  constexpr double uneven = 5;
  const std::size_t n = points.size(), pieces = n < 3 ? 0 : closed ? n : n - 1;
  const auto chord = [&](std::size_t k) {
    const auto &a = points[k % n], &b = points[(k + 1) % n];
    return std::hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
  };
  for (std::size_t k = 0; k + (closed ? 0 : 1) < pieces; ++k) {
    const double here = chord(k), next = chord((k + 1) % pieces);
    if (std::max(here, next) <= uneven * std::min(here, next)) continue;
    model.warnings.push_back({"uneven_points", source.where("points"),
                              fmt::format("\"{}\": at point {} of its curve a piece of {:.3g} m meets one of {:.3g} m.",
                                          source.name(), (k + 1) % n + 1, here, next),
                              "The curve may swing far off the longer one. Let the distances of points change slowly, "
                              "and look at the curve in a report."});
    return;
  }
}

// The length of the way to the body's point.
double start_of(const Pair& pair, const model::SpaceCurve& curve, const model::FieldSource& source) {
  const Vec3d at = transpose_times(pair.from.axes, pair.to.at - pair.from.at);
  const double s = curve.foot(at), off = norm(curve.position(s) - at);
  if (off > 1e-6 * curve.length())
    fail(source, "to",
         fmt::format("at design its point is {:.4g} m off the curve; nearest is ({:.6g}, {:.6g}, {:.6g}).", off,
                     (pair.from.at + pair.from.axes * curve.position(s)).x,
                     (pair.from.at + pair.from.axes * curve.position(s)).y,
                     (pair.from.at + pair.from.axes * curve.position(s)).z),
         "Put the body there, or name the point of it that rides on the curve by `to_at`.");
  return curve.arc(s);
}

}  // namespace

void Guide::add_to(model::FieldSource& source, model::Model& model) const {
  const Pair pair = place(source);
  const Curve curve = curve_of(*this, source, "points", model::SpaceCurve::Through::quintic);
  if (axes == "keep" && up)
    fail(source, "up", "up is given, but the axes do not follow the curve.", "Remove one of them.");
  if (const std::string jump = curve->jump_of_curvature(); axes == "follow" && !jump.empty())
    fail(source, "axes", "a body cannot follow the curve: " + jump + ", and it would have to turn at once.",
         "Let the curvature change gradually (an easement), or write axes: keep.");
  const double start = start_of(pair, *curve, source);
  const double rounding = 1e-9 * curve->length();
  if (position && !curve->is_closed() && !(*position >= -rounding && *position <= curve->length() + rounding))
    fail(source, "position", fmt::format("position is off the curve, which is {:.6g} m long.", curve->length()),
         "Give a length between 0 and that.");
  model::Joint joint;
  joint.name = source.name(), joint.where = source.where("");
  joint.from = pair.from.body, joint.to = pair.to.body;
  joint.at_from = pair.from.at + pair.from.axes * curve->position(curve->parameter_at(start));
  joint.at_to = pair.to.at;
  joint.axis = pair.from.axes * normalized(curve->tangent(curve->parameter_at(start)));
  model::Dof dof{model::Dof::Kind::guided, {}, "position"};
  dof.guide = std::make_shared<const ByFormulas>(
      curve, pair.from.axes, start, axes == "follow" ? std::optional(up_of(*this, *curve, source)) : std::nullopt);
  add_coordinate(joint, source,
                 {.dof = std::move(dof),
                  .reference = start,
                  .position = position,
                  .velocity = rate,
                  .drive = drive,
                  .velocity_field = "rate"});
  model.joints.push_back(std::move(joint));
  warn_of_uneven_points(points, closed, source, model);
  draw(*curve, Drawn::way, pair.from, model);
}

}  // namespace skyhook::element
