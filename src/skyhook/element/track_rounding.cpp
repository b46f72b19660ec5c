#include "skyhook/element/track_rounding.h"

#include <algorithm>
#include <cmath>

namespace skyhook::element {
namespace {

using model::Along, model::TrackPiece;

// K P(x/reach), over the way x from the jump.
Along bend(double K, double reach) {
  Along f;
  double power = reach;
  for (const auto& [degree, factor] : {std::pair{1, 45.0 / 32}, {3, -50.0 / 32}, {5, 21.0 / 32}}) {
    f.c[static_cast<std::size_t>(degree)] = K * factor / power;
    power *= reach * reach;
  }
  return f;
}

TrackPiece part_of(const TrackPiece& p, double begin, double length) {
  return {length, p.curvature.from(begin), p.climb.from(begin), p.tilt.from(begin), {}};
}

void add(const Along& f, double constant, Along& to) {
  for (std::size_t k = 0; k < f.c.size(); ++k) to.c[k] += f.c[k];
  to.c[0] += constant;
}

struct Jump {
  double by = 0, reach = 0;
};
Jump jump_between(const TrackPiece& a, const TrackPiece& b, double reach) {
  const double by = b.curvature.at(0) - a.curvature.at(a.length);
  if (std::abs(by) < 1e-9) return {};  // 1/m: rounding, as TrackLine::jumps has it
  return {by, std::min({reach, 0.5 * a.length, 0.5 * b.length})};
}

void add_pieces(const TrackPiece& p, const Jump& before, const Jump& behind, std::vector<TrackPiece>& out) {
  if (before.reach > 0) {
    out.push_back(part_of(p, 0, before.reach));
    add(bend(before.by, before.reach), -0.5 * before.by, out.back().curvature);
  }
  const double middle = p.length - before.reach - behind.reach;
  if (middle > 0) out.push_back(part_of(p, before.reach, middle));
  if (behind.reach > 0) {
    out.push_back(part_of(p, p.length - behind.reach, behind.reach));
    add(bend(behind.by, behind.reach).from(-behind.reach), 0.5 * behind.by, out.back().curvature);
  }
}

}  // namespace

model::TrackLine without_jumps(const model::TrackLine& line, double reach) {
  if (line.is_straight() || line.is_endless()) return line;
  // The first and the last piece are how the line goes on beyond its ends: the new line adds these by itself.
  const std::vector<TrackPiece>& old = line.pieces();
  const std::size_t last = old.size() - 2;
  std::vector<TrackPiece> pieces;
  for (std::size_t k = 1; k <= last; ++k)
    add_pieces(old[k], k > 1 ? jump_between(old[k - 1], old[k], reach) : Jump{},
               k < last ? jump_between(old[k], old[k + 1], reach) : Jump{}, pieces);
  return model::TrackLine(std::move(pieces), {line.place(0.0).position, line.layout(0).heading});
}

}  // namespace skyhook::element
