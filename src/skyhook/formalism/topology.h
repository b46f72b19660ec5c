// Which joints carry the tree and which close loops ([Arnold 2004] §3). Keeps the joints with most constraints in the tree,
// then the shallower tree; `cut: true` overrides. Joints whose coordinates others use (drives, couplers) come first of
// all, then those where a coordinate is of use (initial values, forces on it). Joints whose friction depends on their load are
// cut always. In absolute coordinates all joints are cut but guides and tracks, which have no rows that would hold them, and free ones from the ground, whose
// coordinates are absolute. Beams of nodal coordinates stand on the ground, and on their nodes what no other joint holds to it.
#pragma once
#include <string>
#include <vector>

#include "skyhook/model/model.h"

namespace skyhook::formalism {

struct TreeLink {
  int body;       // child
  int parent;     // body index or model::ground
  int joint;      // index into model.joints; -1: an implied free joint (the body hangs on rods or cut joints only)
  bool reversed;  // the child is the joint's `from`
  int depth;      // 1 for children of the ground
};

struct Topology {
  std::vector<TreeLink> links;     // depth first, parents before children
  std::vector<int> cuts;           // joints that close loops, in the order of the file
  std::vector<int> link_of_joint;  // index into links, -1 for cut joints
  std::vector<int> link_of_body;
  bool any_absolute = false;  // some bodies have coordinates of their own by choice
  std::string why;            // of `auto`: what was chosen, and the numbers behind it
};

// Throws ModelError where a guided joint cannot stand in the tree, or one with such friction not be cut.
// `independent`: coordinates ("crank.angle") that should be there.
Topology choose_tree(const model::Model& model, const std::vector<std::string>& independent = {});
// The same in the coordinates of joints, whatever the model wants and friction needs: initial values are found there.
Topology choose_joint_tree(const model::Model& model, const std::vector<std::string>& independent = {});
// The same with the bodies that have no coordinates of their own choice in these.
Topology choose_tree_in(const model::Model& model, const std::vector<std::string>& independent,
                        model::Coordinates of_others);

// Which joints lie on a closed path of joints and rods, whatever tree is chosen.
std::vector<bool> joints_in_loops(const model::Model& model);

}  // namespace skyhook::formalism
