#include "skyhook/formalism/conditions.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "skyhook/formalism/characteristic_length.h"
#include "skyhook/math/rotation.h"

namespace skyhook::formalism {

using recursive::Equations;
using Nodes = std::vector<recursive::NodeState>;

Conditions::Conditions(const Equations& eq, GivenValues values, Of of)
    : eq_(eq), values_(std::move(values)), rates_(of == Of::rates), length_(characteristic_length(eq.model())) {
  const std::vector<bool> in_loop = joints_in_loops(eq.model());
  const auto& tree = eq.tree();
  for (const GivenValue& given : values_) {
    const model::Joint& joint = eq.model().joints[given.joint];
    const auto& coordinates = tree.coordinates[given.joint];
    Place place;
    const bool ball = is_in_ball(joint, given.scalar);
    if (!coordinates.empty() && !ball)
      place.iq = coordinates[given.scalar].iq, place.iv = coordinates[given.scalar].iv;
    else
      place.pair = recursive::make_pair(tree, tree.place(joint.from, joint.at_from, Mat3d::identity()),
                                        tree.place(joint.to, joint.at_to, Mat3d::identity()));
    place.target = given.value, place.design = joint.reference[given.scalar];
    place.ramps = !rates_ && in_loop[given.joint];
    if (place.ramps && !is_length(static_cast<int>(places_.size()))) {
      constexpr double turn = 2 * std::numbers::pi;
      place.design += turn * std::round((given.value - place.design) / turn);
    }
    places_.push_back(std::move(place));
  }
  for (int k = 0; !rates_ && k + 2 < count(); ++k) {
    const GivenValue &first = values_[k], &last = values_[k + 2];
    const bool whole = first.joint == last.joint && last.scalar == first.scalar + 2;
    if (!whole || !is_in_ball(eq.model().joints[first.joint], first.scalar)) continue;
    for (int i = 0; i < 3; ++i) places_[k + i].in_whole_ball = i, places_[k + i].ramps = false;
    k += 2;
  }
}

bool Conditions::is_met(int k, const Vector& differences, double within) const {
  const int ball = places_[k].in_whole_ball, first = k - std::max(ball, 0), last = ball < 0 ? k : first + 2;
  for (int i = first; i <= last; ++i) {
    if (!(std::abs(differences[i]) <= within)) return false;
  }
  return true;
}

bool Conditions::is_length(int k) const {
  return coordinate_unit(eq_.model().joints[values_[k].joint], values_[k].scalar, false)[0] == 'm';
}

void Conditions::set_share(double share) {
  for (std::size_t k = 0; k < places_.size(); ++k) {
    if (places_[k].ramps && share < 1)
      places_[k].target = places_[k].design + share * (values_[k].value - places_[k].design);
    else
      places_[k].target = values_[k].value;
  }
}

double Conditions::largest_change() const {
  double most = 0;
  for (int k = 0; k < count(); ++k) {
    if (!places_[k].ramps) continue;
    most = std::max(most, std::abs(values_[k].value - places_[k].design) / (is_length(k) ? length_ : 1.0));
  }
  return most;
}

void Conditions::put_tree_values(Span q) const {
  for (int k = 0; k < count(); ++k) {
    const Place& place = places_[k];
    if (place.iv >= 0) q[place.iq] = place.target - eq_.model().joints[values_[k].joint].reference[values_[k].scalar];
  }
}

void Conditions::put_exact_rates(Span v) const {
  for (const Place& place : places_) {
    if (place.iv >= 0 && std::abs(v[place.iv] - place.target) < 1e-12 * (1 + std::abs(place.target)))
      v[place.iv] = place.target;
  }
}

JointMotion Conditions::motion(const Place& place, const Nodes& nodes) const {
  recursive::PairMotion m;
  recursive::relative_motion(place.pair, nodes, 0.0, m);
  return {m.rel.r, m.rel.R, m.rel.v, m.rel.w};
}

Vector Conditions::used(CSpan q, CSpan v, const Nodes& nodes) const {
  Vector out;
  for (int k = 0; k < count(); ++k) {
    const model::Joint& joint = eq_.model().joints[values_[k].joint];
    const int scalar = values_[k].scalar;
    const Place& place = places_[k];
    if (place.iv >= 0) {
      out.push_back(rates_ ? v[place.iv] : q[place.iq] + joint.reference[scalar]);
      continue;
    }
    const JointMotion m = motion(place, nodes);
    if (rates_) {
      out.push_back(measure_rates(joint, m)[scalar]);
      continue;
    }
    Vector near;
    for (std::size_t i = 0; i < joint.position.size(); ++i)
      near.push_back(joint.position[i].value_or(joint.reference[i]));
    near[scalar] = place.target;
    out.push_back(measure_positions(joint, m, near)[scalar]);
  }
  return out;
}

Vector Conditions::differences(CSpan q, CSpan v, const Nodes& nodes) const {
  Vector out = used(q, v, nodes);
  for (int k = 0; k < count(); ++k) {
    if (is_whole_ball(k)) {
      const Mat3d wanted = cardan_rotation({places_[k].target, places_[k + 1].target, places_[k + 2].target});
      const Vec3d missing = rotation_vector(transpose(wanted) * motion(places_[k], nodes).R);
      for (int i = 0; i < 3; ++i) out[k + i] = missing[i];
      k += 2;
      continue;
    }
    out[k] -= places_[k].target;
    if (is_length(k)) out[k] /= length_;
  }
  return out;
}

DenseMatrix Conditions::rows(const Nodes& nodes) const {
  DenseMatrix out(count(), eq_.nv());
  for (const RowEntry& e : entries(nodes)) out(e.row, e.column) = e.value;
  return out;
}

namespace {

// A point of a body that bends follows its modes.
void add_to_modes(const recursive::Tree& tree, int row, int column, double value,
                  std::vector<Conditions::RowEntry>& out) {
  const recursive::Node& node = tree.nodes[static_cast<std::size_t>(tree.node_of_v[static_cast<std::size_t>(column)])];
  const recursive::Waist& waist = *node.waist;
  for (int mode = 0; mode < waist.modes; ++mode) {
    const double part = value * waist.factor(column - node.iv, mode);
    const auto same =
        std::ranges::find_if(out, [&](const auto& e) { return e.row == row && e.column == waist.iv + mode; });
    if (same == out.end())
      out.push_back({row, waist.iv + mode, part});
    else
      same->value += part;
  }
}

}  // namespace

std::vector<Conditions::RowEntry> Conditions::entries(const Nodes& nodes) const {
  std::vector<RowEntry> out;
  for (int k = 0; k < count(); ++k) {
    const Place& place = places_[k];
    const double scale = is_length(k) ? 1 / length_ : 1.0;
    if (place.iv >= 0) {
      out.push_back({k, place.iv, scale});
      continue;
    }
    recursive::PairMotion m;
    recursive::relative_motion(place.pair, nodes, 0.0, m);
    const model::Joint& joint = eq_.model().joints[values_[k].joint];
    const bool of_angles = !rates_ && !is_whole_ball(k);
    const RateRow row = (of_angles ? position_rows : rate_rows)(joint, m.rel.R)[values_[k].scalar];
    const Vec3d unit = m.R_A * row.unit;
    for (int i = 0; i < place.pair.n(); ++i) {
      const int column = place.pair.dofs[i];
      const auto twist = recursive::twist_at(eq_.tree(), nodes, column, m.p_B);
      const double value = scale * place.pair.side[i] * dot(unit, row.turns ? twist.turn : twist.shift);
      if (column < eq_.tree().first_waist)
        out.push_back({k, column, value});
      else
        add_to_modes(eq_.tree(), k, column, value, out);
    }
  }
  return out;
}

}  // namespace skyhook::formalism
