#include "skyhook/element/rail/patch_picture.h"

#include <numbers>

namespace skyhook::element::rail {

PatchPicture patch_picture(const Creep<double>& creep, const CreepOptions& options, FastsimGrid grid) {
  PatchPicture out{.a = creep.a, .b = creep.b, .grid = grid};
  if (!(creep.a > 0 && creep.b > 0 && creep.load > 0 && creep.friction > 0)) return out;
  const double shear = options.material.shear;
  const CreepCoefficients<double> C = KalkerCoefficients(options.material.poisson).at(creep.a, creep.b);
  const Fastsim law(grid);
  out.bound = creep.friction * 2 * creep.load / (std::numbers::pi * creep.a * creep.b);
  out.cells = law.patch(reduced(creep, flexibilities(creep, C, shear, options.flexibilities), shear));
  double all = 0, sliding = 0;
  for (const Bristle& cell : out.cells) {
    const double area =
        1 - cell.y * cell.y;  // slices are equal in an angle: their width and their length both go with its cosine
    all += area, sliding += cell.slides ? area : 0;
  }
  out.sliding = sliding / all;
  return out;
}

PatchPicture patch_picture(const LoadedContact& at, const LoadedOptions& options, FastsimGrid grid) {
  return patch_picture({at.creep_x, at.creep_y, at.spin, at.normal, at.a, at.b, options.friction}, options.creep, grid);
}

}  // namespace skyhook::element::rail
