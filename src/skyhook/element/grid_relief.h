// The heights of a RoadGrid between its nodes, and where a point lies on its reference line.
//
// Across and along, each cell is a cubic with the slopes of its neighbours' chords: exact at the nodes, with a continuous slope. Beyond the
// grid nodes go on as its border says, so that the slope is continuous there too.
#pragma once
#include <memory>
#include <vector>

#include "skyhook/element/reference_line.h"
#include "skyhook/model/grain.h"
#include "skyhook/model/relief.h"
#include "skyhook/model/road_grid.h"

namespace skyhook::element {

struct GridRelief final : model::Relief, model::Grained {
  explicit GridRelief(std::shared_ptr<const model::RoadGrid> of);
  model::Bend at(double x, double y) const override;
  bool varies_across() const override { return true; }
  void look(double x, double y, model::TableLooks& looks) const override;
  double grain() const override;
  Span span() const override;

  // Over u and v in place of x and y.
  model::Bend on_grid(double u, double v) const;

 private:
  double node(long row, long column) const;
  double place_across(long column) const;

  std::shared_ptr<const model::RoadGrid> grid_;
  ReferenceLine line_;
};

}  // namespace skyhook::element
