// The patch of a wheel as FASTSIM sees it, cell by cell: where it sticks, where it slides, and the tractions. For pictures; in axes of the plane of contact, x ahead, y to the field side.
#pragma once
#include "skyhook/element/rail/fastsim.h"
#include "skyhook/element/rail/loaded_contact.h"

namespace skyhook::element::rail {

struct PatchPicture {
  double a = 0, b = 0;         // m, semi-axes of the ellipse along and across
  double bound = 0;            // Pa, the largest friction; tractions of the cells are over it
  FastsimGrid grid;            // slices across, cells along
  std::vector<Bristle> cells;  // slice by slice, each from the leading edge on
  double sliding = 0;          // share of the area that slides
};

// Without friction or load there are no cells.
PatchPicture patch_picture(const LoadedContact& contact, const LoadedOptions& options, FastsimGrid grid = {20, 20});
PatchPicture patch_picture(const Creep<double>& creep, const CreepOptions& options, FastsimGrid grid = {20, 20});

}  // namespace skyhook::element::rail
