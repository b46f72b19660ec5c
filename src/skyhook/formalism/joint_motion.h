// The motion that a joint allows, from its coordinates and back. A joint that is cut has no coordinates in the state: what the
// user gives for them is measured between its frames.
#pragma once
#include <vector>

#include "skyhook/model/model.h"

namespace skyhook::formalism {

// `to` seen from `from`, in axes of `from`: its joint's point, rotation, velocity and angular velocity.
struct JointMotion {
  Vec3d r;
  Mat3d R = Mat3d::identity();
  Vec3d v, w;
};

// One value for each scalar coordinate, in the user's count (with `reference`); rates likewise, a ball's is the angular velocity in
// axes of `to`.
JointMotion motion_of(const model::Joint& joint, const std::vector<double>& positions,
                      const std::vector<double>& rates);
// Angles are taken on the turn nearest to `near`.
std::vector<double> measure_positions(const model::Joint& joint, const JointMotion& m, const std::vector<double>& near);

// The rate of a scalar coordinate is unit . w where it turns, unit . v else, in axes of `from`.
struct RateRow {
  Vec3d unit;
  bool turns = false;
};
std::vector<RateRow> rate_rows(const model::Joint& joint, const Mat3d& R);
// The same for the rates of positions: those of a ball are Cardan angles.
std::vector<RateRow> position_rows(const model::Joint& joint, const Mat3d& R);
std::vector<double> measure_rates(const model::Joint& joint, const JointMotion& m);

// Three angles, or two of a universal joint, whose outer axes have come together: they turn about the same line. `sine`: of
// the angle left between them. 1 for joints that cannot.
double distance_from_gimbal_lock(const model::Joint& joint, const Mat3d& R);

// R as rotation vector, at most half a turn.
Vec3d rotation_vector(const Mat3d& R);

// "yaw.angle", "yaw.angle_rate", "ball.angle_x", "ball.angular_velocity_x"; SI unit of it.
std::string coordinate_name(const model::Joint& joint, int scalar, bool is_rate);
const char* coordinate_unit(const model::Joint& joint, int scalar, bool is_rate);
bool is_in_ball(const model::Joint& joint, int scalar);
bool is_angle(const model::Joint& joint, int scalar);

}  // namespace skyhook::formalism
