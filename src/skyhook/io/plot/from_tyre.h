// The law of slip of a tyre as curves and as a figure: Fx over kappa, Fy and Mz over alpha, and Fy over Fx (the ellipse of friction).
#pragma once
#include "skyhook/element/tyre/slip.h"
#include "skyhook/io/plot/figure.h"

namespace skyhook::io::plot {

struct TyreRange {
  std::vector<double> loads;          // N, above zero
  std::vector<double> cambers = {0};  // rad
  double kappa = 0.3, alpha = 0.26;   // to both sides; rad
  double speed = 16.7, friction = 1;
  int points = 61;  // of a curve
};

struct TyreCurve {
  std::string kind;                // "fx", "fy", "mz", "ellipse"
  double load, camber, alpha = 0;  // alpha: of the ellipse
  std::vector<double> x, y;        // kappa, alpha in rad, or Fx; N, N.m
};
std::vector<TyreCurve> tyre_curves(const element::tyre::Characteristic& tyre, const TyreRange& range);

// Slope at no slip and largest force, along and across, at a load.
struct TyreNumbers {
  double load = 0, slip_stiffness = 0, cornering_stiffness = 0, camber_stiffness = 0;  // N, N/rad
  double peak_kappa = 0, peak_x = 0, peak_alpha = 0, peak_y = 0;  // where and how large: over the range
  double trail = 0;                                               // m, at small slip
};
TyreNumbers tyre_numbers(const element::tyre::Characteristic& tyre, double load, const TyreRange& range);

Figure figure_of(const std::vector<TyreCurve>& curves, const std::string& title);

}  // namespace skyhook::io::plot
