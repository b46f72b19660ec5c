#include "skyhook/formalism/recursive/measured_coordinate.h"

#include <cassert>

namespace skyhook::formalism::recursive {
namespace {

using model::Dof;

// How far a set of angles is from another, whole turns apart.
double distance(const MeasuredCoordinate::Angles& a, const MeasuredCoordinate::Angles& near) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += std::abs(on_turn_near(a[k], near[k]) - near[k]);
  return sum;
}

}  // namespace

MeasuredCoordinate::MeasuredCoordinate(const model::Joint& joint, int scalar) {
  std::vector<const Dof*> hinges;
  const Dof* wanted = nullptr;
  int number = 0;
  for (const Dof& dof : joint.shape.dofs) {
    if (number == scalar) wanted = &dof, part_ = static_cast<int>(hinges.size());
    if (dof.kind == Dof::Kind::revolute) hinges.push_back(&dof);
    number += dof.kind == Dof::Kind::ball ? 3 : 1;
  }
  assert(wanted && wanted->has_axis());
  axis_ = wanted->axis;
  if (wanted->kind == Dof::Kind::prismatic) return;
  kind_ = hinges.size() == 1   ? Kind::hinge
          : hinges.size() == 3 ? Kind::cardan
          : part_ == 0         ? Kind::first
                               : Kind::second;
  other_ = kind_ == Kind::hinge ? perpendicular(axis_) : hinges[part_ == 0 && hinges.size() > 1 ? 1 : 0]->axis;
}

MeasuredCoordinate::Turn MeasuredCoordinate::turn(const Mat3d& R, const Angles& near) const {
  const auto here = static_cast<std::size_t>(part_);
  if (kind_ != Kind::cardan) {
    const double x = principal(Vec3d{}, R);
    return {1.0, on_turn_near(x, near[here]) - x};
  }
  constexpr double pi = std::numbers::pi;
  const Vec3d angles = cardan_angles(R);
  const Angles plain{angles.x, angles.y, angles.z}, folded{angles.x + pi, pi - angles.y, angles.z + pi};
  const bool folds = distance(folded, near) < distance(plain, near);
  const double sign = folds && part_ == 1 ? -1.0 : 1.0, x = principal(Vec3d{}, R);
  const double shifted = folds ? (part_ == 1 ? pi - x : x + pi) : x;
  return {sign, on_turn_near(shifted, near[here]) - sign * x};
}

const model::Declared& MeasuredCoordinate::declared() const {
  static const model::Declared one{.rows = {{"coordinate"}}};
  return one;
}

}  // namespace skyhook::formalism::recursive
