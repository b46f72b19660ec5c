// Constraint rows in groups whose ranks add up.
//
// The graph has the nodes of the tree, the ground included, as vertices; its edges are what ties them: nodes to their parents, and the
// frames of rows. A row depends on the relative motion within its biconnected component alone. The components form a tree over the
// vertices that they share, and a rigid motion of all that hangs on one of them changes nothing within the others: any relative motions
// within the components, each as its joints allow, go together. So the rank of G is the sum of the ranks of its groups, although
// groups may share columns: in absolute coordinates each joint of a chain is a group, and neighbours share a body.
// A free joint ties nothing and is no edge, unless one of its coordinates is in a row. A row over several joints joins their groups; the coordinate of a
// cut joint, which such a row may have, is an edge between the frames it is measured from.
#pragma once
#include <vector>

#include "skyhook/formalism/forward.h"

namespace skyhook::formalism {

class Conditions;

// Places of rows: of active ones, then ng() + k for those of `given`.
struct RowGroup {
  std::vector<int> rows;
  // The same rows: those of one biconnected component together, each that joins several by itself.
  std::vector<std::vector<int>> parts;
};
// `held`: velocity coordinates that stand still.
std::vector<RowGroup> row_components(const recursive::Equations& eq, const Conditions* given = nullptr,
                                     const std::vector<int>& held = {});

// Component of each edge of a graph: numbers that edges share if there is a circle through both.
struct GraphEdge {
  int a, b;
};
std::vector<int> biconnected_components(int vertices, const std::vector<GraphEdge>& edges);

}  // namespace skyhook::formalism
