// Units of files of finite elements, which say nothing of them.
#pragma once
#include <optional>
#include <string>

#include "skyhook/flexible/fe_model.h"

namespace skyhook::io::fe {

struct FeUnits {
  double length = 1, mass = 1;  // in m, in kg; time is in s
};

// "m-kg-s", "mm-t-s" (forces in N), "mm-kg-ms" is not offered: time is in s. nullopt: not known.
std::optional<FeUnits> fe_units_named(const std::string& name);
// Throws ModelError where they are not said, or not known.
FeUnits units_of(const std::string& name, const std::string& file);
constexpr const char* fe_unit_names = "m-kg-s mm-t-s mm-kg-s";

// Positions and matrices, in place.
void to_si(const FeUnits& units, flexible::FeModel& part);

}  // namespace skyhook::io::fe
