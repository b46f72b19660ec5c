#include "skyhook/formalism/recursive/places_in_use.h"

#include <algorithm>
#include <optional>

#include "skyhook/model/on_line.h"

namespace skyhook::formalism::recursive {

bool is_modal(const model::Body& body) { return body.modal && body.modal->modes > 0; }

double near_of(const model::ModalBody& body) {
  Vec3d low, high;
  for (const model::ModalPoint& p : body.points) {
    for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], p.at[k]), high[k] = std::max(high[k], p.at[k]);
  }
  return 1e-6 * norm(high - low);
}

int point_at(const model::Body& body, const Vec3d& at) {
  if (!is_modal(body)) return -1;
  const double near = near_of(*body.modal);
  const Vec3d r = transpose_times(body.axes, at - body.at);
  for (std::size_t p = 0; p < body.modal->points.size(); ++p) {
    if (norm(body.modal->points[p].at - r) <= near) return static_cast<int>(p);
  }
  return -1;
}

bool modes_move(const model::Body& body, const Vec3d& at) {
  const int p = point_at(body, at);
  if (p < 0) return false;
  const model::ModalPoint& point = body.modal->points[p];
  const auto moves = [](const Vec3d& a) { return a != Vec3d{}; };
  return std::ranges::any_of(point.shift, moves) || std::ranges::any_of(point.turn, moves);
}

namespace {

// look(body, place) for all places that something of the model stands on.
template <class Look>
void each_place(const model::Model& model, Look&& look) {
  const auto look_at = [&](const model::Marker& m) { look(m.body, m.at); };
  for (const model::Joint& joint : model.joints) look(joint.from, joint.at_from), look(joint.to, joint.at_to);
  for (const model::Contribution& what : model.contributions) {
    if (!model::on_line(what.law.get())) look_at(what.from);  // what slides stands on no place of the line
    look_at(what.to);
  }
  for (const model::Marker& marker : model.markers) look_at(marker);
  for (const model::Sensor& sensor : model.sensors) look_at(sensor.from), look_at(sensor.to), look_at(sensor.in);
  for (const model::Road& road : model.roads) look_at(road.from);
  for (const model::Track& track : model.tracks) look_at(track.from);
}

std::vector<int> each_once(std::vector<int> list) {
  std::ranges::sort(list);
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

}  // namespace

std::vector<int> moving_points_in_use(const model::Model& model, int body) {
  std::vector<int> out;
  each_place(model, [&](int on, const Vec3d& at) {
    if (on == body && modes_move(model.bodies[body], at)) out.push_back(point_at(model.bodies[body], at));
  });
  return each_once(std::move(out));
}

std::vector<model::MeshStation> moving_stations_in_use(const model::Model& model, int body) {
  std::vector<model::MeshStation> out;
  const model::NodalMesh& mesh = *model::mesh_of(model.bodies[body]);
  each_place(model, [&](int on, const Vec3d& at) {
    if (on != body ||
        std::ranges::any_of(out, [&](const model::MeshStation& s) { return norm(s.at - at) <= mesh.near; }))
      return;
    std::optional<model::MeshStation> station = mesh.station_at(at);
    if (station && !station->parts.empty()) out.push_back(std::move(*station));
  });
  return out;
}

}  // namespace skyhook::formalism::recursive
