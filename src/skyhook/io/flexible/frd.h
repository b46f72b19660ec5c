// Results of CalculiX, .frd as text: nodes, elements, and displacements of static steps and vibrations.
#pragma once
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "skyhook/flexible/fe_model.h"

namespace skyhook::io::fe {

struct FrdField {
  int step = 0;
  double value = 0;  // time of a static step, frequency of a vibration (in Hz, as ccx writes it)
  bool is_vibration = false;
  Location where;
  std::map<int, Vec3d> at;  // by node: displacement
};

struct Frd {
  std::map<int, Vec3d> nodes;
  std::map<int, std::vector<int>> elements;
  std::vector<FrdField> displacements;  // in the order of the file
};

// Throws ModelError with the line: binary files, numbers that are none, displacements of nodes that are not there.
Frd read_frd(std::string_view text, const std::string& file);

// Displacements as columns over the unknowns of `part`. Throws ModelError: a node that the part does not have or the file does not have.
flexible::Dense shapes_of(const Frd& frd, const flexible::FeModel& part, const std::string& file);

}  // namespace skyhook::io::fe
