#include "skyhook/element/rail/patch_picture.h"

#include <doctest/doctest.h>

#include <numbers>

using namespace skyhook::element::rail;

// Pure longitudinal creep u in units of the patch: a slice of half length l sticks over the 2 l - u from its leading edge on, and the share that slides is an integral over the slices.
TEST_CASE("Patch picture: shares of sliding, tractions that add up to the law's force") {
  const Creep<double> small{1e-7, 0, 0, 8e4, 6e-3, 5e-3, 0.3}, large{0.1, 0, 0, 8e4, 6e-3, 5e-3, 0.3},
      mixed{1e-3, 5e-4, 0.3, 8e4, 6e-3, 5e-3, 0.3};
  CHECK(patch_picture(small, {}).sliding < 0.06);  // the edges of the trailing cells
  CHECK(patch_picture(large, {}).sliding == doctest::Approx(1));
  const PatchPicture p = patch_picture(mixed, {}, {48, 48});
  CHECK(p.sliding > 0.1);
  CHECK(p.sliding < 0.9);
  double fx = 0, fy = 0;
  for (const Bristle& c : p.cells) {
    // dy = cos(theta) d(theta), dx = 2 l / n
    const double area = std::numbers::pi / 48 * (1 - c.y * c.y) * 2 / 48 * p.a * p.b;
    fx += p.bound * c.px * area, fy += p.bound * c.py * area;
  }
  const CreepForce<double> f = make_creep_law({.law = "fastsim", .across = 48, .along = 48})->force(mixed);
  CHECK(fx == doctest::Approx(f.x).epsilon(1e-3));
  CHECK(fy == doctest::Approx(f.y).epsilon(1e-3));
  CHECK(patch_picture(Creep<double>{1e-3, 0, 0, 0, 0, 0, 0.3}, {}).cells.empty());
}
