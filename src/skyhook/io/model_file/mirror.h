// What becomes of values in an instance that is mirrored or displaced.
#pragma once
#include <optional>
#include <string>

#include "skyhook/base/field.h"
#include "skyhook/io/model_file/reading.h"

namespace skyhook::io::model_file {

// The product of signs that a value of numbers kind takes.
double sign_of(Mirror bits, const Vec3d& signs);
// A vector of kind point, polar, axial, frame_x or frame_y; any other stays.
Vec3d placed(const Vec3d& v, Mirror kind, const Placement& placement);
// "=f(x, v)" with the sign before it, and each of the variables that change sign replaced by its negative. A number
// just takes the sign.
std::string mirrored_formula(const std::string& text, double sign, const std::vector<std::string>& odd_variables);

// The sign that the scalar coordinate of a joint takes for what is written in `scope`: inside one mirrored instance
// both follow together; a joint outside stays what it is, so its axis must lie along or across the mirror plane.
// nullopt: it does not.
std::optional<double> coordinate_sign(const Reading& reading, const Scope& scope, int joint, std::size_t coordinate);
// Of the placement that only `scope` has, not the thing named.
Vec3d signs_inside(const Scope& scope, const std::string& name);

}  // namespace skyhook::io::model_file
