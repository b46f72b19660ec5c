#include "skyhook/simulation/channels.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "skyhook/math/dense.h"
#include "skyhook/math/rotation.h"

namespace skyhook::simulation {
namespace {

using formalism::recursive::NodeState;
using formalism::recursive::PairMotion;
using formalism::recursive::Place;
using model::Dof;
using Value = std::function<double(const Snapshot&, const Running&)>;

const char* const axis_names[] = {"x", "y", "z"};

struct FrameMotion {
  Vec3d p, v, a;
};
FrameMotion motion_of(const Snapshot& s, const Place& place) {
  const NodeState& x = s.nodes[place.node];
  const Vec3d r = x.R * place.r;
  return {x.p + r, x.v + cross(x.w, r), x.a + cross(x.al, r) + cross(x.w, cross(x.w, r))};
}

class Builder {
 public:
  explicit Builder(const Equations& eq) : eq_(eq), model_(eq.model()) {}

  std::vector<Channel> build() {
    for (const auto& body : model_.bodies) add_body(body);
    for (const auto& marker : model_.markers) add_frame(marker.name, eq_.tree().place(marker));
    for (std::size_t j = 0; j < model_.joints.size(); ++j) add_joint(static_cast<int>(j));
    add_rods_and_couplers();
    add_forces();
    add_signals();
    add_switching();
    add_frictions();
    add_totals();
    return std::move(list_);
  }

 private:
  void add(const std::string& owner, const std::string& quantity, const std::string& unit, Value value) {
    list_.push_back({owner + "." + quantity, unit, std::move(value), false});
  }
  void add_reaction(const std::string& owner, const std::string& quantity, const std::string& unit, Value value) {
    list_.push_back({owner + "." + quantity, unit, std::move(value), true});
  }

  void add_acceleration(const std::string& owner, const std::string& quantity, const std::string& unit, Value value) {
    list_.push_back({owner + "." + quantity, unit, std::move(value), false, true});
  }

  void add_frame(const std::string& name, const Place& place) {
    for (int k = 0; k < 3; ++k)
      add(name, axis_names[k], "m", [=](const Snapshot& s, const Running&) { return motion_of(s, place).p[k]; });
    for (int k = 0; k < 3; ++k)
      add(name, std::string("v") + axis_names[k], "m/s",
          [=](const Snapshot& s, const Running&) { return motion_of(s, place).v[k]; });
    for (int k = 0; k < 3; ++k)
      add_acceleration(name, std::string("a") + axis_names[k], "m/s^2",
                       [=](const Snapshot& s, const Running&) { return motion_of(s, place).a[k]; });
    for (int k = 0; k < 3; ++k) {
      add(name, std::string("angle_") + axis_names[k], "rad",
          [=](const Snapshot& s, const Running&) { return cardan_angles(s.nodes[place.node].R * place.axes)[k]; });
    }
  }

  void add_body(const model::Body& body) {
    const Place place = eq_.tree().place(static_cast<int>(&body - model_.bodies.data()), body.at, body.axes);
    add_frame(body.name, place);
    for (int k = 0; k < 3; ++k)
      add(body.name, std::string("w") + axis_names[k], "rad/s",
          [=](const Snapshot& s, const Running&) { return s.nodes[place.node].w[k]; });
  }

  void add_joint(int j) {
    const model::Joint& joint = model_.joints[j];
    eq_.tree().last_node_of_joint[j] >= 0 ? add_tree_coordinates(j) : add_measured_coordinate(j);
    for (int k = 0; k < 6; ++k) {
      const std::string quantity = std::string(k < 3 ? "force_" : "moment_") + axis_names[k % 3];
      add_reaction(joint.name, quantity, k < 3 ? "N" : "N.m",
                   [=](const Snapshot& s, const Running&) { return s.reactions[6 * j + k]; });
    }
    for (int part = 0; part < 2; ++part) {
      add_reaction(joint.name, part == 0 ? "force" : "moment", part == 0 ? "N" : "N.m",
                   [=](const Snapshot& s, const Running&) {
                     const double* r = s.reactions.data() + 6 * j + 3 * part;
                     return std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
                   });
    }
    for (const auto& c : eq_.linear_constraints()) {
      if (c.joint == j) add_drive(joint, c);
    }
    for (std::size_t k = 0; k < eq_.tree().driven.size(); ++k) {
      if (eq_.tree().driven[k].joint == j) add_drive(joint, k);
    }
  }

  void add_tree_coordinates(int j) {
    const model::Joint& joint = model_.joints[j];
    int scalar = 0;
    for (const Dof& dof : joint.shape.dofs) {
      if (dof.kind == Dof::Kind::ball) {
        add_ball(j);
        scalar += 3;
        continue;
      }
      const bool turns = dof.kind == Dof::Kind::revolute;
      const auto at = eq_.tree().coordinates[j][scalar];
      const double reference = joint.reference[scalar++];
      const std::string unit = turns ? "rad" : "m";
      if (at.is_driven()) {
        add_driven_coordinate(joint, dof, at.node, reference);
        continue;
      }
      add(joint.name, dof.name, unit, [=](const Snapshot& s, const Running&) { return s.q[at.iq] + reference; });
      add(joint.name, dof.name + "_rate", unit + "/s", [=](const Snapshot& s, const Running&) { return s.v[at.iv]; });
      add_acceleration(joint.name, dof.name + "_acceleration", unit + "/s^2",
                       [=](const Snapshot& s, const Running&) { return s.a[at.iv]; });
    }
  }

  void add_driven_coordinate(const model::Joint& joint, const Dof& dof, int node, double reference) {
    const std::string unit = dof.kind == Dof::Kind::revolute ? "rad" : "m";
    add(joint.name, dof.name, unit,
        [=](const Snapshot& s, const Running&) { return s.nodes[node].drive.value + reference; });
    add(joint.name, dof.name + "_rate", unit + "/s",
        [=](const Snapshot& s, const Running&) { return s.nodes[node].drive.rate; });
    add_acceleration(joint.name, dof.name + "_acceleration", unit + "/s^2",
                     [=](const Snapshot& s, const Running&) { return s.nodes[node].drive.acceleration; });
  }

  // Rotation of `to` relative to `from` as a quaternion, angular velocity in axes of `to`.
  void add_ball(int j) {
    const auto& tree = eq_.tree();
    const bool reversed = eq_.topology().links[eq_.topology().link_of_joint[j]].reversed;
    const int inner = tree.nodes[tree.first_node_of_joint[j]].parent, outer = tree.last_node_of_joint[j];
    const int from = reversed ? outer : inner, to = reversed ? inner : outer;
    const char* const parts[] = {"qw", "qx", "qy", "qz"};
    for (int k = 0; k < 4; ++k) {
      add(model_.joints[j].name, parts[k], "-", [=](const Snapshot& s, const Running&) {
        const auto p = quaternion_of(transpose(s.nodes[from].R) * s.nodes[to].R);
        return k == 0 ? p.w : k == 1 ? p.x : k == 2 ? p.y : p.z;
      });
    }
    for (int k = 0; k < 3; ++k) {
      add(model_.joints[j].name, std::string("w") + axis_names[k], "rad/s", [=](const Snapshot& s, const Running&) {
        return transpose_times(s.nodes[to].R, s.nodes[to].w - s.nodes[from].w)[k];
      });
    }
  }

  // The coordinate of a cut slider, measured from its frames.
  void add_measured_displacement(int j) {
    const model::Joint& joint = model_.joints[j];
    for (const auto& c : eq_.pair_constraints()) {
      if (c.joint != j) continue;
      const Vec3d axis = joint.shape.dofs[0].axis;
      const double reference = joint.reference[0];
      auto along = [=, pair = c.pair](const Snapshot& s, bool rate) {
        PairMotion m;
        relative_motion(pair, s.nodes, s.t, m);
        return dot(axis, rate ? m.rel.v : m.rel.r);
      };
      add(joint.name, "displacement", "m",
          [=](const Snapshot& s, const Running&) { return along(s, false) + reference; });
      add(joint.name, "displacement_rate", "m/s", [=](const Snapshot& s, const Running&) { return along(s, true); });
    }
  }

  void add_measured_coordinate(int j) {
    const auto& dofs = model_.joints[j].shape.dofs;
    if (dofs.size() != 1) return;
    if (dofs[0].kind == Dof::Kind::revolute) add_measured_angle(j);
    if (dofs[0].kind == Dof::Kind::prismatic) add_measured_displacement(j);
  }

  void add_measured_angle(int j) {
    const model::Joint& joint = model_.joints[j];
    const double reference = joint.reference[0];
    add(joint.name, "angle", "rad", [=](const Snapshot& s, const Running& run) {
      double angle = 0, rate = 0;
      measured_angle(s, j, angle, rate);
      return nearest_turn(angle, run.angles[j]) + reference;
    });
    add(joint.name, "angle_rate", "rad/s", [=](const Snapshot& s, const Running&) {
      double angle = 0, rate = 0;
      measured_angle(s, j, angle, rate);
      return rate;
    });
  }

  void add_drive(const model::Joint& joint, std::size_t k) {
    const Dof& dof = joint.shape.dofs[static_cast<std::size_t>(eq_.tree().driven[k].dof)];
    const std::string unit = dof.kind == Dof::Kind::revolute ? "N.m" : "N";
    const auto force = [=](const Snapshot& s, const Running&) { return s.drives[k]; };
    add_reaction(joint.name, "drive_" + dof.name, unit, force);
    if (joint.shape.dofs.size() == 1) add_reaction(joint.name, "drive", unit, force);
  }

  void add_drive(const model::Joint& joint, const Equations::LinearConstraint& c) {
    const std::string coordinate = eq_.tree().q_names[c.terms[0].iq].substr(joint.name.size() + 1);
    const bool turns =
        eq_.tree().nodes[eq_.tree().node_of_v[c.terms[0].iv]].kind == formalism::recursive::Node::Kind::revolute;
    const int row = c.row_all;
    const std::string unit = turns ? "N.m" : "N";
    // The drive does what the multiplier asks for: generalised force -lambda.
    add_reaction(joint.name, "drive_" + coordinate, unit,
                 [=](const Snapshot& s, const Running&) { return -s.all_multipliers[row]; });
    if (joint.shape.dofs.size() == 1)
      add_reaction(joint.name, "drive", unit,
                   [=](const Snapshot& s, const Running&) { return -s.all_multipliers[row]; });
  }

  void add_rods_and_couplers() {
    std::size_t rod = 0, coupler = 0;
    for (const auto& c : eq_.pair_constraints()) {
      if (c.joint >= 0 || c.contact >= 0) continue;
      const int row = c.rows[0].row_all;
      const double length = c.rows[0].length;
      const auto pair = c.pair;
      add_reaction(model_.rods[rod].name, "force", "N", [=](const Snapshot& s, const Running&) {  // tension positive
        PairMotion m;
        relative_motion(pair, s.nodes, s.t, m);
        return s.all_multipliers[row] * norm(m.rel.r) / length;
      });
      add(model_.rods[rod++].name, "length", "m", [=](const Snapshot& s, const Running&) {
        PairMotion m;
        relative_motion(pair, s.nodes, s.t, m);
        return norm(m.rel.r);
      });
    }
    for (const auto& c : eq_.linear_constraints()) {
      if (c.joint >= 0 || c.stick_slip >= 0) continue;
      const int row = c.row_all;
      add_reaction(model_.couplers[coupler++].name, "force", "-",
                   [=](const Snapshot& s, const Running&) { return -s.all_multipliers[row]; });
    }
  }

  void add_forces() {
    for (std::size_t k = 0; k < eq_.forces().size(); ++k) {
      const model::Force& force = *eq_.forces()[k].force;
      const auto law = eq_.forces()[k].law;
      const auto quantities = law->quantities();
      for (std::size_t i = 0; i < quantities.size(); ++i) {
        add(force.name, quantities[i].name, quantities[i].unit, [=](const Snapshot& s, const Running&) {
          static thread_local std::vector<double> values;  // controllers read channels between steps
          values.clear();
          law->measure(s.relatives[k], s.wrenches[k], values);
          return values[i];
        });
      }
    }
    for (std::size_t k = 0; k < eq_.coordinate_forces().size(); ++k) {
      const auto& c = eq_.coordinate_forces()[k];
      if (is_stick_slip(c.force)) continue;
      const bool turns =
          eq_.tree().nodes[eq_.tree().node_of_v[c.iv]].kind == formalism::recursive::Node::Kind::revolute;
      add(c.force->name, "force", turns ? "N.m" : "N",
          [=](const Snapshot& s, const Running&) { return s.coordinate_forces[k]; });
    }
    for (std::size_t k = 0; k < eq_.state_forces().size(); ++k) add_state_force(k);
  }

  // On coordinates, as of other forces there, positive where it drives the coordinate up.
  void add_state_force(std::size_t k) {
    const auto& item = eq_.state_forces()[k];
    const std::string& name = item.force->name;
    const bool on_joint = item.force->joint >= 0;
    const bool turns =
        on_joint && model_.joints[item.force->joint].shape.dofs[item.force->dof].kind == Dof::Kind::revolute;
    const double sign = on_joint || item.force->inner->pushes() ? -1.0 : 1.0;
    add(name, "force", turns ? "N.m" : "N",
        [=](const Snapshot& s, const Running&) { return sign * s.state_forces[k].pull; });
    if (!on_joint) {
      add(name, "length", "m", [=](const Snapshot& s, const Running&) { return s.state_forces[k].x; });
      add(name, "rate", "m/s", [=](const Snapshot& s, const Running&) { return s.state_forces[k].v; });
    }
    for (int i = item.first; i < item.first + item.count; ++i) {
      list_.push_back({eq_.tree().v_names[i], eq_.tree().states[i - eq_.tree().nv].unit,
                       [=](const Snapshot& s, const Running&) { return s.v[i]; }, false, false, true});
    }
  }

  void add_signals() {
    for (std::size_t i = 0; i < model_.signals.size(); ++i) {
      const auto value = [i](const Snapshot& s, const Running&) { return s.equations().held()->signals[i]; };
      list_.push_back({model_.signals[i].name, model_.signals[i].unit, value, false});
    }
  }

  bool is_stick_slip(const model::Force* force) const {
    const auto index = force - model_.forces.data();
    return std::ranges::any_of(model_.stick_slips, [&](const auto& stick) { return stick.force == index; });
  }

  // A row that does not hold has the multiplier 0.
  void add_switching() {
    for (const auto& at : eq_.switch_rows()) {
      if (at.of == formalism::recursive::SwitchRow::Of::contact)
        add_contact(eq_.contact(at.index), at.row);
      else
        add_stick_slip(model_.stick_slips[static_cast<std::size_t>(at.index)], at.row);
    }
  }

  void add_contact(const Equations::PairConstraint& c, int row) {
    const std::string& name = model_.contacts[static_cast<std::size_t>(c.contact)].name;
    add(name, "gap", "m", [=](const Snapshot& s, const Running&) { return gap_of(c, s.nodes).gap; });
    add_reaction(name, "force", "N", [=](const Snapshot& s, const Running&) {  // pressing positive
      return normal_force(c, s.nodes, s.all_multipliers[row]);
    });
  }

  // The force that slips and the one that sticks, positive where it drives the coordinate up.
  void add_stick_slip(const model::StickSlip& stick, int row) {
    const auto is_its = [&](const auto& item) { return item.force - model_.forces.data() == stick.force; };
    const auto& items = eq_.coordinate_forces();
    const auto item = std::ranges::find_if(items, is_its);
    const auto k = static_cast<std::size_t>(item - items.begin());
    const bool turns =
        eq_.tree().nodes[eq_.tree().node_of_v[item->iv]].kind == formalism::recursive::Node::Kind::revolute;
    add_reaction(stick.name, "force", turns ? "N.m" : "N",
                 [=](const Snapshot& s, const Running&) { return s.coordinate_forces[k] - s.all_multipliers[row]; });
    add(stick.name, "sticks", "-", [=](const Snapshot& s, const Running&) { return s.holds(row) ? 1.0 : 0.0; });
  }

  void add_frictions() {
    for (std::size_t k = 0; k < eq_.frictions().size(); ++k) {
      const auto& friction = eq_.frictions()[k];
      add(friction.law->name, "force", friction.turns ? "N.m" : "N",
          [=](const Snapshot& s, const Running&) { return s.frictions[k].force; });
      add(friction.law->name, "load", "N", [=](const Snapshot& s, const Running&) { return s.frictions[k].load; });
    }
  }

  void add_totals() {
    add_acceleration("energy", "kinetic", "J", [](const Snapshot& s, const Running&) { return s.kinetic; });
    add_acceleration("energy", "potential", "J", [](const Snapshot& s, const Running&) { return s.potential; });
    add("energy", "work", "J", [](const Snapshot&, const Running& run) { return run.work; });
    add_acceleration("energy", "balance", "J", [](const Snapshot& s, const Running& run) {
      return s.kinetic + s.potential - run.work - run.start_energy;
    });
    add_acceleration("constraints", "position", "-",
                     [](const Snapshot& s, const Running&) { return largest(s.positions); });
    add_acceleration("constraints", "velocity", "-",
                     [](const Snapshot& s, const Running&) { return largest(s.velocities); });
  }

  const Equations& eq_;
  const model::Model& model_;
  std::vector<Channel> list_;
};

// `ball: lower_ball.force_*` records ball.force_x; `all: "*.x"` records all.wheel.x.
std::string recorded_name(const model::Output& output, const std::string& channel, bool wildcard) {
  if (output.name.empty() || output.name == output.channel) return channel;
  if (!wildcard) return output.name;
  const std::string owner = output.channel.substr(0, output.channel.rfind('.'));
  const bool one_owner =
      owner.find_first_of("*?") == std::string::npos && channel.compare(0, owner.size() + 1, owner + ".") == 0;
  return output.name + "." + (one_owner ? channel.substr(owner.size() + 1) : channel);
}

bool is_default(const std::string& name) {
  for (const char* pattern : {"*.x", "*.y", "*.z", "*.angle", "*.displacement", "*.angle_?", "*.force", "*.length",
                              "energy.*", "constraints.*"}) {
    if (matches(pattern, name)) return true;
  }
  return false;
}

}  // namespace

double nearest_turn(double angle, double expected) {
  constexpr double turn = 2 * std::numbers::pi;
  return angle + turn * std::round((expected - angle) / turn);
}

bool measured_angle(const Snapshot& s, int joint, double& angle, double& rate) {
  const auto& eq = s.equations();
  const auto& dofs = eq.model().joints[joint].shape.dofs;
  if (dofs.size() != 1 || dofs[0].kind != Dof::Kind::revolute) return false;
  for (const auto& c : eq.pair_constraints()) {
    if (c.joint != joint) continue;
    PairMotion m;
    relative_motion(c.pair, s.nodes, s.t, m);
    const Vec3d u = perpendicular(dofs[0].axis), v = cross(dofs[0].axis, u), turned = m.rel.R * u;
    angle = std::atan2(dot(v, turned), dot(u, turned));
    rate = dot(dofs[0].axis, m.rel.w);
    return true;
  }
  return false;
}

std::string wrapped_hinge(const Equations& eq, const Running& running) {
  std::vector<int> joints;
  for (const auto& item : eq.forces()) {
    if (item.force->coordinate) joints.push_back(item.force->joint);
  }
  for (const auto& item : eq.state_forces()) {
    if (item.cut) joints.push_back(item.force->joint);
  }
  for (const int j : joints) {
    const model::Joint& joint = eq.model().joints[static_cast<std::size_t>(j)];
    const bool turns = joint.shape.dofs[0].kind == model::Dof::Kind::revolute;
    if (!turns || std::abs(running.angles[static_cast<std::size_t>(j)]) <= std::numbers::pi) continue;
    const bool must_be_cut = std::ranges::any_of(eq.frictions(), [&](const auto& f) { return f.law->joint == j; });
    return "Joint \"" + joint.name +
           "\" is cut and has turned by more than half a turn, where the force on its angle would jump. " +
           (must_be_cut
                ? "Friction that depends on its load needs the cut: let the force act between two points instead."
                : "Give it `cut: false` and cut another joint of its loop.");
  }
  return {};
}

std::vector<Channel> all_channels(const Equations& eq) { return Builder(eq).build(); }

std::vector<Channel> choose_channels(const std::vector<Channel>& all, const std::vector<model::Output>& outputs) {
  std::vector<Channel> chosen;
  if (outputs.empty()) {
    std::copy_if(all.begin(), all.end(), std::back_inserter(chosen),
                 [](const Channel& c) { return c.of_inner_state || is_default(c.name); });
    return chosen;
  }
  Findings findings;
  for (const model::Output& output : outputs) {
    const bool wildcard = output.channel.find_first_of("*?") != std::string::npos;
    bool hit = false;
    for (const Channel& c : all) {
      if (!(wildcard ? matches(output.channel, c.name) : c.name == output.channel)) continue;
      hit = true;
      const std::string name = recorded_name(output, c.name, wildcard);
      const bool known = std::any_of(chosen.begin(), chosen.end(), [&](const Channel& x) { return x.name == name; });
      if (!known) chosen.push_back({name, c.unit, c.value, c.of_reactions, c.of_accelerations});
    }
    if (hit) continue;
    std::vector<std::string> names;
    for (const Channel& c : all) names.push_back(c.name);
    findings.add(output.where, "output \"" + output.channel + "\" matches no channel.",
                 suggest(output.channel, names, "Channels"));
  }
  findings.throw_if_any();
  return chosen;
}

}  // namespace skyhook::simulation
