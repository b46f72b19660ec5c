// What can be doubted of a model on reading it: honest in some cases, in most a slip.
#pragma once
#include "skyhook/io/model_file/reading.h"

namespace skyhook::io::model_file {

// A number as the file has it, and where that stands.
struct Written {
  const std::string& text;
  const Scope& scope;
};

// Whether somebody has thought of a unit: "3 m", "=2[m]", an expression of a parameter that has one; "=3*pi" of an angle.
bool says_unit(const Written& written, const Reading& reading);

// A number without unit that makes more than a turn. `node` is what the expanded model will have: where the file gives a unit, so
// does that.
void doubt_angle(const Written& written, Node& node, double value, const char* unit, const std::string& what,
                 Reading& reading);
// Takes down points, and lengths that are sizes of the mechanism; places on a road are none. `largest`: that of its three numbers.
void note_point(const Written& largest, Node& node, const Vec3d& value, const FieldInfo& info, const std::string& what,
                Reading& reading);
void note_length(const Written& written, Node& node, double value, const FieldInfo& info, const std::string& what,
                 Reading& reading);
// [0,5, 0,2, 1,0] has six numbers where three with decimal commas may be meant.
void doubt_commas(const Node& list, const std::string& what, Reading& reading);
// Points and lengths without unit that are far outside of all others.
void doubt_distances(Reading& reading);

}  // namespace skyhook::io::model_file
