#include "skyhook/flexible/beam_section.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace skyhook::flexible {
namespace {

constexpr double pi = std::numbers::pi;

struct Named {
  const char* name;
  Material material;
};
constexpr Named known_materials[] = {{"steel", {2.1e11, 8.077e10, 7850}},
                                     {"aluminium", {7.0e10, 2.632e10, 2700}},
                                     {"titanium", {1.16e11, 4.4e10, 4430}}};

// Saint-Venant's series for a solid rectangle a x b, a >= b (Timoshenko and Goodier, Theory of Elasticity, art. 109).
double torsion_of_rectangle(double a, double b) {
  double sum = 0;
  for (int n = 1; n < 40; n += 2) sum += std::tanh(n * pi * a / (2 * b)) / std::pow(n, 5);
  return a * b * b * b * (1.0 / 3 - 64 / std::pow(pi, 5) * (b / a) * sum);
}

// Largest shear stress is in the middle of the long sides: M / stress, by the same series.
double torsion_modulus_of_rectangle(double a, double b) {
  double sum = 0;
  for (int n = 1; n < 40; n += 2) sum += 1 / (n * n * std::cosh(n * pi * a / (2 * b)));
  return torsion_of_rectangle(a, b) / (b * (1 - 8 / (pi * pi) * sum));
}

std::vector<std::array<double, 2>> corner_fibres(double y, double z) { return {{y, z}, {-y, z}, {-y, -z}, {y, -z}}; }

}  // namespace

std::optional<Material> material_named(const std::string& name) {
  for (const Named& m : known_materials) {
    if (name == m.name) return m.material;
  }
  return {};
}

std::vector<std::string> material_names() {
  std::vector<std::string> names;
  for (const Named& m : known_materials) names.emplace_back(m.name);
  return names;
}

Section round_section(double diameter, double inner, double poisson) {
  const double ro = diameter / 2, ri = inner / 2, m = ri / ro, square = (1 + m * m) * (1 + m * m);
  Section s;
  s.width = s.height = diameter, s.is_round = true;
  s.area = pi * (ro * ro - ri * ri);
  s.iy = s.iz = pi / 4 * (std::pow(ro, 4) - std::pow(ri, 4));
  s.it = 2 * s.iy;
  s.torsion_modulus = s.it / ro;
  const double d = ro * std::sqrt(0.5);
  s.fibres = {{ro, 0}, {d, d}, {0, ro}, {-d, d}, {-ro, 0}, {-d, -d}, {0, -ro}, {d, -d}};
  s.ky = s.kz = 6 * (1 + poisson) * square / ((7 + 6 * poisson) * square + (20 + 12 * poisson) * m * m);
  return s;
}

Section rectangle_section(double width, double height, double wall, double poisson) {
  const double b = width - 2 * wall, h = height - 2 * wall;
  const bool is_hollow = wall > 0;
  Section s;
  s.width = width, s.height = height;
  s.area = width * height - (is_hollow ? b * h : 0);
  s.iy = (width * std::pow(height, 3) - (is_hollow ? b * std::pow(h, 3) : 0)) / 12;
  s.iz = (height * std::pow(width, 3) - (is_hollow ? h * std::pow(b, 3) : 0)) / 12;
  s.fibres = corner_fibres(width / 2, height / 2);
  if (!is_hollow) {
    s.torsion_modulus = torsion_modulus_of_rectangle(std::max(width, height), std::min(width, height));
    s.it = torsion_of_rectangle(std::max(width, height), std::min(width, height));
    s.ky = s.kz = 10 * (1 + poisson) / (12 + 11 * poisson);
    return s;
  }
  const double mid_b = width - wall, mid_h = height - wall;  // Bredt: 4 A^2 t / perimeter
  s.it = 4 * std::pow(mid_b * mid_h, 2) * wall / (2 * (mid_b + mid_h));
  s.torsion_modulus = 2 * mid_b * mid_h * wall;
  s.ky = 2 * mid_b * wall / s.area, s.kz = 2 * mid_h * wall / s.area;  // the walls along the force carry it
  return s;
}

}  // namespace skyhook::flexible
