#include "skyhook/flexible/ancf_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "skyhook/flexible/ancf_shape.h"
#include "skyhook/math/rotation.h"

namespace skyhook::flexible {

model::MeshStation AncfLines::nearest(const Vec3d& place) const {
  const AncfLine* best = nullptr;
  double best_s = 0, least = INFINITY;
  for (const AncfLine& line : lines_) {
    const double s = std::clamp(dot(place - line.from, line.axes.column(0)), 0.0, line.whole());
    const double away = norm(place - line.at(s));
    if (away < least - near_) best = &line, best_s = s, least = away;  // of several in one place the first
  }
  return frame(*best, best_s);
}

std::vector<std::string> AncfLines::apart_at(const Vec3d& place) const {
  std::vector<std::string> out;
  for (const AncfLine& line : lines_) {
    const double s = std::clamp(dot(place - line.from, line.axes.column(0)), 0.0, line.whole());
    if (norm(place - line.at(s)) > near_ || (!out.empty() && goes_with_lines_before(line, s))) continue;
    out.push_back(frame(line, s).name);
    if (out.size() == 2) return out;
  }
  return {};
}

// A node without a coordinate of the line's own: welded, or held by the ground.
bool AncfLines::goes_with_lines_before(const AncfLine& line, double s) const {
  const int node = static_cast<int>(std::lround(s / line.length));
  if (std::abs(s - node * line.length) > near_) return false;
  for (std::size_t v = 0; v < line.vectors.size(); ++v) {
    for (int c = 0; c < line.dimension(); ++c) {
      if (std::ranges::any_of(line.of(node, v, c), [&](const auto& term) { return term.first >= line.first; }))
        return false;
    }
  }
  return true;
}

model::MeshStation AncfLines::frame(const AncfLine& line, double s) const {
  const int node = static_cast<int>(std::lround(s / line.length));
  const bool is_node = std::abs(s - node * line.length) <= near_;
  const int element =
      is_node ? std::min(node, line.elements - 1) : std::min(static_cast<int>(s / line.length), line.elements - 1);
  const double xi = is_node ? node - element : s / line.length - element;
  AncfFrame out{line.axes, line.kind, {}, {}, {}};
  const std::size_t n = line.vectors.size();
  for (std::size_t k = 0; k < 2 * n; ++k) {
    const AncfVector v = line.vectors[k % n];
    const AncfShape f = ancf_shape(v, k >= n, xi, line.length);
    const auto add = [&](AncfSum(&to)[3], double share) {
      for (int c = 0; c < line.dimension() && share != 0.0; ++c) {
        for (const auto& [i, factor] : line.of(element + (k >= n), k % n, c)) to[c].push_back({i, share * factor});
      }
    };
    if (!is_across(v)) add(out.r, f.value);
    if (is_cable(line.kind) ? !is_across(v) : v == AncfVector::ry)
      add(out.first, is_cable(line.kind) ? f.slope : f.value);
    if (v == AncfVector::rz) add(out.second, f.value);
  }
  const std::string name = is_node ? line.name_of(node) : fmt::format("{}{:.4g} m from its start", line.prefix, s);
  return station_of(out, name, line.at(is_node ? node * line.length : s));
}

namespace {

// The vectors of a line's nodes in its axes, r from its start, at q; or of a change of q alone.
std::vector<Vec3d> ancf_vectors(const AncfLine& line, std::span<const double> q, bool with_design) {
  std::vector<Vec3d> out;
  for (int node = 0; node <= line.elements; ++node) {
    for (std::size_t k = 0; k < line.vectors.size(); ++k) {
      Vec3d& v = out.emplace_back();
      for (int c = 0; c < line.dimension(); ++c) {
        if (with_design) v[c] = line.design_of(node, line.vectors[k], c);
        for (const auto& [i, factor] : line.of(node, k, c)) v[c] += factor * q[static_cast<std::size_t>(i)];
      }
    }
  }
  return out;
}

// The rotation w for which w x a is nearest to the changes of all vectors a; of one vector the smallest.
Vec3d nearest_turn(std::span<const Vec3d> vectors, std::span<const Vec3d> changes) {
  Mat3d A;  // sum of |a|^2 - a a^T
  Vec3d b;
  double size = 0;
  for (std::size_t k = 0; k < vectors.size(); ++k) {
    const double square = dot(vectors[k], vectors[k]);
    A += Mat3d::diagonal({square, square, square}) - outer(vectors[k], vectors[k]);
    b += cross(vectors[k], changes[k]), size += square;
  }
  if (!(size > 0)) return {};
  const Vec3d x = cross(A.r1, A.r2), y = cross(A.r2, A.r0), z = cross(A.r0, A.r1);
  const double det = dot(A.r0, x);
  if (det > 1e-6 * size * size * size)
    return (1 / det) * Vec3d{dot(Vec3d{x.x, y.x, z.x}, b), dot(Vec3d{x.y, y.y, z.y}, b), dot(Vec3d{x.z, y.z, z.z}, b)};
  return (1 / size) * b;  // all along one line
}

Vec3d turned(const Vec3d& w, const Vec3d& a) {
  const double angle = norm(w);
  return angle > 0 ? axis_rotation((1 / angle) * w, std::cos(angle), std::sin(angle)) * a : a;
}

}  // namespace

void AncfLines::bend(std::span<const double> step, std::span<double> q) const {
  const std::vector<double> before(q.begin(), q.end());
  for (std::size_t i = 0; i < q.size(); ++i) q[i] += step[i];
  for (const AncfLine& line : lines_) {
    const std::vector<Vec3d> at = ancf_vectors(line, before, true), change = ancf_vectors(line, step, false),
                             moved = ancf_vectors(line, q, true);
    const std::size_t n = line.vectors.size(), last = static_cast<std::size_t>(line.elements);
    std::vector<Vec3d> to(at.size());
    for (std::size_t node = 0; node <= last; ++node) {
      const auto slopes = std::span(at).subspan(node * n + 1, n - 1),
                 changes = std::span(change).subspan(node * n + 1, n - 1);
      const Vec3d w = nearest_turn(slopes, changes);
      for (std::size_t k = 0; k + 1 < n; ++k)
        to[node * n + 1 + k] = turned(w, slopes[k] + changes[k] - cross(w, slopes[k]));
    }
    to[0] = moved[0];  // what a line before this one has shared stands where that has put it
    for (std::size_t node = 1; node <= last; ++node) {
      const Vec3d chord = at[node * n] - at[(node - 1) * n], grown = change[node * n] - change[(node - 1) * n];
      const Vec3d w = nearest_turn(std::span(&chord, 1), std::span(&grown, 1));
      to[node * n] = to[(node - 1) * n] + turned(w, chord + grown - cross(w, chord));
    }
    // an end that is held, or shared, stands where it is: the gap is shared out along the line
    bool is_free = true;
    for (int c = 0; c < line.dimension(); ++c) is_free = is_free && line.owns(line.of(line.elements, 0, c));
    const Vec3d gap = is_free ? Vec3d{} : moved[last * n] - to[last * n];
    for (std::size_t node = 1; node <= last; ++node)
      to[node * n] += (static_cast<double>(node) / static_cast<double>(last)) * gap;
    for (std::size_t node = 0; node <= last; ++node) {
      for (std::size_t k = 0; k < n; ++k) {
        for (int c = 0; c < line.dimension(); ++c) {
          const AncfSum& sum = line.of(static_cast<int>(node), k, c);
          if (line.owns(sum))
            q[static_cast<std::size_t>(sum[0].first)] =
                to[node * n + k][c] - line.design_of(static_cast<int>(node), line.vectors[k], c);
        }
      }
    }
  }
}

void bend_along(const model::NodalMesh& mesh, std::span<const double> step, std::span<double> q) {
  dynamic_cast<const AncfLines&>(*mesh.lines).bend(step, q);
}

}  // namespace skyhook::flexible
