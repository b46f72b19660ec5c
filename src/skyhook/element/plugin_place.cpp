#include "skyhook/element/plugin_place.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace skyhook::element::plugin {

using model::LoadInput;
using model::Local;
using model::Relative;

namespace {

const double root = std::sqrt(std::numeric_limits<double>::epsilon());

}  // namespace

skyhook_motion seen(const Relative<double>& m, const Image& image) {
  skyhook_motion out;
  out.t = m.t;
  for (int i = 0; i < 3; ++i) {
    out.r[i] = image.s[i] * m.r[i];
    out.v[i] = image.s[i] * m.v[i];
    out.w[i] = image.axial(i) * m.w[i];
    for (int j = 0; j < 3; ++j) out.R[i][j] = image.s[i] * image.s[j] * m.R[i][j];
  }
  return out;
}

Relative<double> values_of(const Relative<Local>& m) {
  Relative<double> out;
  out.t = m.t.v;
  for (int i = 0; i < 3; ++i) {
    out.r[i] = m.r[i].v, out.v[i] = m.v[i].v, out.w[i] = m.w[i].v;
    for (int j = 0; j < 3; ++j) out.R[i][j] = m.R[i][j].v;
  }
  return out;
}

bool is_seeded(const Relative<Local>& m) {
  for (int i = 0; i < 3; ++i) {
    if (m.r[i].d[i] != 1.0 || m.v[i].d[6 + i] != 1.0 || m.w[i].d[9 + i] != 1.0) return false;
  }
  return true;
}

Place place_of(const LoadInput<Local>& in) {
  Place place;
  place.m = values_of(in.motion);
  std::ranges::transform(in.c, place.c.begin(), &Local::v);
  std::ranges::transform(in.w, place.w.begin(), &Local::v);
  return place;
}

std::array<Direction, 12> varying(const LoadInput<Local>& in, const model::Declared& declared) {
  std::array<Direction, 12> out;
  if (is_seeded(in.motion)) {
    const Relative<double> m = values_of(in.motion);
    const std::array sizes{std::max(norm(m.r), 0.1), 1.0, std::max(norm(m.v), 0.1), std::max(norm(m.w), 1.0)};
    for (std::size_t k = 0; k < 12; ++k) out[k] = {Direction::Of::motion, static_cast<int>(k), root * sizes[k / 3]};
    return out;
  }
  const auto look = [&](std::span<const Local> u, const std::vector<model::InnerState>& of, Direction::Of kind) {
    for (std::size_t i = 0; i < u.size(); ++i) {
      for (std::size_t k = 0; k < 12; ++k) {
        if (u[i].d[k] != 0) out[k] = {kind, static_cast<int>(i), root * std::max(std::abs(u[i].v), of[i].nominal)};
      }
    }
  };
  look(in.c, declared.states, Direction::Of::state);
  look(in.w, declared.algebraic, Direction::Of::algebraic);
  return out;
}

// (1 + h [e]x) is a rotation to h^2 = eps.
Moved::Moved(Place& place, const Direction& along, double sign) : place_(place), along_(along) {
  if (turns()) {
    rotation_ = place.m.R;
    Vec3d turn;
    turn[along.index % 3] = by_ = sign * along.step;
    place.m.R = rotation_ + skew(turn) * rotation_;
  } else {
    double& x = variable();
    value_ = x;
    const volatile double moved = x + sign * along.step;  // as it is stored: x + h - x is exact then
    by_ = moved - x;
    x = moved;
  }
}

Moved::~Moved() {
  if (turns())
    place_.m.R = rotation_;
  else
    variable() = value_;
}

double& Moved::variable() {
  const auto i = static_cast<std::size_t>(along_.index);
  if (along_.of == Direction::Of::state) return place_.c[i];
  if (along_.of == Direction::Of::algebraic) return place_.w[i];
  return (i / 3 == 0 ? place_.m.r : i / 3 == 2 ? place_.m.v : place_.m.w)[along_.index % 3];
}

}  // namespace skyhook::element::plugin
