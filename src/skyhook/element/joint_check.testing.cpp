#include "skyhook/element/joint_check.testing.h"

#include <Eigen/Dense>
#include <random>

namespace skyhook::element::test {
namespace {

using Twist = Eigen::Matrix<double, 6, 1>;  // velocity of the joint's point, angular velocity
Twist twist(const Vec3d& v, const Vec3d& w) { return (Twist() << v.x, v.y, v.z, w.x, w.y, w.z).finished(); }

// Gradient of a row at design. d(a·b) = a·(theta × b) = theta·(b × a).
Twist gradient(const model::ConstraintRow& row) {
  const bool along = row.kind == model::ConstraintRow::Kind::translation;
  return along ? twist(row.a, {}) : twist({}, cross(row.b, row.a));
}

std::vector<Twist> twists(const model::Joint& joint) {
  std::vector<Twist> list;
  for (const model::Dof& dof : joint.shape.dofs) {
    if (dof.kind == model::Dof::Kind::prismatic) list.push_back(twist(dof.axis, {}));
    if (dof.kind == model::Dof::Kind::revolute) list.push_back(twist({}, dof.axis));
    if (dof.kind != model::Dof::Kind::ball) continue;
    for (const Vec3d& e : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}}) list.push_back(twist({}, e));
  }
  return list;
}

// Freedoms and conditions together span all six directions, and no condition hinders a freedom.
void check_at_design(const model::Joint& joint) {
  const std::vector<Twist> free = twists(joint);
  REQUIRE(free.size() + joint.shape.rows.size() == 6);
  Eigen::Matrix<double, 6, 6> all;
  int column = 0;
  for (const Twist& f : free) all.col(column++) = f;
  for (const model::ConstraintRow& row : joint.shape.rows) {
    all.col(column++) = gradient(row);
    CHECK(gradient(row).norm() == doctest::Approx(1.0).epsilon(1e-14));
    for (const Twist& f : free) CHECK(std::abs(gradient(row).dot(f)) < 1e-14);
  }
  CHECK(all.fullPivLu().rank() == 6);
}

// Moves the joint far through its own coordinates: every condition must still hold, as the same pair closes loops.
void check_far_from_design(const model::Joint& joint) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> number(-2.0, 2.0);
  for (int trial = 0; trial < 20; ++trial) {
    Vec3d p;
    Mat3d R = Mat3d::identity();
    for (const model::Dof& dof : joint.shape.dofs) {
      if (dof.kind == model::Dof::Kind::prismatic)
        p += R * (number(random) * dof.axis);
      else if (dof.kind == model::Dof::Kind::revolute)
        R = R * axis_rotation(dof.axis, number(random));
      else
        R = R * cardan_rotation({number(random), number(random), number(random)});
    }
    for (const model::ConstraintRow& row : joint.shape.rows) {
      const bool along = row.kind == model::ConstraintRow::Kind::translation;
      CHECK(std::abs(dot(row.a, along ? p : R * row.b)) < 1e-13);
    }
  }
}

void check_vectors(const model::Joint& joint) {
  const std::size_t n = twists(joint).size();
  CHECK(joint.reference.size() == n);
  CHECK(joint.position.size() == n);
  CHECK(joint.velocity.size() == n);
  CHECK(joint.drive.size() == n);
  CHECK(joint.drive_where.size() == n);
}

}  // namespace

void check_lower_pair(const model::Joint& joint) {
  check_at_design(joint);
  check_far_from_design(joint);
  check_vectors(joint);
}

}  // namespace skyhook::element::test
