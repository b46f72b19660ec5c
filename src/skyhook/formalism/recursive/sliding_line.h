// The line that a contribution slides on (model/on_line.h), and where its coordinates stand in the matrices.
#pragma once
#include <vector>

#include "skyhook/formalism/recursive/line_point.h"
#include "skyhook/model/on_line.h"

namespace skyhook::formalism::recursive {

struct SlidingLine {
  const model::OnLine* law;
  const model::MeshCurve* curve;
  int node;                    // of the mesh, which keeps its coordinates
  std::vector<int> columns;    // of the coordinates of the curve, in their order
  std::vector<int> row_slots;  // rows x columns, in the constraint pattern
  // With the path of the point, n columns: (path, line), column by column of the line; (line, path), column by column of the path; and of each element (share, share),
  // column by column.
  struct Slots {
    std::vector<int> from_line, to_line;
    std::vector<std::vector<int>> elements;
  };
  Slots tangent, loop;
  const model::MeshCurve::Element& element(const LinePoint& point) const {
    return curve->elements[static_cast<std::size_t>(point.place.element)];
  }
};

}  // namespace skyhook::formalism::recursive
