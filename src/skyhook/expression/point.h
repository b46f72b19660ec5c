// Expressions of points: (a + b)/2, where the scope knows a.x, a.y, a.z, b.x and so on. Points are added and subtracted,
// multiplied by numbers and divided by them, and chosen (c ? a : b); all else is for numbers.
#pragma once
#include <functional>
#include <string>

#include "skyhook/expression/expression.h"

namespace skyhook::expression {

// One coordinate of a constant point, axis 'x', 'y' or 'z'. Throws ModelError as Expression::compile does.
Value coordinate_of(const std::string& text, char axis, const Scope& scope, const Location& where);

// Whether an expression uses a point as a whole, not only its coordinates: if it is right, its value is a point then.
bool uses_point(const std::string& text, const std::function<bool(const std::string& name)>& is_point);

}  // namespace skyhook::expression
