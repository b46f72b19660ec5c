#include "skyhook/simulation/road_shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "skyhook/formalism/body_motion.h"
#include "skyhook/model/surface.h"

namespace skyhook::simulation {
namespace {

constexpr double margin = 2, longest = 500, finest = 0.1;  // m
constexpr int most_rows = 600, columns = 16;

struct Extent {
  double x_first = std::numeric_limits<double>::infinity(), x_last = -x_first;
  double y_first = x_first, y_last = -x_first;
  bool is_empty() const { return !(x_first <= x_last); }
  void hold(double x, double y) {
    x_first = std::min(x_first, x), x_last = std::max(x_last, x);
    y_first = std::min(y_first, y), y_last = std::max(y_last, y);
  }
};

// Where a frame of a body stands and moves at the start. A road that a body carries is left at its design position.
struct Start {
  formalism::Poses poses;
  formalism::Velocities velocities;
};

Extent extent_of(const model::Model& m, const model::Road& road, const Start& start, double duration) {
  Extent all;
  for (const model::Contribution& what : m.contributions) {
    if (road_below(m, what) != &road || what.to.body == model::ground) continue;
    const auto b = static_cast<std::size_t>(what.to.body);
    const bool is_still = road.from.body == model::ground;
    const Vec3d at = is_still ? start.poses[b].c + start.poses[b].R * (what.to.at - m.bodies[b].com) : what.to.at;
    const Vec3d r = transpose_times(road.from.axes, at - road.from.at);
    const Vec3d v = is_still ? transpose_times(road.from.axes, start.velocities[b].v) : Vec3d{};
    all.hold(r.x, r.y);
    const double way = std::hypot(v.x, v.y) * duration, part = way > longest ? longest / way : 1.0;
    all.hold(r.x + part * duration * v.x, r.y + part * duration * v.y);
  }
  if (all.is_empty()) return all;
  return {all.x_first - margin, all.x_last + margin, all.y_first - 0.5 * margin, all.y_last + 0.5 * margin};
}

// Grey where it grips, towards light blue where it is slippery.
std::string colour_of(double friction) {
  const double grip = std::clamp(friction, 0.0, 1.0);
  const auto mix = [&](double slippery, double rough) {
    return static_cast<int>(std::lround(slippery + grip * (rough - slippery)));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mix(150, 112), mix(205, 116), mix(245, 120));
}

// The cells of a grid, one mesh for each step of friction.
std::vector<model::Shape> meshes_of(const model::Road& road, const Extent& e) {
  const model::Surface& s = *road.surface;
  const bool is_even = s.is_plane() && s.parts().stairs.empty() && s.parts().patches.empty();
  const bool is_wide = s.varies_across() || !s.parts().patches.empty() || !s.parts().posts.empty();
  const int nx = is_even ? 1 : std::clamp(static_cast<int>((e.x_last - e.x_first) / finest), 1, most_rows);
  const int ny = is_wide ? columns : 1;
  const double dx = (e.x_last - e.x_first) / nx, dy = (e.y_last - e.y_first) / ny;
  std::map<int, std::pair<model::Mesh, double>> by_friction;
  for (int i = 0; i < nx; ++i) {
    for (int j = 0; j < ny; ++j) {
      const double x = e.x_first + dx * i, y = e.y_first + dy * j, friction = s.friction(x + 0.5 * dx, y + 0.5 * dy);
      auto& [mesh, factor] = by_friction[static_cast<int>(std::lround(20 * friction))];
      factor = friction;
      const auto first = static_cast<std::uint32_t>(mesh.vertices.size() / 3);
      const int segment = s.segment_at(x + 0.5 * dx);
      for (const auto& [a, b] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 1}}) {
        const double height = s.height(x + a * dx, y + b * dy, 0, segment).value;
        for (const double value : {x + a * dx, y + b * dy, height}) mesh.vertices.push_back(static_cast<float>(value));
      }
      for (const std::uint32_t corner : {0u, 1u, 2u, 0u, 2u, 3u}) mesh.corners.push_back(first + corner);
    }
  }
  std::vector<model::Shape> out;
  for (auto& [step, entry] : by_friction) {
    model::Shape shape;
    shape.kind = model::Shape::Kind::mesh;
    shape.at = road.from.at, shape.axes = road.from.axes;
    shape.colour = colour_of(entry.second);
    shape.is_line = true;  // whatever carries the road has its own look beside it
    shape.mesh = std::make_shared<const model::Mesh>(std::move(entry.first));
    out.push_back(std::move(shape));
  }
  return out;
}

}  // namespace

const model::Road* road_below(const model::Model& model, const model::Contribution& what) {
  if (what.joint >= 0) return nullptr;
  const auto is_same = [&](const model::Road& r) { return what.from.name == r.name && what.from.body == r.from.body; };
  const auto found = std::ranges::find_if(model.roads, is_same);
  return found == model.roads.end() ? nullptr : &*found;
}

std::vector<std::string> moving_roads(const model::Model& model) {
  std::vector<std::string> out;
  for (const model::Road& road : model.roads) {
    const model::Surface::Parts& parts = road.surface->parts();
    const auto stands_here = [&](const model::Contribution& what) { return road_below(model, what) == &road; };
    if ((parts.lift || !parts.posts.empty()) && std::ranges::any_of(model.contributions, stands_here))
      out.push_back(road.name);
  }
  return out;
}

std::vector<RoadShape> road_shapes(const Prepared& p, double duration) {
  std::vector<RoadShape> out;
  const model::Model& m = *p.model;
  if (m.roads.empty() || !p.ok()) return out;
  const Start start{formalism::poses_of(*p.all, p.state),
                    formalism::velocities_of(*p.all, p.state, formalism::Drives::move)};
  for (const model::Road& road : m.roads) {
    const Extent extent = extent_of(m, road, start, duration);
    if (extent.is_empty()) continue;
    for (model::Shape& shape : meshes_of(road, extent)) out.push_back({road.from.body, std::move(shape)});
  }
  return out;
}

}  // namespace skyhook::simulation
