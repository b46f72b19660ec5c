// What ccx makes of beams and shells: solids with nodes of its own. It says so in the file .12d, and names their unknowns (.dof) after the nodes they come from.
#pragma once
#include "skyhook/io/flexible/calculix.h"

namespace skyhook::io::fe {

struct Expansion {
  struct Element {
    int number = 0;
    std::vector<int> originals, nodes;  // of the file; of the solid
    bool has_inner = false;             // C3D8I: three nodes more, without a place
  };
  std::vector<Element> elements;
  std::vector<int>
      knots;  // nodes of the file that elements of several directions or thicknesses share: there solids are tied to a displacement and a rotation
};
// Of .12d; nothing where there are neither beams nor shells.
Expansion read_expansion(std::string_view text, const std::string& file);

// Of which node of the file, by its place in the element, the node of the solid comes.
std::size_t origin_in_element(std::size_t originals, std::size_t solids, std::size_t place);

// Gives unknowns to the nodes of the mesh, which become those of its solids: a node 7 of the file becomes 7.1, 7.2, ..., and a set "7" has them. `places`: of all nodes of ccx.
// Throws ModelError: unknowns that belong to none of them.
void take_unknowns(const Expansion& expansion, const std::map<int, Vec3d>& places, std::string_view dofs,
                   CalculixMesh& mesh);

// Places have six digits in ccx's files. Moves them so that motions of the whole cost no force, as they do not by its matrices.
void refine_places(flexible::FeModel& part);

}  // namespace skyhook::io::fe
