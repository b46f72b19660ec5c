// Motions of a part as a whole, and the conditions that say which of its motions are those of its reference frame.
#pragma once
#include "skyhook/flexible/fe_model.h"

namespace skyhook::flexible {

inline Vec3d unit(int i) { return {i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0}; }

// dofs x 6: unit displacements along x, y, z and unit rotations about the axes through the origin.
Dense rigid_motions(const FeModel& part);

// A place that follows the mesh with displacement and rotation: a node with rotations by itself, others by the rigid motion that fits their
// nodes best.
struct Place {
  std::string name;
  Vec3d at;
  Sparse rows;  // 6 x dofs
  std::vector<int> nodes;
  bool has_turn = true;  // else the last three rows are zero
};
Place place_of_node(const FeModel& part, int node);
// Weighted alike. Throws ModelError where they are fewer than three or on one line, unless a node has rotations.
Place place_of_nodes(const FeModel& part, const std::string& name, const std::vector<int>& nodes,
                     const Location& where);

// Six conditions on displacements of the mesh, C q = 0: what is left of a motion is deformation.
struct FrameConditions {
  std::string text;  // for reports
  Dense rows;        // 6 x dofs
};
FrameConditions tangent_frame(const FeModel& part, const Place& place);
// Origin in a, the line from a to b, and no rotation of a about it.
FrameConditions chord_frame(const FeModel& part, const Place& a, const Place& b);
// Mean axes (Buckens): the deformation has neither momentum nor angular momentum, R^T M q = 0.
FrameConditions mean_frame(const FeModel& part);

// q - R (C R)^-1 C q of each column. Throws ModelError at `where` if the conditions do not fix the frame.
Dense without_rigid(const FeModel& part, const FrameConditions& frame, const Dense& q, const Location& where);

}  // namespace skyhook::flexible
