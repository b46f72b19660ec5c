#include "skyhook/formalism/closures.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "skyhook/formalism/characteristic_length.h"

namespace skyhook::formalism {
namespace {

using recursive::Equations;
using recursive::Node;

constexpr double turn = 2 * std::numbers::pi;

struct Closure {
  State state;
  double value, misfit;  // of the displacement
  Poses poses;
};

// Tangent coordinates of joints in loops that are free to move, and how far they may.
Vector reach(const Equations& eq, const std::vector<int>& held) {
  Vector out(static_cast<std::size_t>(eq.nv()), 0.0);
  const double length = characteristic_length(eq.model());
  const std::vector<bool> in_loop = joints_in_loops(eq.model());
  for (std::size_t j = 0; j < in_loop.size(); ++j) {
    for (const auto& at : eq.tree().coordinates[j]) {
      if (!in_loop[j] || at.is_driven() || std::ranges::count(held, at.iv) > 0) continue;
      const Node& node =
          eq.tree().nodes[static_cast<std::size_t>(eq.tree().node_of_v[static_cast<std::size_t>(at.iv)])];
      const bool slides = node.kind != Node::Kind::free && node.is_length(at.iv - node.iv);
      const auto first = out.begin() + at.iv;
      std::fill(first, first + (at.in_ball ? 3 : 1), slides ? length : turn / 2);
    }
  }
  return out;
}

// Hinges on the turn nearest to that of `near`: a start from far away may have wound them up.
void unwind(const Equations& eq, const State& near, State& s) {
  for (const Node& node : eq.tree().nodes) {
    if (node.kind != Node::Kind::revolute) continue;
    const auto i = static_cast<std::size_t>(node.iq);
    s.q[i] += turn * std::round((near.q[i] - s.q[i]) / turn);
  }
}

class Search {
 public:
  Search(const Equations& eq, const Displacement& displacement, Linearised& lin, const std::vector<int>& held)
      : eq_(eq), displacement_(displacement), lin_(lin), held_(held), reach_(reach(eq, held)) {}

  Closure at(const State& s) {
    lin_.evaluate(s);
    return {s, displacement_.value(s, lin_), displacement_.misfit(s, lin_), poses_at(eq_, lin_.nodes())};
  }

  // From starts all over the range of the coordinates; the same in each run.
  std::vector<Closure> others(const Closure& known, const State& guess) {
    constexpr int starts = 12;
    std::vector<Closure> out;
    std::mt19937 engine(11);
    std::uniform_real_distribution<> anywhere(-1, 1);
    for (int k = 0; k < starts; ++k) {
      State s = known.state;
      Vector move = reach_;
      for (double& x : move) x *= anywhere(engine);
      eq_.plus(s.q, move);
      Consistency ignored;
      if (!close_loops(eq_, lin_, s, held_, ignored)) continue;
      unwind(eq_, guess, s);
      if (minimise(eq_, displacement_, lin_, s, held_) > 0) continue;
      const Closure found = at(s);
      const auto is_it = [&](const Closure& c) { return is_same(c, found); };
      if (!is_it(known) && std::ranges::none_of(out, is_it)) out.push_back(found);
    }
    return out;
  }

 private:
  bool is_same(const Closure& a, const Closure& b) {
    const double length = characteristic_length(eq_.model());
    double moved = 0, inertia = 0;
    for (std::size_t k = 0; k < a.poses.size(); ++k) {
      const auto& body = eq_.model().bodies[k];
      const Vec3d c = a.poses[k].c - b.poses[k].c;
      moved += body.mass * dot(c, c), inertia += body.mass * length * length + trace(body.inertia);
      for (int i = 0; i < 3; ++i) {
        const Vec3d d = a.poses[k].R[i] - b.poses[k].R[i];
        moved += trace(body.inertia) * dot(d, d);
      }
    }
    return moved < 1e-6 * inertia;
  }

  const Equations& eq_;
  const Displacement& displacement_;
  Linearised& lin_;
  const std::vector<int>& held_;
  Vector reach_;
};

OtherClosure describe(const Equations& eq, const Closure& here, const Closure& other) {
  const auto& tree = eq.tree();
  const Node* most = nullptr;
  const auto differs = [&](const Node& n) { return std::abs(here.state.q[n.iq] - other.state.q[n.iq]); };
  for (const Node& node : tree.nodes) {
    if (node.nq() == 1 && (!most || differs(node) > differs(*most))) most = &node;
  }
  OtherClosure out{2 * (other.value - other.misfit), 2 * (here.value - here.misfit), {}, 0, 0, "rad"};
  if (!most) return out;
  const auto i = static_cast<std::size_t>(most->iq);
  out.name = tree.q_names[i], out.unit = most->is_length(0) ? "m" : "rad";
  out.value = other.state.q[i] + tree.q_reference[i], out.value_here = here.state.q[i] + tree.q_reference[i];
  return out;
}

// Tells mirror images apart by where the bodies are; which of them is the greater means nothing.
double handedness(const Equations& eq, const Closure& c) {
  const Vec3d skew{1, 1.3, 1.7};
  double out = 0;
  for (std::size_t k = 0; k < c.poses.size(); ++k) {
    const auto& body = eq.model().bodies[k];
    out += body.mass * dot(c.poses[k].c, skew);
    for (int i = 0; i < 3; ++i) out += (1 + i) * trace(body.inertia) * dot(c.poses[k].R[i], skew);
  }
  return out;
}

// The least first; of those that are equal but for rounding the one that is greater by handedness.
void sort(const Equations& eq, std::vector<Closure>& all) {
  constexpr double rounding = 1e-9;
  std::ranges::sort(all, {}, &Closure::value);
  const double equal = (1 + rounding) * all.front().value;
  const auto end = std::ranges::find_if(all, [&](const Closure& c) { return c.value > equal; });
  std::sort(all.begin(), end,
            [&](const Closure& a, const Closure& b) { return handedness(eq, a) > handedness(eq, b); });
}

// Hardly further, or not twice as far if no continuous motion speaks for one; and no given value changes more for it.
bool is_near_thing(const Closure& least, const Closure& other, bool led) {
  constexpr double hardly_further = 2, twice_as_far = 4;  // squares
  return other.misfit <= (1 + 1e-3) * least.misfit &&
         other.value - other.misfit <= (led ? hardly_further : twice_as_far) * (least.value - least.misfit);
}

}  // namespace

std::optional<OtherClosure> take_least(const Equations& eq, const Displacement& displacement, Linearised& lin,
                                       const std::vector<int>& held, const State& guess, bool led, State& s) {
  if (largest(reach(eq, held)) == 0) return {};  // no joint of a loop is free
  Search search(eq, displacement, lin, held);
  const Closure led_to = search.at(s);
  std::vector<Closure> all = search.others(led_to, guess);
  if (all.empty()) return {};
  all.push_back(led_to);
  sort(eq, all);
  const Closure& least = all.front();
  s = least.state;
  for (std::size_t k = 1; k < all.size(); ++k) {
    if (is_near_thing(least, all[k], led)) return describe(eq, least, all[k]);
  }
  const bool is_left = least.value < led_to.value;
  return led && is_left ? std::optional(describe(eq, least, led_to)) : std::nullopt;
}

bool close_from_around(const Equations& eq, Linearised& lin, const std::vector<int>& held, const State& guess, State& s,
                       Consistency& out) {
  constexpr int starts = 12;
  const Vector farthest = reach(eq, held);
  if (largest(farthest) == 0) return false;
  std::mt19937 engine(11);
  std::uniform_real_distribution<> anywhere(-1, 1);
  for (int k = 0; k < starts; ++k) {
    const double share = std::pow(10, (k - starts) / 6.0);  // from a hundredth
    Vector move = farthest;
    for (double& x : move) x *= share * anywhere(engine);
    s = guess;
    eq.plus(s.q, move);
    if (!close_loops(eq, lin, s, held, out)) continue;
    unwind(eq, guess, s);
    return true;
  }
  return false;
}

}  // namespace skyhook::formalism
