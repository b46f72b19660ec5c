#include "skyhook/simulation/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "skyhook/base/table.h"
#include "skyhook/element/tyre/slip.h"
#include "skyhook/math/rotation.h"
#include "skyhook/model/modal_body.h"
#include "skyhook/model/on_road.h"
#include "skyhook/model/surface.h"
#include "skyhook/simulation/beam_scene.h"
#include "skyhook/simulation/road_shapes.h"
#include "skyhook/simulation/track_scene.h"

namespace skyhook::simulation {
namespace {

using model::Model;

struct Frame {
  Vec3d at;
  Mat3d axes = Mat3d::identity();
};

Frame frame_of(const Model& m, int body) {
  if (body == model::ground) return {};
  const model::Body& b = m.bodies[static_cast<std::size_t>(body)];
  return {b.at, b.axes};
}

template <class Items, class Print>
std::string list(const Items& items, Print print) {
  std::string text = "[";
  for (const auto& item : items) {
    if (text.size() > 1) text += ',';
    text += print(item);
  }
  text += ']';
  return text;
}

std::string numbers(std::initializer_list<double> values) { return list(values, json_number); }
std::string vector(const Vec3d& v) { return numbers({v.x, v.y, v.z}); }
// Of a point and of axes given at the design position, in the body's frame.
std::string point(const Frame& body, const Vec3d& p) { return vector(transpose_times(body.axes, p - body.at)); }
std::string turn(const Frame& body, const Mat3d& axes) {
  const auto q = quaternion_of(transpose(body.axes) * axes);
  return numbers({q.w, q.x, q.y, q.z});
}

const char* kind_name(model::Shape::Kind kind) {
  switch (kind) {
    case model::Shape::Kind::box: return "box";
    case model::Shape::Kind::cylinder: return "cylinder";
    case model::Shape::Kind::sphere: return "sphere";
    case model::Shape::Kind::wheel: return "wheel";
    case model::Shape::Kind::rod: return "rod";
    case model::Shape::Kind::mesh: return "mesh";
  }
  return "";
}

std::string shape(const Frame& body, const model::Shape& s) {
  std::string text =
      fmt::format(R"({{"kind":"{}","at":{},"quaternion":{},"size":{},"radius":{},"length":{},"colour":{})",
                  kind_name(s.kind), point(body, s.at), turn(body, s.axes), vector(s.size), json_number(s.radius),
                  json_number(s.length), json_string(s.colour));
  if (s.is_line) text += ",\"line\":true";
  if (s.mesh) {
    // Seven digits are all that a float has.
    text += ",\"vertices\":" + list(s.mesh->vertices, [](float x) { return fmt::format("{:.7g}", x); });
    text += ",\"corners\":" + list(s.mesh->corners, [](std::uint32_t i) { return std::to_string(i); });
  }
  return text + "}";
}

// Those of a body, and the roads that it carries.
std::string shapes(const Model& m, int body, const std::vector<model::Shape>& own,
                   const std::vector<RoadShape>& roads) {
  std::vector<const model::Shape*> all;
  for (const model::Shape& s : own) all.push_back(&s);
  for (const RoadShape& road : roads) {
    if (road.body == body) all.push_back(&road.shape);
  }
  return list(all, [&](const model::Shape* s) { return shape(frame_of(m, body), *s); });
}

std::string tree_of(const formalism::Topology& topology, std::size_t body) {
  const auto& link = topology.links[static_cast<std::size_t>(topology.link_of_body[body])];
  return fmt::format(R"({{"parent":{},"joint":{},"reversed":{},"depth":{}}})", link.parent, link.joint, link.reversed,
                     link.depth);
}

// Seven digits are all that a float has, and shapes are long lists.
std::string short_vector(const Vec3d& v) { return fmt::format("[{:.7g},{:.7g},{:.7g}]", v.x, v.y, v.z); }

// Of a body that bends: points with shift and turn of each mode, lines and triangles between them, and the names of the states that are its modal
// coordinates: a page can draw it as it bends.
std::string modes(const Prepared& p, std::size_t number) {
  const auto& all = p.active->modal();
  const auto found = std::ranges::find(all, static_cast<int>(number), &Equations::Modal::body);
  if (found == all.end()) return "";
  const model::ModalBody& modal = *p.model->bodies[number].modal;
  const auto state = [&](int k) {
    return json_string(p.active->position_names()[static_cast<std::size_t>(found->iq + k)]);
  };
  std::vector<int> numbers_of_modes(static_cast<std::size_t>(found->modes));
  std::iota(numbers_of_modes.begin(), numbers_of_modes.end(), 0);
  const auto indices = [](const auto& corners) { return list(corners, [](int i) { return std::to_string(i); }); };
  const auto fields = [&](auto field) {
    return list(modal.points, [&](const model::ModalPoint& point) { return list(point.*field, short_vector); });
  };
  std::string text =
      fmt::format(R"(,"modes":{{"states":{},"frequencies":{},"points":{},"shifts":{},"lines":{},"triangles":{})",
                  list(numbers_of_modes, state), list(modal.frequencies_hz, json_number),
                  list(modal.points, [](const auto& point) { return vector(point.at); }),
                  fields(&model::ModalPoint::shift), list(modal.lines, indices), list(modal.triangles, indices));
  if (!modal.lines.empty())
    text += ",\"turns\":" + fields(&model::ModalPoint::turn);  // of solids the surface says it all
  return text + "}";
}

std::string body(const Prepared& p, std::size_t number, const std::vector<RoadShape>& roads) {
  const model::Body& b = p.model->bodies[number];
  const Frame frame{b.at, b.axes};
  const Mat3d i = transpose(b.axes) * b.inertia * b.axes;
  const auto q = quaternion_of(b.axes);
  return fmt::format(R"({{"name":{},"mass":{},"com":{},"inertia":{},"at":{},"quaternion":{},"shapes":{},"tree":{}{}}})",
                     json_string(b.name), json_number(b.mass), point(frame, b.com),
                     numbers({i.r0.x, i.r1.y, i.r2.z, i.r0.y, i.r0.z, i.r1.z}), vector(b.at),
                     numbers({q.w, q.x, q.y, q.z}), shapes(*p.model, static_cast<int>(number), b.shapes, roads),
                     tree_of(p.topology, number), modes(p, number));
}

// "from":0,"to":1,"at_from":[...],"at_to":[...] of two points on bodies
std::string ends(const Model& m, int from, const Vec3d& at_from, int to, const Vec3d& at_to) {
  return fmt::format(R"("from":{},"to":{},"at_from":{},"at_to":{})", from, to, point(frame_of(m, from), at_from),
                     point(frame_of(m, to), at_to));
}

std::string joint(const Prepared& p, const model::Joint& j) {
  const Model& m = *p.model;
  const auto number = static_cast<std::size_t>(&j - m.joints.data());
  const Vec3d axis = transpose_times(frame_of(m, j.from).axes, j.axis);
  return fmt::format(R"({{"name":{},"type":{},{},"axis":{},"cut":{},"coordinates":{}}})", json_string(j.name),
                     json_string(j.type), ends(m, j.from, j.at_from, j.to, j.at_to), vector(axis),
                     p.topology.link_of_joint[number] < 0,
                     list(
                         j.shape.dofs, [](const model::Dof& d) { return json_string(d.name); }));
}

// Where a wheel stands at design.
struct Stand {
  double height, friction;  // of its centre above the road; of the road there
};
std::optional<Stand> stand_of(const Model& m, const model::Contribution& f) {
  if (const model::Road* road = road_below(m, f)) {
    const Vec3d r = transpose_times(road->from.axes, f.to.at - road->from.at);
    const double height = road->surface->height(r.x, r.y, 0, road->surface->segment_at(r.x)).value;
    return Stand{r.z - height, road->surface->friction(r.x, r.y)};
  }
  if (!model::on_road(f) || f.from.body != model::ground) return {};
  return Stand{transpose_times(f.from.axes, f.to.at - f.from.at).z,
               1};  // heights of its own are a profile over that plane
}

// The largest force over slips up to 1, by the load; nothing where it still rises there, as that of a linear law. Curves of tyres have one peak: the
// neighbourhood of the largest of few points has the largest of all.
template <class Force>
std::optional<double> largest_over_load(double load, const Force& force) {
  constexpr int points = 200, stride = 10;
  double largest = 0, before_end = 0;
  int at = 0;
  const auto look = [&](int k) {
    double here = 0;  // of both signs, which are not the same where the tyre has a hand
    for (const double slip : {double(k) / points, -double(k) / points})
      here = std::max(here, std::abs(force(slip)) / load);
    if (!(here <= largest)) largest = here, at = k;
  };
  for (int k = stride; k <= points; k += stride) {
    look(k);
    if (k == points * 3 / 4) before_end = largest;
  }
  constexpr double still_rises = 1.05;
  if (!std::isfinite(largest) || largest > still_rises * before_end) return {};
  const int from = std::max(at - stride, 0) + 1, until = std::min(at + stride, points);
  for (int k = from; k < until; ++k) look(k);
  return largest;
}

// [along, across]: the largest forces of a tyre by its usual load.
std::string friction_of(const model::Contribution& f, double road_friction) {
  const auto* tyre = dynamic_cast<const element::tyre::Characteristic*>(f.law.get());
  const double load = tyre ? tyre->usual_load() : 0;
  if (!(load > 0)) return {};
  constexpr double speed = 20;  // m/s
  using Slip = element::tyre::Slip<double>;
  const auto along = largest_over_load(load, [&](double k) {
    return tyre->force(Slip{k, 0, 0, load, speed, road_friction}).fx;
  });
  const auto across = largest_over_load(load, [&](double k) {
    return tyre->force(Slip{0, k, 0, load, speed, road_friction}).fy;
  });
  if (!along || !across) return {};
  return ",\"friction\":" + numbers({*along, *across});
}

std::string force(const Model& m, const model::Contribution& f, const TrackScene& tracks) {
  const std::string where =
      f.joint >= 0 ? fmt::format("\"joint\":{}", f.joint) : ends(m, f.from.body, f.from.at, f.to.body, f.to.at);
  std::string wheel;
  if (const auto stand = f.joint < 0 ? stand_of(m, f) : std::nullopt)
    wheel = ",\"track\":" + json_number(stand->height) + friction_of(f, stand->friction);
  wheel += tracks.wheel_json(f);
  return fmt::format(R"({{"name":{},"type":{},{}{}}})", json_string(f.name), json_string(f.type), where, wheel);
}

std::string marker(const Model& m, const model::Marker& k) {
  const Frame frame = frame_of(m, k.body);
  return fmt::format(R"({{"name":{},"body":{},"at":{},"quaternion":{}}})", json_string(k.name), k.body,
                     point(frame, k.at), turn(frame, k.axes));
}

}  // namespace

std::string scene_of(const Prepared& p, double duration) {
  const Model& m = *p.model;
  const std::vector<RoadShape> roads = road_shapes(p, duration);
  const TrackScene tracks(p, duration);
  std::vector<std::size_t> numbers_of_bodies(m.bodies.size());
  for (std::size_t i = 0; i < m.bodies.size(); ++i) numbers_of_bodies[i] = i;
  std::string text =
      fmt::format(R"({{"gravity":{},"degrees_of_freedom":{},"coordinates":{},"constraints":{},"redundant":{})",
                  vector(m.gravity), p.degrees_of_freedom(), p.all->moving(), p.all->ng(), p.all->ng() - p.rank.rank);
  text += ",\"ground\":{\"shapes\":" + shapes(m, model::ground, m.ground_shapes, roads) + "}";
  if (const auto moving = moving_roads(m); !moving.empty()) text += ",\"moving_roads\":" + list(moving, json_string);
  text += tracks.json();
  text += ",\"bodies\":" + list(numbers_of_bodies, [&](std::size_t i) { return body(p, i, roads); });
  text += bent_lines(p);
  text += ",\"markers\":" + list(m.markers, [&](const model::Marker& k) { return marker(m, k); });
  text += ",\"joints\":" + list(m.joints, [&](const model::Joint& j) { return joint(p, j); });
  const auto chosen = [&](auto wanted) {
    std::vector<const model::Contribution*> found;
    for (const model::Contribution& what : m.contributions) {
      if (wanted(what)) found.push_back(&what);
    }
    return found;
  };
  text += ",\"rods\":" + list(chosen([](const auto& what) { return what.is_rod(); }), [&](const auto* rod) {
            return fmt::format(R"({{"name":{},{}}})", json_string(rod->name),
                               ends(m, rod->from.body, rod->from.at, rod->to.body, rod->to.at));
          });
  text += ",\"couplers\":" + list(chosen([](const auto& what) { return what.is_coupler(); }), [&](const auto* c) {
            return fmt::format(R"({{"name":{},"joints":{}}})", json_string(c->name),
                               list(c->row->terms, [](const auto& term) { return std::to_string(term.joint); }));
          });
  return text + ",\"forces\":" + list(model::forces_of(m), [&](const auto* f) { return force(m, *f, tracks); }) + "}";
}

}  // namespace skyhook::simulation
