#include "skyhook/model/track_line.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace skyhook::model {
namespace {

// Five points of Gauss on [-1, 1]: exact for polynomials of degree nine.
constexpr double abscissa[5] = {-0.906179845938663992797627, -0.538469310105683091036314, 0, 0.538469310105683091036314,
                                0.906179845938663992797627};
constexpr double weight[5] = {0.236926885056189087514264, 0.478628670499366468041292, 0.568888888888888888888889,
                              0.478628670499366468041292, 0.236926885056189087514264};

// How far from a knot the position is integrated in one go: there five points leave nothing but rounding.
double reach_within(const TrackPiece& p) {
  double reach = 4;  // m
  for (const double x : {0.0, 0.5, 1.0}) reach = std::min(reach, 0.1 / (1e-9 + std::abs(p.curvature.at(x * p.length))));
  return p.curvature.waves() || p.climb.waves() ? std::min(reach, p.length / 16) : reach;
}

// The end of one goes on: straight, with its climb and tilt.
TrackPiece going_on(const TrackPiece& p, double at) {
  TrackPiece out;
  out.climb.c[0] = p.climb.at(at), out.tilt.c[0] = p.tilt.at(at), out.widening.c[0] = p.widening.at(at);
  return out;
}

bool widens(const TrackPiece& p) { return !p.widening.is_constant() || p.widening.c[0] != 0; }

}  // namespace

TrackLine::TrackLine(std::vector<TrackPiece> pieces, TrackBegin begin, std::shared_ptr<const Irregularity> irregularity)
    : irregularity_(std::move(irregularity)) {
  if (pieces.empty() && begin.at == Vec3d{} && begin.heading == 0) return;
  if (pieces.empty()) pieces.emplace_back();
  take_pieces(std::move(pieces));
  widens_ = std::ranges::any_of(pieces_, widens);
  knots_.push_back({0, begin.at, begin.heading, 0, 0});
  knots_.push_back({0, begin.at, begin.heading, 1, 0});
  for (int k = 1; k + 1 < static_cast<int>(pieces_.size()); ++k) add_knots(k);
  length_ = knots_.back().s;
  find_jumps();
  scatter();
}

void TrackLine::take_pieces(std::vector<TrackPiece> pieces) {
  pieces_.push_back(going_on(pieces.front(), 0));
  pieces_.insert(pieces_.end(), pieces.begin(), pieces.end());
  pieces_.push_back(going_on(pieces.back(), pieces.back().length));
  for (const TrackPiece& p : pieces_)
    constancy_.push_back({p.curvature.is_constant(), p.climb.is_constant(), p.tilt.is_constant()});
}

// Behind the last knot, which is the begin of the piece: those within it, and the begin of the next.
void TrackLine::add_knots(int piece) {
  const TrackPiece& p = pieces_[static_cast<std::size_t>(piece)];
  const Knot begin = knots_.back();
  const int parts = constancy_[static_cast<std::size_t>(piece)].is_arc()
                        ? 1
                        : std::max(1, static_cast<int>(std::ceil(p.length / reach_within(p))));
  for (int i = 1; i <= parts; ++i) {
    const Knot& last = knots_.back();
    const double x = p.length * i / parts;
    Knot next{begin.s + x, last.at + way_from(last, x - last.in_piece), begin.heading + p.curvature.area(x), piece, x};
    if (i == parts) next.piece = piece + 1, next.in_piece = 0;
    knots_.push_back(next);
  }
}

const TrackLine::Knot& TrackLine::knot_at(double s) const {
  return *(std::upper_bound(knots_.begin() + 1, knots_.end(), s, [](double x, const Knot& k) { return x < k.s; }) - 1);
}

// From a knot x further: an arc has its chord, all else Gauss's points.
Vec3d TrackLine::way_from(const Knot& knot, double x) const {
  const TrackPiece& p = pieces_[static_cast<std::size_t>(knot.piece)];
  const double x0 = knot.in_piece;
  if (constancy_[static_cast<std::size_t>(knot.piece)].is_arc()) {
    const double w = p.climb.c[0], half = 0.5 * p.curvature.c[0] * x, heading = knot.heading + half;
    const double chord =
        std::sqrt(1 - w * w) * x * (std::abs(half) < 1e-4 ? 1 - half * half / 6 : std::sin(half) / half);
    return {chord * std::cos(heading), chord * std::sin(heading), w * x};
  }
  const double turned = p.curvature.area(x0);
  Vec3d sum{0, 0, p.climb.area(x0 + x) - p.climb.area(x0)};
  for (int i = 0; i < 5; ++i) {
    const double at = x0 + 0.5 * x * (1 + abscissa[i]), w = p.climb.at(at);
    const double heading = knot.heading + p.curvature.area(at) - turned;
    const double ahead = 0.5 * x * weight[i] * std::sqrt(1 - w * w);
    sum.x += ahead * std::cos(heading), sum.y += ahead * std::sin(heading);
  }
  return sum;
}

TrackLine::Layout TrackLine::layout(double s) const {
  if (is_straight()) return {};
  const Knot& k = knot_at(s);
  const TrackPiece& p = pieces_[static_cast<std::size_t>(k.piece)];
  const double x = k.in_piece + (s - k.s);
  return {p.curvature.at(x), p.climb.at(x), p.tilt.at(x),
          k.heading + p.curvature.area(x) - p.curvature.area(k.in_piece), p.widening.at(x)};
}

namespace {

template <int N>
Series<N> series_of(const Along& f, bool is_constant, double x) {
  return is_constant ? Series<N>{{f.c[0]}} : f.series<N>(x);
}
double turn_of(const Along& curvature, bool is_constant, double from, double to) {
  return is_constant ? curvature.c[0] * (to - from) : curvature.area(to) - curvature.area(from);
}

}  // namespace

TrackLine::Course TrackLine::course(double s) const {
  const Knot& k = knot_at(s);
  const auto piece = static_cast<std::size_t>(k.piece);
  if (!constancy_[piece].is_arc()) {
    const Motion<2> m = motion<2>(s);
    const auto vector = [&m](const std::array<Series<2>, 3>& of, int i) { return Vec3d{of[0][i], of[1][i], of[2][i]}; };
    return {vector(m.position, 0), vector(m.x, 0), vector(m.x, 1)};
  }
  const TrackPiece& p = pieces_[piece];
  const double curvature = p.curvature.c[0], heading = k.heading + curvature * (s - k.s), w = p.climb.c[0],
               ahead = std::sqrt(1 - w * w);
  const double sine = ahead * std::sin(heading), cosine = ahead * std::cos(heading);
  return {k.at + way_from(k, s - k.s), {cosine, sine, w}, {-curvature * sine, curvature * cosine, 0}};
}

template <int N>
TrackLine::Motion<N> TrackLine::motion(double s) const {
  const Knot& k = knot_at(s);
  const TrackPiece& piece = pieces_[static_cast<std::size_t>(k.piece)];
  const Constancy& is = constancy_[static_cast<std::size_t>(k.piece)];
  const double x = k.in_piece + (s - k.s);
  const double heading = k.heading + turn_of(piece.curvature, is.curvature, k.in_piece, x);
  const auto turn = sine_cosine(integral(heading, series_of<N>(piece.curvature, is.curvature, x)));
  const Series<N>&S = turn.sine, &C = turn.cosine, w = series_of<N>(piece.climb, is.climb, x), p = cosine_beside(w);
  const Series<N> sa = series_of<N>(piece.tilt, is.tilt, x), ca = cosine_beside(sa);
  const std::array<Series<N>, 3> tangent{p * C, p * S, w}, level{-S, C, {}}, up{-(w * C), -(w * S), p};
  Motion<N> out;
  const Vec3d at = k.at + way_from(k, s - k.s);
  for (int i = 0; i < 3; ++i) {
    const auto j = static_cast<std::size_t>(i);
    out.position[j] = integral(at[i], tangent[j]);
    out.x[j] = tangent[j];
    out.y[j] = ca * level[j] + sa * up[j];
    out.z[j] = ca * up[j] - sa * level[j];
  }
  return out;
}
template TrackLine::Motion<1> TrackLine::motion(double) const;
template TrackLine::Motion<2> TrackLine::motion(double) const;
template TrackLine::Motion<3> TrackLine::motion(double) const;
template TrackLine::Motion<4> TrackLine::motion(double) const;
template TrackLine::Motion<5> TrackLine::motion(double) const;
template TrackLine::Motion<6> TrackLine::motion(double) const;

Deviations TrackLine::deviations(double s) const {
  Deviations out;
  if (irregularity_) out = irregularity_->at(s);
  if (!widens_) return out;
  const Knot& k = knot_at(s);
  const auto wide = pieces_[static_cast<std::size_t>(k.piece)].widening.series<3>(k.in_piece + (s - k.s));
  double factorial = 1;
  for (int i = 0; i < 3; factorial *= ++i) out.gauge[static_cast<std::size_t>(i)] += factorial * wide[i];
  return out;
}

Lanes TrackLine::deviation_values(double s) const {
  Lanes out = irregularity_ ? irregularity_->values(s) : Lanes();
  if (!widens_) return out;
  const Knot& k = knot_at(s);
  out.set(0, out[0] + pieces_[static_cast<std::size_t>(k.piece)].widening.at(k.in_piece + (s - k.s)));
  return out;
}

namespace {

constexpr double least_grain = 0.02;  // m: measured tables may be as fine as they like

}  // namespace

double TrackLine::layout_grain() const {
  double out = std::numeric_limits<double>::infinity();
  for (std::size_t k = 1; k + 1 < pieces_.size(); ++k) out = std::min(out, pieces_[k].length / 4);
  return std::max(out, least_grain);
}

double TrackLine::grain() const {
  double out = layout_grain();
  if (irregularity_) out = std::min(out, irregularity_->grain());
  for (const RailChange& change : rail_changes_) out = std::min(out, change.over / 8);
  return std::max(out, least_grain);
}

void TrackLine::find_jumps() {
  double s = 0;
  for (std::size_t k = 1; k < pieces_.size(); s += pieces_[k++].length) {
    const double before = pieces_[k - 1].curvature.at(pieces_[k - 1].length), behind = pieces_[k].curvature.at(0);
    if (std::abs(behind - before) > 1e-9) jumps_.push_back(s);  // 1/m
  }
}

}  // namespace skyhook::model
