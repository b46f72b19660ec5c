// Equivalent conicity after EN 15302: the slope of the cones whose wheelset would run the same wave as this one, at an amplitude of the shift.
//
// Of the rolling radius difference delta_r(y) of a wheelset that shifts by y the kinematic motion is
// y'' = -delta_r(y)/(e r0) over the way, with the distance e of the tape circles. For cones delta_r = 2 tan(gamma) y. There are two measures, which
// differ for any other function, by definition:
//
//   harmonic   the first harmonic of delta_r along y = y0 + A sin(phi):   1/(pi A) integral delta_r(y0 + A sin phi) sin phi dphi, -pi/2 to pi/2
//   integral   the wavelength L of the wave from peak to peak 2 A:        (2 pi/L)^2 e r0/2 = (pi/I)^2,
//              I = integral dy/sqrt(C(y2) - C(y)) from y1 to y2,  C' = delta_r,  y2 - y1 = 2 A,  C(y1) = C(y2)
//
// Of delta_r = 2 (a y + b y^3) they are a + 3/4 b A^2 and (pi sqrt(p)/(2 K(-q/p)))^2 with p = a + b A^2/2, q = b A^2/2 and the complete elliptic
// integral K of the parameter.
#pragma once
#include <optional>
#include <vector>

namespace skyhook::element::rail {

// delta_r at equal steps of y; linear between. Contacts jump, so that it may have steps, which smoother curves would overshoot.
class RadiusDifference {
 public:
  RadiusDifference(double first, double step, std::vector<double> delta_r);

  double operator()(double y) const;
  double potential(double y) const;  // integral of delta_r, exact for the straight pieces
  double first() const { return first_; }
  double last() const { return first_ + step_ * static_cast<double>(values_.size() - 1); }
  double step() const { return step_; }
  // Where a wheelset rolls straight on: delta_r rises through zero. The one nearest to the middle; nothing: none.
  std::optional<double> centre() const;

 private:
  struct Cell {
    std::size_t k;
    double u;  // y from its begin
  };
  Cell cell(double y) const;
  double first_, step_;
  std::vector<double> values_, areas_;
};

// Nothing: the amplitude reaches beyond the table, or there is no wave of that amplitude.
std::optional<double> harmonic_conicity(const RadiusDifference& delta_r, double amplitude);
std::optional<double> integral_conicity(const RadiusDifference& delta_r, double amplitude);

}  // namespace skyhook::element::rail
