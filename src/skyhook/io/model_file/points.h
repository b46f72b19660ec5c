// Points as parameters: a list of three is the three parameters name.x, name.y and name.z.
#pragma once
#include <optional>
#include <string>

#include "skyhook/base/units.h"
#include "skyhook/io/model_file/report.h"

namespace skyhook::io::model_file {

constexpr char point_axes[] = {'x', 'y', 'z'};

inline std::string coordinate_name(const std::string& point, char axis) { return point + '.' + axis; }

// A list of three texts; anything else that is a list is reported. `what`: parameter "lower_front".
bool is_list_of_point(const Node& value, const std::string& what, Report& report);
// Of "30 km/h"; none of plain numbers and of expressions.
std::optional<Dimension> dimension_of_quantity(const Node& value);
// Of the first entry that has a unit; numbers without one beside it have the same. nullopt: none has.
std::optional<Dimension> dimension_of_list(const Node& list);
// Coordinates without unit are lengths in m, if nothing else says otherwise.
constexpr Dimension usual_dimension = Dimension::of(1);

// What --set gives, as it would stand in a file: a text, or a list where it begins with a bracket.
Node node_of_setting(const std::string& text, int file, Report& report);
// The other way round.
std::string text_of_setting(const Node& value);

}  // namespace skyhook::io::model_file
