// Physical dimensions and units. SI inside; a user may write "85 kN/m", "30 km/h", "2 deg".
// Angles have no dimension: rad is 1, deg is pi/180, so that N.m/rad equals N.m.
#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "skyhook/base/error.h"

namespace skyhook {

// Powers of m, kg, s, A, K. Twice the exponents are kept, because square roots bring half powers.
struct Dimension {
  std::array<int, 5> twice{};

  // dimension of m^metre kg^kilogram s^second A^ampere K^kelvin
  static constexpr Dimension of(int metre, int kilogram = 0, int second = 0, int ampere = 0, int kelvin = 0) {
    return {{2 * metre, 2 * kilogram, 2 * second, 2 * ampere, 2 * kelvin}};
  }
  constexpr bool is_dimensionless() const { return *this == Dimension{}; }
  friend constexpr bool operator==(const Dimension&, const Dimension&) = default;
  friend constexpr Dimension operator*(Dimension a, const Dimension& b) {
    for (std::size_t i = 0; i < a.twice.size(); ++i) a.twice[i] += b.twice[i];
    return a;
  }
  friend constexpr Dimension operator/(Dimension a, const Dimension& b) {
    for (std::size_t i = 0; i < a.twice.size(); ++i) a.twice[i] -= b.twice[i];
    return a;
  }
};

// nullopt if an exponent of the result is no multiple of 1/2 or beyond +-100.
std::optional<Dimension> pow(const Dimension& base, double exponent);

// The usual name where there is one ("N/m", "m/s^2"), else base units ("kg.m^2/s", "1/s"); "1" if dimensionless.
// parse_unit() reads it back.
std::string to_string(const Dimension& dimension);

struct Unit {
  double factor = 1.0;  // one of this unit in SI
  Dimension dimension;
  // Divides where the factor is one over an integer, so that 9 mm is 0.009 and not 0.009000000000000001.
  double to_si(double value) const;
};

// "kN.s/m", "km/h", "N/m^1.5", "1/(m.s)", "%"; "", "-" and "1" are dimensionless. a/b/c is a/(b.c); a/b.c is refused
// as ambiguous. Throws ModelError, `where` being the place of the first character of `text`.
Unit parse_unit(std::string_view text, const Location& where = {});

// Every unit name that parse_unit knows, without prefixes.
std::vector<std::string> unit_names();

struct Quantity {
  double value = 0.0;        // as written
  std::optional<Unit> unit;  // none written: the caller decides what a bare number means
  double si() const { return unit ? unit->to_si(value) : value; }
};

// "85 kN/m", "-2.5", ".5", "1e3mm". Throws ModelError.
Quantity parse_quantity(std::string_view text, const Location& where = {});

// An unsigned decimal number ("2", ".5", "1.5e-3") at `position`, which moves behind it. nullopt: no number there, or
// (position moved) one that does not fit a double. Independent of the locale.
std::optional<double> read_number(std::string_view text, std::size_t& position);

// The place of text[offset] when `text` starts at `where`. An unknown column stays unknown.
Location advanced(Location where, std::string_view text, std::size_t offset);

}  // namespace skyhook
