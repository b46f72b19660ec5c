#include "skyhook/formalism/joint_motion.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

#include "skyhook/math/rotation.h"
#include "skyhook/model/guide.h"

namespace skyhook::formalism {
namespace {

using model::Dof;

// Of each scalar coordinate; a ball has three.
struct Scalar {
  const Dof* dof;
  int part;  // of a ball
};
std::vector<Scalar> scalars_of(const model::Joint& joint) {
  std::vector<Scalar> out;
  for (const Dof& dof : joint.shape.dofs) {
    const int parts = dof.kind == Dof::Kind::ball ? 3 : 1;
    for (int k = 0; k < parts; ++k) out.push_back({&dof, k});
  }
  return out;
}

Scalar scalar_of(const model::Joint& joint, int scalar) {
  for (const Dof& dof : joint.shape.dofs) {
    const int parts = dof.kind == Dof::Kind::ball ? 3 : 1;
    if (scalar < parts) return {&dof, scalar};
    scalar -= parts;
  }
  assert(false && "no such coordinate");
  return {};
}

std::vector<const Dof*> hinges_of(const model::Joint& joint) {
  std::vector<const Dof*> out;
  for (const Dof& dof : joint.shape.dofs) {
    if (dof.kind == Dof::Kind::revolute) out.push_back(&dof);
  }
  return out;
}

// Those that its angles count: a ball has Cardan angles, as three hinges about x, y and z have.
std::vector<const Dof*> angles_of(const model::Joint& joint) {
  static const Dof xyz[] = {{Dof::Kind::revolute, {1, 0, 0}, "angle_x"},
                            {Dof::Kind::revolute, {0, 1, 0}, "angle_y"},
                            {Dof::Kind::revolute, {0, 0, 1}, "angle_z"}};
  const bool ball = std::ranges::any_of(joint.shape.dofs, [](const Dof& d) { return d.kind == Dof::Kind::ball; });
  return ball ? std::vector<const Dof*>{&xyz[0], &xyz[1], &xyz[2]} : hinges_of(joint);
}

// By which angle `a` has turned to become `b` about `axis`.
double turned(const Vec3d& axis, const Vec3d& a, const Vec3d& b) {
  return std::atan2(dot(axis, cross(a, b)), dot(a, b));
}

// Angles of one to three hinges in a row. Two stand perpendicular, three are about x, y and z.
std::vector<double> hinge_angles(const std::vector<const Dof*>& hinges, const Mat3d& R) {
  if (hinges.size() == 3) {
    const Vec3d angles = cardan_angles(R);
    return {angles.x, angles.y, angles.z};
  }
  if (hinges.empty()) return {};
  const Vec3d e = hinges[0]->axis;
  if (hinges.size() == 1) {
    const Vec3d across = perpendicular(e);
    return {turned(e, across, R * across)};
  }
  const Vec3d e2 = hinges[1]->axis;
  return {turned(e, e2, R * e2), turned(-e2, e, transpose(R) * e)};
}

double on_turn_near(double angle, double near) {
  constexpr double turn = 2 * std::numbers::pi;
  return angle + turn * std::round((near - angle) / turn);
}

// The other of the two sets of Cardan angles.
std::vector<double> other_cardan(const std::vector<double>& a) {
  constexpr double pi = std::numbers::pi;
  return {a[0] + pi, pi - a[1], a[2] + pi};
}

double distance(const std::vector<double>& a, const std::vector<double>& near) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += std::abs(on_turn_near(a[k], near[k]) - near[k]);
  return sum;
}

// The axes of the hinges as they stand, in axes of `from`.
std::vector<Vec3d> hinge_axes(const std::vector<const Dof*>& hinges, const Mat3d& R) {
  const std::vector<double> angles = hinge_angles(hinges, R);
  std::vector<Vec3d> out;
  Mat3d before = Mat3d::identity();
  for (std::size_t k = 0; k < hinges.size(); ++k) {
    out.push_back(before * hinges[k]->axis);
    before = before * axis_rotation(hinges[k]->axis, angles[k]);
  }
  return out;
}

// Reciprocal to the axes: their product with w is the rate of each hinge. Where three lie in a plane there is no such set; the
// volume is kept from zero, and the rows become large.
std::vector<Vec3d> reciprocal(const std::vector<Vec3d>& a) {
  if (a.size() < 3) return a;  // alone or perpendicular
  const double volume = dot(a[0], cross(a[1], a[2])), least = 1e-9;
  const double k = 1 / (std::abs(volume) > least ? volume : std::copysign(least, volume));
  return {k * cross(a[1], a[2]), k * cross(a[2], a[0]), k * cross(a[0], a[1])};
}

void add_guided(const model::GuidePose<Jet2>& pose, JointMotion& m) {
  Vec3d r, v;
  Mat3d R, Rd;
  for (int i = 0; i < 3; ++i) {
    r[i] = value(pose.r[i]), v[i] = rate(pose.r[i]);
    for (int j = 0; j < 3; ++j) R[i][j] = value(pose.R[i][j]), Rd[i][j] = rate(pose.R[i][j]);
  }
  const Mat3d spin = Rd * transpose(R);
  m.r += m.R * r;
  m.v += m.R * v + cross(m.w, m.R * r);
  m.w += m.R * Vec3d{spin.r2.y, spin.r0.z, spin.r1.x};
  m.R = m.R * R;
}

}  // namespace

bool is_in_ball(const model::Joint& joint, int scalar) { return scalar_of(joint, scalar).dof->kind == Dof::Kind::ball; }

JointMotion motion_of(const model::Joint& joint, const std::vector<double>& positions,
                      const std::vector<double>& rates) {
  JointMotion m;
  std::size_t k = 0;
  for (std::size_t d = 0; d < joint.shape.dofs.size(); ++d) {
    const Dof& dof = joint.shape.dofs[d];
    if (dof.kind == Dof::Kind::ball) {
      m.R = m.R * cardan_rotation({positions[k], positions[k + 1], positions[k + 2]});
      m.w += m.R * Vec3d{rates[k], rates[k + 1], rates[k + 2]};
      k += 3;
      continue;
    }
    if (dof.guide) {
      const auto count = static_cast<std::size_t>(dof.guide->coordinates());
      std::vector<Jet2> q;
      for (std::size_t i = k; i < k + count; ++i) q.push_back(jet2(positions[i] - joint.reference[i], rates[i], 0.0));
      add_guided(dof.guide->pose(std::span<const Jet2>(q)), m);
      k += count, d += count - 1;
      continue;
    }
    const double x = positions[k] - joint.reference[k];
    const Vec3d axis = m.R * dof.axis;
    if (dof.kind == Dof::Kind::revolute) {
      m.w += rates[k] * axis;
      m.R = m.R * axis_rotation(dof.axis, x);
    } else {
      m.r += x * axis;
      m.v += rates[k] * axis + cross(m.w, x * axis);
    }
    ++k;
  }
  return m;
}

std::vector<double> measure_positions(const model::Joint& joint, const JointMotion& m,
                                      const std::vector<double>& near) {
  const auto hinges = angles_of(joint);
  std::vector<double> angles = hinge_angles(hinges, m.R), wanted, out;
  const auto scalars = scalars_of(joint);
  for (std::size_t k = 0; k < scalars.size(); ++k) {
    if (scalars[k].dof->kind != Dof::Kind::prismatic) wanted.push_back(near[k] - joint.reference[k]);
  }
  if (hinges.size() == 3 && distance(other_cardan(angles), wanted) < distance(angles, wanted))
    angles = other_cardan(angles);
  std::size_t hinge = 0;
  for (std::size_t k = 0; k < scalars.size(); ++k) {
    const Dof& dof = *scalars[k].dof;
    if (dof.kind == Dof::Kind::prismatic)
      out.push_back(dot(dof.axis, m.r) + joint.reference[k]);
    else
      out.push_back(on_turn_near(angles[hinge++] + joint.reference[k], near[k]));
  }
  return out;
}

std::vector<RateRow> position_rows(const model::Joint& joint, const Mat3d& R) {
  const std::vector<Vec3d> units = reciprocal(hinge_axes(angles_of(joint), R));
  std::vector<RateRow> out;
  std::size_t hinge = 0;
  for (const Scalar& s : scalars_of(joint)) {
    if (s.dof->kind == Dof::Kind::prismatic)
      out.push_back({s.dof->axis, false});
    else
      out.push_back({units[hinge++], true});
  }
  return out;
}

std::vector<RateRow> rate_rows(const model::Joint& joint, const Mat3d& R) {
  std::vector<RateRow> out = position_rows(joint, R);
  const std::vector<Scalar> scalars = scalars_of(joint);
  for (std::size_t k = 0; k < out.size(); ++k) {
    if (scalars[k].dof->kind == Dof::Kind::ball) out[k] = {R.column(scalars[k].part), true};
  }
  return out;
}

std::vector<double> measure_rates(const model::Joint& joint, const JointMotion& m) {
  std::vector<double> out;
  for (const RateRow& row : rate_rows(joint, m.R)) out.push_back(dot(row.unit, row.turns ? m.w : m.v));
  return out;
}

double distance_from_gimbal_lock(const model::Joint& joint, const Mat3d& R) {
  const std::vector<Vec3d> a = hinge_axes(hinges_of(joint), R);
  return a.size() < 3 ? 1.0 : std::abs(dot(a[0], cross(a[1], a[2])));
}

Vec3d rotation_vector(const Mat3d& R) {
  Quaternion<double> p = quaternion_of(R);
  if (p.w < 0) p = {-p.w, -p.x, -p.y, -p.z};
  const Vec3d e{p.x, p.y, p.z};
  const double s = norm(e);
  return (s > 1e-12 ? 2 * std::atan2(s, p.w) / s : 2.0) * e;
}

std::string coordinate_name(const model::Joint& joint, int scalar, bool is_rate) {
  const Scalar s = scalar_of(joint, scalar);
  if (s.dof->kind == Dof::Kind::ball) return joint.name + (is_rate ? ".angular_velocity_" : ".angle_") + "xyz"[s.part];
  return joint.name + "." + s.dof->name + (is_rate ? "_rate" : "");
}

const char* coordinate_unit(const model::Joint& joint, int scalar, bool is_rate) {
  const bool slides = scalar_of(joint, scalar).dof->is_length();
  return slides ? (is_rate ? "m/s" : "m") : (is_rate ? "rad/s" : "rad");
}

bool is_angle(const model::Joint& joint, int scalar) {
  return std::string_view(coordinate_unit(joint, scalar, false)) == "rad";
}

}  // namespace skyhook::formalism
