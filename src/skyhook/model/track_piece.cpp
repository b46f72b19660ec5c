#include "skyhook/model/track_piece.h"

namespace skyhook::model {

double Along::at(double x) const {
  double sum = c[5];
  for (std::size_t k = 5; k-- > 0;) sum = sum * x + c[k];
  return waves() ? sum + sine * std::sin(number * x) + cosine * std::cos(number * x) : sum;
}

double Along::slope(double x) const { return slopes().at(x); }

Along Along::slopes() const {
  Along out;
  for (std::size_t k = 1; k < 6; ++k) out.c[k - 1] = static_cast<double>(k) * c[k];
  out.number = number, out.sine = -number * cosine, out.cosine = number * sine;
  return out;
}

double Along::area(double x) const {
  double sum = c[5] / 6;
  for (std::size_t k = 5; k-- > 0;) sum = sum * x + c[k] / static_cast<double>(k + 1);
  if (!waves()) return sum * x;
  const double half = std::sin(0.5 * number * x);
  return sum * x + (2 * sine * half * half + cosine * std::sin(number * x)) / number;
}

// Of the polynomial synthetic division, again and again.
Along Along::from(double x) const {
  Along out = *this;
  for (std::size_t k = 0; k < 6; ++k) {
    for (std::size_t i = 5; i-- > k;) out.c[i] += x * out.c[i + 1];
  }
  if (!waves()) return out;
  const double si = std::sin(number * x), co = std::cos(number * x);
  out.sine = sine * co - cosine * si, out.cosine = sine * si + cosine * co;
  return out;
}

bool Along::is_constant() const {
  return !waves() && std::all_of(c.begin() + 1, c.end(), [](double x) { return x == 0; });
}

}  // namespace skyhook::model
