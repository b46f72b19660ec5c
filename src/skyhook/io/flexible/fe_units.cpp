#include "skyhook/io/flexible/fe_units.h"

#include <fmt/format.h>

namespace skyhook::io::fe {

std::optional<FeUnits> fe_units_named(const std::string& name) {
  if (name == "m-kg-s") return FeUnits{};
  if (name == "mm-t-s") return FeUnits{1e-3, 1e3};
  if (name == "mm-kg-s") return FeUnits{1e-3, 1};
  return {};
}

FeUnits units_of(const std::string& name, const std::string& file) {
  if (const auto units = fe_units_named(name)) return *units;
  throw ModelError({file},
                   name.empty() ? "nobody knows the units of this file: modes would be without."
                                : "units \"" + name + "\" are not known.",
                   fmt::format("Say them: --units, one of {}.", fe_unit_names));
}

// A rotation stands for a length a radian: forces on it are moments.
void to_si(const FeUnits& units, flexible::FeModel& part) {
  flexible::Column scale = flexible::Column::Ones(part.dofs);
  for (flexible::FeNode& node : part.nodes) {
    node.at = units.length * node.at;
    for (std::size_t i = 3; i < 6; ++i) {
      if (node.dof[i] >= 0) scale[node.dof[i]] = units.length;
    }
  }
  for (flexible::SolidSpan& solid : part.solids) {
    solid.material.young *= units.mass / units.length;
    solid.material.shear *= units.mass / units.length;
  }
  for (flexible::Sparse* a : {&part.stiffness, &part.mass}) {
    for (int j = 0; j < a->outerSize(); ++j) {
      for (flexible::Sparse::InnerIterator it(*a, j); it; ++it)
        it.valueRef() *= units.mass * scale[it.row()] * scale[j];
    }
  }
}

}  // namespace skyhook::io::fe
