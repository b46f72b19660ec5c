#include "skyhook/analysis/bogies.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "skyhook/model/track_line.h"
#include "skyhook/simulation/track_scene.h"

namespace skyhook::analysis {
namespace {

using Wheels = std::map<int, const model::Contribution*>;  // one of each body that has some

Wheels wheels_of(const model::Model& m) {
  Wheels out;
  for (const model::Contribution& what : m.contributions) {
    if (what.to.body != model::ground && simulation::track_below(m, what)) out[what.to.body] = &what;
  }
  return out;
}

// For each body the only wheelset that joints connect it to, or -1.
std::vector<int> wheelset_of(const model::Model& m, const Wheels& wheels) {
  std::vector<int> group(m.bodies.size()), out(m.bodies.size(), -1);
  std::iota(group.begin(), group.end(), 0);
  for (const model::Joint& joint : m.joints) {
    if (joint.from == model::ground || joint.to == model::ground) continue;
    const int a = group[static_cast<std::size_t>(joint.from)], b = group[static_cast<std::size_t>(joint.to)];
    std::ranges::replace(group, a, b);
  }
  for (std::size_t k = 0; k < group.size(); ++k) {
    const auto is_near = [&](const auto& wheel) { return group[static_cast<std::size_t>(wheel.first)] == group[k]; };
    if (wheels.contains(static_cast<int>(k)))
      out[k] = static_cast<int>(k);
    else if (std::ranges::count_if(wheels, is_near) == 1)
      out[k] = std::ranges::find_if(wheels, is_near)->first;
  }
  return out;
}

std::vector<Bogie> fastened(const model::Model& m) {
  const Wheels wheels = wheels_of(m);
  const std::vector<int> wheelset = wheelset_of(m, wheels);
  const auto of = [&](int body) { return body == model::ground ? -1 : wheelset[static_cast<std::size_t>(body)]; };
  std::map<int, Bogie> found;
  const auto fasten = [&](int frame, int to) {
    if (frame != model::ground && of(frame) < 0 && of(to) >= 0) found[frame].wheelsets.insert(of(to));
  };
  for (const model::Contribution& what : m.contributions) {
    if (what.joint < 0) fasten(what.from.body, what.to.body), fasten(what.to.body, what.from.body);
  }
  std::vector<Bogie> out;
  for (auto& [frame, bogie] : found) {
    if (bogie.wheelsets.size() < 2) continue;
    const model::Contribution& wheel = *wheels.at(*bogie.wheelsets.begin());
    bogie.frame = frame, bogie.track = simulation::track_below(m, wheel),
    bogie.wheel = &element::rail::on_rail_of(wheel)->on_rail();
    bogie.members = {frame};
    for (int b = 0; b < std::ssize(m.bodies); ++b) {
      if (bogie.wheelsets.contains(of(b))) bogie.members.insert(b);
    }
    out.push_back(std::move(bogie));
  }
  return out;
}

int body_above(const model::Model& m, const Bogie& bogie) {
  std::map<int, int> count;
  const auto connect = [&](int a, int b) {
    if (a != model::ground && b != model::ground && bogie.members.contains(a) != bogie.members.contains(b))
      ++count[bogie.members.contains(a) ? b : a];
  };
  for (const model::Contribution& what : m.contributions) {
    if (what.joint < 0) connect(what.from.body, what.to.body);
  }
  for (const model::Joint& joint : m.joints) connect(joint.from, joint.to);
  const auto most = std::ranges::max_element(count, {}, [](const auto& each) { return each.second; });
  return most == count.end() ? model::ground : most->first;
}

void measure(const model::Model& m, Bogie& bogie) {
  const Vec3d along = bogie.track->from.axes.column(0);
  double first = HUGE_VAL, last = -HUGE_VAL;
  for (const int b : bogie.wheelsets) {
    const Vec3d at = m.bodies[static_cast<std::size_t>(b)].com;
    bogie.middle = bogie.middle + (1.0 / static_cast<double>(bogie.wheelsets.size())) * at;
    first = std::min(first, dot(along, at)), last = std::max(last, dot(along, at));
  }
  bogie.base = last - first;
}

// A body on one bogie has its middle at its centre of mass.
void place(const model::Model& m, std::vector<Bogie>& bogies, Bogie& bogie) {
  const Vec3d along = bogie.track->from.axes.column(0);
  double first = HUGE_VAL, last = -HUGE_VAL;
  int count = 0;
  for (const Bogie& other : bogies) {
    if (other.above != bogie.above) continue;
    first = std::min(first, dot(along, other.middle)), last = std::max(last, dot(along, other.middle)), ++count;
  }
  const double middle =
      count > 1 ? 0.5 * (first + last) : dot(along, m.bodies[static_cast<std::size_t>(bogie.above)].com);
  bogie.ahead = dot(along, bogie.middle) - middle;
  bogie.half_chord = std::max(0.5 * (last - first), std::abs(bogie.ahead));
}

double off_diameter(double x, double bend) { return std::sqrt(std::max(0.0, 1 / (bend * bend) - x * x)); }

}  // namespace

double Bogie::turn(double bend) const { return std::asin(std::clamp(ahead * bend, -1.0, 1.0)); }
double Bogie::shift(double bend) const {
  return bend == 0 ? 0.0 : std::copysign(1.0, -bend) * (off_diameter(ahead, bend) - off_diameter(half_chord, bend));
}

std::vector<Bogie> bogies_of(const model::Model& m) {
  std::vector<Bogie> out = fastened(m);
  for (Bogie& bogie : out) bogie.above = body_above(m, bogie), measure(m, bogie);
  std::erase_if(out, [](const Bogie& bogie) { return bogie.above == model::ground || bogie.base == 0; });
  for (Bogie& bogie : out) place(m, out, bogie);
  return out;
}

std::vector<Bend> sharpest_bends(const model::TrackLine& line) {
  constexpr int parts = 8;  // of a piece
  Bend left, right;
  double begin = 0;
  for (const model::TrackPiece& piece : line.pieces()) {
    for (int k = 0; k <= parts; ++k) {
      const double x = piece.length * k / parts, bend = piece.curvature.at(x);
      Bend& most = bend > 0 ? left : right;
      if (std::abs(bend) > std::abs(most.bend) * (1 + 1e-6)) most = {begin + x, bend};
    }
    begin += piece.length;
  }
  return std::abs(left.bend) < std::abs(right.bend) ? std::vector{right, left} : std::vector{left, right};
}

}  // namespace skyhook::analysis
