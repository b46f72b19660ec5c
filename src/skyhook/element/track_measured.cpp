#include "skyhook/element/track_measured.h"

#include <algorithm>
#include <cmath>

#include "skyhook/element/track_gradients.h"
#include "skyhook/math/dual.h"

namespace skyhook::element {
namespace {

using model::Along, model::TrackPiece;
using Third = Dual<1, Dual<1, Dual<1>>>;

// The cubic about s, valid within the piece that holds `within`.
Along cubic_at(const PiecewiseCubic& table, double s, double within, double factor) {
  Third x(Dual<1, Dual<1>>(Dual<1>::variable(s, 0)));
  x.v.d[0] = Dual<1>(1.0), x.d[0] = Dual<1, Dual<1>>(1.0);
  const Third y = table.evaluate_piece(table.piece_at(within), x);
  Along out;
  out.c[0] = factor * y.v.v.v, out.c[1] = factor * y.v.v.d[0];
  out.c[2] = factor * y.v.d[0].d[0] / 2, out.c[3] = factor * y.d[0].d[0].d[0] / 6;
  return out;
}

void add_rows(const PiecewiseCubic* table, double last, std::vector<double>& places) {
  for (int k = 1; table && k < table->pieces(); ++k) {
    if (table->begin_of(k) > 0 && table->begin_of(k) < last) places.push_back(table->begin_of(k));
  }
}

}  // namespace

std::vector<TrackPiece> measured_pieces(const MeasuredCourse& given, double base, double lift) {
  const double last = given.curvature->last();
  std::vector<double> places{0, last};
  for (const PiecewiseCubic* table : {given.curvature, given.cant, given.gradient}) add_rows(table, last, places);
  std::ranges::sort(places);
  places.erase(std::unique(places.begin(), places.end(), [](double a, double b) { return b - a < 1e-9; }),
               places.end());
  std::vector<TrackPiece> out;
  for (std::size_t k = 0; k + 1 < places.size(); ++k) {
    const double s = places[k], within = 0.5 * (s + places[k + 1]);
    TrackPiece p{.length = places[k + 1] - s, .curvature = cubic_at(*given.curvature, s, within, 1)};
    if (given.cant) p.tilt = cubic_at(*given.cant, s, within, -1 / base);
    if (given.gradient) p.climb = cubic_at(*given.gradient, s, within, 1);
    add_lift(p, lift);
    out.push_back(p);
  }
  return out;
}

}  // namespace skyhook::element
