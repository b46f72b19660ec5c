// Parts in the input format of CalculiX (and Abaqus), whose matrices Debian's `ccx` computes.
#pragma once
#include <array>
#include <map>

#include "skyhook/flexible/fe_model.h"

namespace skyhook::io::fe {

struct CalculixMesh {
  flexible::FeModel part;                                // nodes, solids and triangles of the surface; no matrices yet
  std::map<std::string, std::vector<std::string>> sets;  // node sets by name, in capitals
  std::map<int, Location> elements;                      // where each is written
  std::string before_steps;                              // the input up to its first step
  int elements_with_inner = 0;                           // C3D8I: three nodes more each, without a place
  bool is_expanded = false;                              // it has beams or shells
  std::map<int, flexible::Material> materials_of_expanded;
  std::string note;  // what was left out; empty: nothing
};

// Triangles of faces that belong to one solid alone.
std::vector<std::array<int, 3>> surface_of(const std::vector<flexible::SolidSpan>& solids);

// *NODE, *ELEMENT, *NSET (with GENERATE); files that it includes are not followed but handed on to ccx.
CalculixMesh read_calculix_mesh(std::string_view text, const std::string& file);

// Runs `ccx` in a folder of its own and reads stiffness and mass. Throws ModelError: ccx is not there (with what to install), what ccx says is wrong,
// with the line of the element if it names one.
void solve_by_calculix(CalculixMesh& mesh, const std::string& file);

// The path of ccx on PATH; empty: it is not there.
std::string find_ccx();

}  // namespace skyhook::io::fe
