// One element of absolute nodal coordinates. Its coordinates are vectors e_k, positions and slopes at its two ends, in which the position is linear.
// At each point of integration there are some gradients of the position, g_s = sum_k C_sk e_k with constant C, and strains that are functions of
// them; energy and forces are
//
//   U = sum w eps(g)^T D eps(g) / 2,      f = sum w (d eps / d e)^T D (eps + beta eps'),                               (24.5)
//
// with all derivatives in closed form or from nested duals. As strains do not change when the body is turned, neither does a force that damps.
#pragma once
#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace skyhook::flexible {

struct StrainLaw {
  static constexpr int most_slots = 5, most_numbers = 15, most_strains = 10;
  // dots: strain a = sum of factor (g_i . g_j) - offset_a, as Green's and all that are found from it;
  // cable: |r'| - 1 and r' x r'' / |r'|^2 of the gradients r' and r'': stretch, and bending seen by the material [Gerstmayr 2008].
  enum class Kind { dots, cable };
  struct Term {
    int strain, i, j;
    double factor;
  };
  Kind kind = Kind::dots;
  int dimension = 2, slots = 0, strains = 0;  // of space; gradients; strains
  std::vector<Term> terms;
  std::vector<double> offset;
  std::vector<double> D;  // strains x strains, symmetric
  int numbers() const { return dimension * slots; }
  double stiffness(int a, int b) const { return D[static_cast<std::size_t>(a * strains + b)]; }
};

struct StrainPoint {
  static constexpr int most_vectors = 8;
  int law = 0;
  double weight = 0;           // volume, or length
  double x = 0, y = 0, z = 0;  // where it is, from the start of the element
  std::array<std::array<double, most_vectors>, StrainLaw::most_slots> C{};
};

struct AncfElement {
  static constexpr int most_numbers = 24;
  int dimension = 2, vectors = 0;
  double damping = 0;  // beta, s
  std::vector<StrainLaw> laws;
  std::vector<StrainPoint> points;

  int numbers() const { return dimension * vectors; }
  double energy(std::span<const double> e) const;
  double dissipation(std::span<const double> e, std::span<const double> rate) const;
  void add_forces(std::span<const double> e, std::span<const double> rate, std::span<double> f) const;
  // By e and by its rate, row by row: symmetric where nothing moves.
  void add_derivatives(std::span<const double> e, std::span<const double> rate, std::span<double> by_e,
                       std::span<double> by_rate) const;
  // The strains of a law at its point, for pictures and tests.
  std::array<double, StrainLaw::most_strains> strains(const StrainPoint& at, std::span<const double> e) const;
};

}  // namespace skyhook::flexible
