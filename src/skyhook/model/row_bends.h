// What the velocities alone make of the accelerations of rows: G a + gamma is the acceleration of g along the motion, gamma = sum_ij dG_i/dx_j v_i v_j.
#pragma once
#include "skyhook/model/local_conditions.h"
#include "skyhook/model/path_law.h"

namespace skyhook::model {

// gamma of each row, behind evaluate_rows() at the same pose. `speed`: of B seen from A, velocity and angular velocity, then the rates of its own coordinates.
void row_bends(const PathLaw& law, const Pose<double>& x, const LocalConditions& at, const LocalConditions::Row& speed,
               std::span<double> gamma);

}  // namespace skyhook::model
