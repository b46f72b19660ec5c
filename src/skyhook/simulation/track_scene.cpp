#include "skyhook/simulation/track_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "skyhook/base/table.h"
#include "skyhook/element/rail/standing.h"
#include "skyhook/formalism/body_motion.h"
#include "skyhook/math/rotation.h"
#include "skyhook/model/contribution.h"
#include "skyhook/model/guide.h"
#include "skyhook/model/profile.h"
#include "skyhook/model/track_line.h"

namespace skyhook::simulation {
namespace {

constexpr double behind = 60, ahead = 150;  // m, drawn beside what is passed
constexpr double drawn_whole = 20e3;        // m: lines up to this
constexpr double nearest = 1e-3,
                 tilt_error = 2e-4;  // of the drawn line from the laid one: m, and of the sine of its tilt
constexpr double shortest_step = 2.5, longest_step = 640;  // m, between stations
constexpr double fine_step = 0.5, coarse_step = 1;         // m, of deviations: their shortest waves have 3 m
constexpr std::size_t most_deviations = 12000;

TrackStation station_at(const model::TrackLine& line, double s) {
  const auto place = line.place(s);
  const auto layout = line.layout(s);
  return {s, place.position, layout.heading, layout.climb, layout.tilt};
}

Vec3d tangent_of(const TrackStation& k) {
  const double flat = std::sqrt(1 - k.climb * k.climb);
  return {flat * std::cos(k.heading), flat * std::sin(k.heading), k.climb};
}

// The cubic through both, at a part of the way.
Vec3d between(const TrackStation& a, const TrackStation& b, double u) {
  const double h = b.s - a.s, v = 1 - u;
  return v * v * (1 + 2 * u) * a.at + u * u * (1 + 2 * v) * b.at + h * u * v * (v * tangent_of(a) - u * tangent_of(b));
}

bool fits(const model::TrackLine& line, const TrackStation& a, const TrackStation& b) {
  for (const double u : {0.25, 0.5, 0.75}) {
    const TrackStation here = station_at(line, a.s + u * (b.s - a.s));
    if (norm(between(a, b, u) - here.at) > nearest) return false;
    if (std::abs(a.tilt + u * (b.tilt - a.tilt) - here.tilt) > tilt_error) return false;
  }
  return true;
}

std::string stations_json(const std::vector<TrackStation>& stations) {
  std::string text;
  for (const TrackStation& k : stations)
    text += fmt::format("{}{:.3f},{:.4f},{:.4f},{:.4f},{:.8g},{:.6g},{:.6g}", text.empty() ? "" : ",", k.s, k.at.x,
                        k.at.y, k.at.z, k.heading, k.climb, k.tilt);
  return "[" + text + "]";
}

std::string outline_json(const model::Profile& p) {
  constexpr int points = 200;
  std::string text;
  for (int k = 0; k <= points; ++k) {
    const auto at = p.at(p.first() + (p.last() - p.first()) * k / points);
    text += fmt::format("{}{:.6f},{:.6f}", text.empty() ? "" : ",", at.y, at.z);
  }
  return fmt::format("{{\"name\":{},\"points\":[{}]}}", json_string(p.name()), text);
}

std::string vector_json(const Vec3d& v) {
  return fmt::format("[{},{},{}]", json_number(v.x), json_number(v.y), json_number(v.z));
}

// In micrometres, which are shorter to write.
std::string deviations_json(const model::TrackLine& line, double first, double last) {
  double step = fine_step;
  if ((last - first) / step > static_cast<double>(most_deviations)) step = coarse_step;
  const auto wanted = static_cast<std::size_t>(std::ceil((last - first) / step)) + 1,
             count = std::min(wanted, most_deviations);
  std::string gauge, alignment, level, cross_level;
  for (std::size_t k = 0; k < count; ++k) {
    const model::Deviations d = line.deviations(first + step * static_cast<double>(k));
    const auto add = [&](std::string& to, const model::Deviations::Derivatives& value) {
      to += fmt::format("{}{}", to.empty() ? "" : ",", std::lround(1e6 * value[0]));
    };
    add(gauge, d.gauge), add(alignment, d.alignment), add(level, d.level), add(cross_level, d.cross_level);
  }
  const std::string left_out =
      count < wanted ? fmt::format(",\"left_out\":{:.0f}", step * static_cast<double>(wanted - count)) : "";
  return fmt::format(
      ",\"deviations\":{{\"first\":{:.3f},\"step\":{},\"gauge\":[{}],\"alignment\":[{}],\"level\":[{}],\"cross_level\":"
      "[{}]{}}}",
      first, step, gauge, alignment, level, cross_level, left_out);
}

}  // namespace

std::vector<TrackStation> stations_of(const model::TrackLine& line, double first, double last) {
  std::vector<TrackStation> out{station_at(line, first)};
  // Pieces begin and end at stations, so that no corner of a ramp is cut.
  std::vector<double> ends;
  double s = 0;
  for (const model::TrackPiece& piece : line.pieces()) {
    if (s > first && s < last) ends.push_back(s);
    s += piece.length;
  }
  if (s > first && s < last) ends.push_back(s);
  ends.push_back(last);
  double step = longest_step;
  for (const double end : ends) {
    while (out.back().s < end - 1e-6) {
      step = std::min(2 * step, longest_step);
      TrackStation next = station_at(line, std::min(out.back().s + step, end));
      while (step > shortest_step && !fits(line, out.back(), next))
        step *= 0.5, next = station_at(line, std::min(out.back().s + step, end));
      out.push_back(next);
    }
  }
  return out;
}

const model::Track* track_below(const model::Model& model, const model::Contribution& what) {
  if (what.joint >= 0 || !element::rail::on_rail_of(what)) return nullptr;
  const auto is_same = [&](const model::Track& t) { return what.from.name == t.name && what.from.body == t.from.body; };
  const auto found = std::ranges::find_if(model.tracks, is_same);
  return found == model.tracks.end() ? nullptr : &*found;
}

const model::Track* track_of(const model::Model& model, const model::Joint& joint) {
  for (const model::Dof& dof : joint.shape.dofs) {
    for (const model::Track& t : model.tracks) {
      if (joint.type == "track" && dof.guide && dof.guide->signature() == "track " + t.name) return &t;
    }
  }
  return nullptr;
}

TrackScene::TrackScene(const Prepared& prepared, double duration) : model_(*prepared.model) {
  if (model_.tracks.empty() || !prepared.ok()) return;
  find(prepared, duration);
  rail_of_track_.assign(tracks_.size(), -1), rail_y_.assign(tracks_.size(), 0), changes_.assign(tracks_.size(), {});
  for (const model::Contribution& what : model_.contributions) {
    const model::Track* track = track_below(model_, what);
    if (!track) continue;
    const auto& wheel = element::rail::on_rail_of(what)->on_rail();
    profile(wheel.wheel.get());
    const auto k = static_cast<std::size_t>(std::ranges::find(tracks_, track, &Shown::track) - tracks_.begin());
    rail_of_track_[k] = profile(wheel.rail.get()), rail_y_[k] = wheel.rail_y;
    for (const element::rail::NextRail& next : element::rail::on_rail_of(what)->next_rails())
      profile(next.place.rail.get());
    changes_[k] = changes_json(what);
  }
}

void TrackScene::see(const model::Track* track, double s, double way) {
  auto shown = std::ranges::find(tracks_, track, &Shown::track);
  if (shown == tracks_.end()) shown = tracks_.insert(tracks_.end(), {track, s, s});
  shown->first = std::min({shown->first, s, s + way}), shown->last = std::max({shown->last, s, s + way});
}

// Where bodies stand on tracks at the start, and how far they come at that speed.
void TrackScene::find(const Prepared& p, double duration) {
  const formalism::Poses poses = formalism::poses_of(*p.all, p.state);
  const formalism::Velocities velocities = formalism::velocities_of(*p.all, p.state, formalism::Drives::move);
  const auto look = [&](const model::Track* track, int body) {
    if (!track || body == model::ground) return;
    const auto b = static_cast<std::size_t>(body);
    const Vec3d r = transpose_times(track->from.axes, poses[b].c - track->from.at),
                v = transpose_times(track->from.axes, velocities[b].v);
    const double s = track->line->foot(r);
    see(track, s, duration * dot(track->line->place(s).tangent(), v));
  };
  for (const model::Contribution& what : model_.contributions) look(track_below(model_, what), what.to.body);
  for (const model::Joint& joint : model_.joints) look(track_of(model_, joint), joint.to);
}

// Each wheel has its own copy of a rail that leans: those with the same name, ends and origin are one.
int TrackScene::known(const model::Profile* p) const {
  const auto is_same = [&](const model::Profile* other) {
    const auto a = p->at(p->first()), b = other->at(other->first()), c = p->at(0.0), d = other->at(0.0);
    return p->name() == other->name() && a.y == b.y && a.z == b.z && c.y == d.y && c.z == d.z &&
           p->last() == other->last();
  };
  const auto found = std::ranges::find_if(profiles_, is_same);
  return found == profiles_.end() ? -1 : static_cast<int>(found - profiles_.begin());
}
int TrackScene::profile(const model::Profile* p) {
  if (const int k = known(p); k >= 0) return k;
  profiles_.push_back(p);
  return static_cast<int>(profiles_.size()) - 1;
}

// Profiles that follow along the line.
std::string TrackScene::changes_json(const model::Contribution& what) const {
  std::string text;
  for (const element::rail::NextRail& next : element::rail::on_rail_of(what)->next_rails())
    text += fmt::format(R"({}{{"begin":{:.6g},"over":{:.6g},"profile":{},"rail_y":{}}})", text.empty() ? "" : ",",
                        next.begin, next.over, known(next.place.rail.get()), json_number(next.place.rail_y));
  return text.empty() ? text : ",\"changes\":[" + text + "]";
}

std::string TrackScene::track_json(const Shown& shown) const {
  const model::Track& t = *shown.track;
  const auto k = static_cast<std::size_t>(&shown - tracks_.data());
  const model::TrackLine& line = *t.line;
  const bool is_whole = !line.is_endless() && line.length() <= drawn_whole;
  const double first = (is_whole ? std::min(0.0, shown.first) : shown.first) - behind;
  const double last =
      (is_whole ? std::max(line.length(), shown.last) : shown.first + 1.25 * (shown.last - shown.first)) + ahead;
  const auto q = quaternion_of(t.from.axes);
  std::string text = fmt::format(
      R"({{"name":{},"body":{},"at":{},"quaternion":[{},{},{},{}],"gauge":{},"base":{},"rail":{},"rail_y":{},"passed":[{:.3f},{:.3f}],"length":{},"stations":{})",
      json_string(t.name), t.from.body, vector_json(t.from.at), json_number(q.w), json_number(q.x), json_number(q.y),
      json_number(q.z), json_number(t.gauge), json_number(t.base), rail_of_track_[k], json_number(rail_y_[k]),
      shown.first, shown.last, line.is_endless() ? "null" : json_number(line.length()),
      stations_json(stations_of(line, first, last)));
  text += changes_[k];
  if (!line.is_even()) text += deviations_json(line, shown.first - behind, shown.last + ahead);
  return text + "}";
}

std::string TrackScene::json() const {
  if (tracks_.empty()) return {};
  std::string tracks, profiles;
  for (const Shown& shown : tracks_) tracks += (tracks.empty() ? "" : ",") + track_json(shown);
  for (const model::Profile* p : profiles_) profiles += (profiles.empty() ? "" : ",") + outline_json(*p);
  return ",\"tracks\":[" + tracks + "],\"profiles\":[" + profiles + "]";
}

std::string TrackScene::wheel_json(const model::Contribution& what) const {
  const model::Track* track = tracks_.empty() ? nullptr : track_below(model_, what);
  if (!track) return {};
  const auto& wheel = element::rail::on_rail_of(what)->on_rail();
  return fmt::format(R"(,"rail":{{"track":{},"side":{},"radius":{},"half":{},"rail_y":{},"wheel":{},"profile":{}{}}})",
                     std::ranges::find(tracks_, track, &Shown::track) - tracks_.begin(), wheel.side > 0 ? 1 : -1,
                     json_number(wheel.radius), json_number(wheel.half), json_number(wheel.rail_y),
                     known(wheel.wheel.get()), known(wheel.rail.get()), changes_json(what));
}

}  // namespace skyhook::simulation
