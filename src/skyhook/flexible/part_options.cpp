#include "skyhook/flexible/part_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "skyhook/flexible/stiffening.h"

namespace skyhook::flexible {
namespace {

std::vector<std::string> node_names(const FeModel& part) {
  std::vector<std::string> names;
  for (const FeNode& n : part.nodes) {
    if (!n.is_inner) names.push_back(n.name);
  }
  return names;
}

int node_named(const FeModel& part, const std::string& name, const std::string& what, const Location& where) {
  const int node = part.find(name);
  if (node < 0)
    throw ModelError(where, fmt::format("{}: the mesh has no node \"{}\".", what, name),
                     suggest(name, node_names(part), "Nodes"));
  return node;
}

std::vector<int> nodes_near(const FeModel& part, const PlaceChoice& choice) {
  std::vector<int> found;
  double nearest = INFINITY;
  int best = 0;
  for (std::size_t i = 0; i < part.nodes.size(); ++i) {
    if (part.nodes[i].is_inner) continue;
    const double distance = norm(part.nodes[i].at - *choice.near);
    if (distance <= choice.radius) found.push_back(static_cast<int>(i));
    if (distance < nearest) nearest = distance, best = static_cast<int>(i);
  }
  if (choice.radius == 0) return {best};
  if (found.empty())
    throw ModelError(
        choice.where,
        fmt::format("place \"{}\": no node is within {:g} m of the point; the nearest, \"{}\", is {:.4g} m away.",
                    choice.name, choice.radius, part.nodes[static_cast<std::size_t>(best)].name, nearest));
  return found;
}

Place place_of(const FeModel& part, const PlaceChoice& choice) {
  std::vector<int> nodes;
  if (choice.near) {
    nodes = nodes_near(part, choice);
  } else {
    for (const std::string& name : choice.nodes)
      nodes.push_back(node_named(part, name, "place \"" + choice.name + "\"", choice.where));
  }
  return place_of_nodes(part, choice.name, nodes, choice.where);
}

// Of the places, or a node.
Place place_or_node(const FeModel& part, const std::vector<Place>& places, const std::string& name, const char* what,
                    const Location& where) {
  for (const Place& p : places) {
    if (p.name == name) return p;
  }
  return place_of_node(part, node_named(part, name, what, where));
}

FrameConditions frame_of(const FeModel& part, const std::vector<Place>& places, const PartOptions& o) {
  const auto find = [&](std::size_t i) { return place_or_node(part, places, o.frame_places[i], "frame", o.where); };
  const std::size_t wanted = o.frame == PartOptions::Frame::mean ? 0 : o.frame == PartOptions::Frame::tangent ? 1 : 2;
  if (o.frame_places.size() != wanted)
    throw ModelError(o.where,
                     fmt::format("the frame needs {} places or nodes, but has {}.", wanted, o.frame_places.size()),
                     "Write `tangent: a`, `chord: [a, b]` or `mean`.");
  if (wanted == 0) return mean_frame(part);
  return wanted == 1 ? tangent_frame(part, find(0)) : chord_frame(part, find(0), find(1));
}

std::vector<Place> held_of(const FeModel& part, const std::vector<Place>& places, const PartOptions& o) {
  std::vector<Place> held;
  for (const std::string& name : o.held.empty() ? o.frame_places : o.held)
    held.push_back(place_or_node(part, places, name, "held", o.where));
  return held;
}

void check_held_places(const PartOptions& o, const std::vector<Place>& places) {
  if (o.reduction.boundary != ReductionOptions::Boundary::held) return;
  for (const Place& p : places) {
    if (p.nodes.size() > 1)
      throw ModelError(
          o.where,
          fmt::format("place \"{}\" has {} nodes, so that the part cannot be held there.", p.name, p.nodes.size()),
          "Write `boundary: free`: vibrations of the free part, with deformations under unit forces at its places.");
  }
}

PlaceDirection place_and_direction(const std::vector<Place>& places, std::string text, const ChannelChoice& choice,
                                   const char* what) {
  while (text.starts_with(' ')) text.erase(0, 1);
  while (text.ends_with(' ')) text.pop_back();
  const std::size_t dot = text.rfind('.');
  static constexpr std::array<const char*, 6> directions{"x", "y", "z", "rx", "ry", "rz"};
  const auto direction = std::ranges::find(directions, dot == std::string::npos ? "" : text.substr(dot + 1));
  std::vector<std::string> names;
  for (const Place& p : places) names.push_back(p.name);
  const auto place = std::ranges::find(names, text.substr(0, dot));
  if (direction != directions.end() && place != names.end())
    return {static_cast<int>(place - names.begin()), static_cast<int>(direction - directions.begin())};
  throw ModelError(
      choice.where, fmt::format("{} \"{}\": \"{}\" is no direction of a place.", what, choice.text, text),
      "Write a place with x, y, z, rx, ry or rz: place.z. " + suggest(text.substr(0, dot), names, "Places"));
}

std::vector<Channel> channels_of(const std::vector<Place>& places, const PartOptions& o) {
  std::vector<Channel> channels;
  for (const ChannelChoice& choice : o.channels) {
    const std::size_t to = choice.text.find('>');
    if (to == std::string::npos)
      throw ModelError(choice.where, fmt::format("channel \"{}\" leads nowhere.", choice.text),
                       "Write it as strut.z > seat.z: a force there, and what moves by it.");
    const auto [a, i] = place_and_direction(places, choice.text.substr(0, to), choice, "channel");
    const auto [b, j] = place_and_direction(places, choice.text.substr(to + 1), choice, "channel");
    channels.push_back({a, i, b, j});
  }
  return channels;
}

Column forces_of(const FeModel& part, const std::vector<Place>& places, const std::vector<Preload>& preload) {
  Column sum = Column::Zero(part.dofs);
  for (const Preload& load : preload) {
    const Dense rows(place_or_node(part, places, load.place, "preload", load.where).rows);
    for (int i = 0; i < 3; ++i) sum += load.force[i] * rows.row(i).transpose();
  }
  return sum;
}

void add_preload(const FeModel& part, const std::vector<Place>& places, const std::vector<Place>& held,
                 const PartOptions& o, Reduced& reduced) {
  if (o.preload.empty()) return;
  const Location& where = o.preload.front().where;
  if (held.empty())
    throw ModelError(where, "a preload needs places that hold the part against it.",
                     "Give a frame that is tangent or a chord, or `held`.");
  if (!knows_stress(part))
    throw ModelError(where, "a preload needs elements whose stress is known, and the part has none.",
                     "Beams, plates and solids of isotropic material have it, matrices alone have not.");
  stiffen(part, stress_stiffness(part, held, reduced.shapes, forces_of(part, places, o.preload)), where, reduced);
}

}  // namespace

ReducedPart reduce_part(const FeModel& part, const PartOptions& o) {
  ReducedPart out;
  for (const PlaceChoice& choice : o.places) out.places.push_back(place_of(part, choice));
  check_held_places(o, out.places);
  ReductionOptions reduction = o.reduction;
  reduction.channels = channels_of(out.places, o);
  for (const ChannelChoice& load : o.static_at)
    reduction.static_at.push_back(place_and_direction(out.places, load.text, load, "static_at"));
  out.reduced = reduce(part, out.places, frame_of(part, out.places, o), reduction);
  const std::vector<Place> held = held_of(part, out.places, o);
  add_preload(part, out.places, held, o, out.reduced);
  if (o.with_stiffening && !held.empty() && !knows_stress(part))
    out.reduced.notes.push_back(
        "no stress of this part is known, so what the stress of its motion stiffens is left out.");
  out.body = modal_body(part, out.places, out.reduced, {o.damping, o.with_stiffening, held});
  return out;
}

}  // namespace skyhook::flexible
