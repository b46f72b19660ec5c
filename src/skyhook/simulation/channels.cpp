#include "skyhook/simulation/channels.h"

#include <algorithm>
#include <cmath>

#include "skyhook/formalism/contacts.h"
#include "skyhook/formalism/coordinate_motion.h"
#include "skyhook/formalism/frame.h"
#include "skyhook/formalism/parts.h"
#include "skyhook/math/dense.h"
#include "skyhook/math/rotation.h"
#include "skyhook/simulation/contribution_channels.h"
#include "skyhook/simulation/formula_channels.h"
#include "skyhook/simulation/frame_channels.h"
#include "skyhook/simulation/modal_channels.h"

namespace skyhook::simulation {
namespace {

using formalism::Frame;
using formalism::Parts;
using model::Dof;
using model::Quantity;

const char* const axis_names[] = {"x", "y", "z"};
constexpr const char* on_coordinate = "force or moment, positive where it drives the coordinate up";

class Builder {
 public:
  explicit Builder(const Equations& eq)
      : eq_(eq), parts_(eq.parts()), model_(eq.model()), list_(static_cast<int>(model_.joints.size())) {}

  std::vector<Channel> build() {
    constexpr std::size_t usual = 48;  // channels of a body and of what holds it
    list_.make_room(usual * model_.bodies.size());
    list_.read_forces_of(std::vector<std::size_t>{});  // of none
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) add_body(list_, eq_, static_cast<int>(b));
    for (const auto& marker : model_.markers) add_frame(list_, marker.name, frame_of(eq_, marker));
    for (const auto& sensor : model_.sensors) add_sensor(list_, eq_, sensor);
    for (std::size_t j = 0; j < model_.joints.size(); ++j) add_joint(static_cast<int>(j));
    for (const auto& modal : eq_.modal()) add_modes(list_, eq_, modal);
    for (const auto& mesh : formalism::mesh_coordinates(eq_)) add_nodes(list_, eq_, mesh);
    add_rods_and_couplers();
    add_forces();
    add_contributions(list_, eq_);
    list_.read_forces_of(std::vector<std::size_t>{});
    add_signals();
    list_.read_forces_of({});  // nobody knows
    add_switching();
    add_frictions();
    add_totals();
    return list_.take();
  }

 private:
  void add_joint(int j) {
    const model::Joint& joint = model_.joints[j];
    add_coordinates(j);
    for (int k = 0; k < 6; ++k) {
      const std::string quantity = std::string(k < 3 ? "force_" : "moment_") + axis_names[k % 3];
      const char* meaning = k < 3 ? "reaction force on `to`, global axes" : "reaction moment on `to`, global axes";
      list_.add_reaction(joint.name, {quantity, k < 3 ? "N" : "N.m", meaning},
                         [=](const Snapshot& s, const Running&) { return s.reactions[6 * j + k]; });
    }
    for (int part = 0; part < 2; ++part) {
      const Quantity named = part == 0 ? Quantity{"force", "N", "size of the reaction force"}
                                       : Quantity{"moment", "N.m", "size of the reaction moment"};
      list_.add_reaction(joint.name, named, [=](const Snapshot& s, const Running&) {
        const double* r = s.reactions.data() + 6 * j + 3 * part;
        return std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
      });
    }
    for (const auto& c : parts_.conditions) {
      if (c.joint == j) add_drive(joint, c);
    }
    for (std::size_t k = 0; k < eq_.driven().size(); ++k) {
      if (eq_.driven()[k].joint == j) add_drive(joint, k);
    }
  }

  // A coordinate with its rate and acceleration.
  void add_coordinate(const model::Joint& joint, const Dof& dof, ChannelValue value, ChannelValue rate,
                      ChannelValue acceleration) {
    const std::string unit = dof.is_angle() ? "rad" : "m";
    Channel& c = list_.add(joint.name, {dof.name, unit, "coordinate of the joint"}, std::move(value));
    c.rate = rate, c.curvature = acceleration;
    list_.add(joint.name, {dof.name + "_rate", unit + "/s", "rate of the coordinate"}, std::move(rate)).rate =
        acceleration;
    list_.add_acceleration(joint.name,
                           {dof.name + "_acceleration", unit + "/s^2", "second derivative of the coordinate"},
                           std::move(acceleration));
  }

  // Those of a joint that is cut are measured.
  void add_coordinates(int j) {
    const model::Joint& joint = model_.joints[j];
    int scalar = 0;
    for (const Dof& dof : joint.shape.dofs) {
      if (dof.kind == Dof::Kind::ball) {
        add_ball(j);
        scalar += 3;
        continue;
      }
      const formalism::CoordinateMotion motion(eq_, j, scalar);
      const double reference = joint.reference[scalar++];
      add_coordinate(
          joint, dof, [=](const Snapshot& s, const Running&) { return motion.value(s) + reference; },
          [=](const Snapshot& s, const Running&) { return motion.rate(s); },
          [=](const Snapshot& s, const Running&) { return motion.acceleration(s); });
    }
  }

  // Rotation of `to` relative to `from` as a quaternion, angular velocity in axes of `to`.
  void add_ball(int j) {
    const model::Joint& joint = model_.joints[j];
    const Frame from = frame_of(eq_, model::Marker{{}, {}, joint.from, joint.at_from}),
                to = frame_of(eq_, model::Marker{{}, {}, joint.to, joint.at_to});
    const auto turned = [=](const Snapshot& s) { return transpose(turn_of(s, from)) * turn_of(s, to); };
    const auto turning = [=](const Snapshot& s) {
      return transpose_times(turn_of(s, to), angular_velocity_of(s, to) - angular_velocity_of(s, from));
    };
    const std::string& name = joint.name;
    const char* const parts[] = {"qw", "qx", "qy", "qz"};
    for (int k = 0; k < 4; ++k) {
      const Quantity named{parts[k], "-", "unit quaternion of `to` relative to `from`, without jumps of sign"};
      Channel& c = list_.add(name, named, [=](const Snapshot& s, const Running& run) {
        const auto p = continued_quaternion(memory_of(run, j), quaternion_of(turned(s)), s.t);
        return k == 0 ? p.w : k == 1 ? p.x : k == 2 ? p.y : p.z;
      });
      c.memory = j;
      c.remember = [=](const Snapshot& s, LastValues& last) {
        remember_quaternion(last, quaternion_of(turned(s)), turning(s), s.t);
      };
    }
    list_.add_vector(name, "w", "rad/s", "angular velocity of `to` relative to `from`, axes of `to`", turning);
  }

  // Under the name of its coordinate, and where there is no other one simply as `drive`.
  void add_drive_force(const model::Joint& joint, const std::string& coordinate, bool turns,
                       const ChannelValue& force) {
    const char* meaning = "force or moment that the drive exerts";
    const std::string unit = turns ? "N.m" : "N";
    list_.add_reaction(joint.name, {"drive_" + coordinate, unit, meaning}, force);
    if (joint.shape.dofs.size() == 1) list_.add_reaction(joint.name, {"drive", unit, meaning}, force);
  }

  void add_drive(const model::Joint& joint, std::size_t k) {
    const Dof& dof = joint.shape.dofs[static_cast<std::size_t>(eq_.driven()[k].dof)];
    add_drive_force(joint, dof.name, dof.is_angle(), [=](const Snapshot& s, const Running&) { return s.drives[k]; });
  }

  void add_drive(const model::Joint& joint, const Parts::Condition& c) {
    const int row = c.row;
    const std::string coordinate = formalism::coordinate_name(joint, c.dof, false).substr(joint.name.size() + 1);
    // The drive does what the multiplier asks for: generalised force -lambda.
    add_drive_force(joint, coordinate, formalism::is_angle(joint, c.dof),
                    [=](const Snapshot& s, const Running&) { return -s.all_multipliers[row]; });
  }

  // Of a force on a joint coordinate.
  const char* unit_of(const model::Contribution& force) const {
    return formalism::is_angle(model_.joints[static_cast<std::size_t>(force.joint)], force.dof) ? "N.m" : "N";
  }

  void add_rods_and_couplers() {
    for (const auto& rod : parts_.rods) add_rod(rod);
    for (const auto& c : parts_.conditions) {
      if (!c.what || !c.what->is_coupler()) continue;
      const int row = c.row;
      list_.add_reaction(c.what->name, {"force", "-", "generalised force of the condition, see its page"},
                         [=](const Snapshot& s, const Running&) { return -s.all_multipliers[row]; });
    }
  }

  void add_rod(const Parts::Rod& rod) {
    const std::string& name = rod.what->name;
    const int row = rod.row;
    const double length = rod.length;
    const Frame from = frame_of(eq_, rod.what->from), to = frame_of(eq_, rod.what->to);
    const auto span = [=](const Snapshot& s) { return span_between(s, from, to); };
    list_.add_reaction(name, {"force", "N", "tension"}, [=](const Snapshot& s, const Running&) {
      return s.all_multipliers[row] * norm(span(s)) / length;
    });
    list_.add(name, {"length", "m", "distance of its points"},
              [=](const Snapshot& s, const Running&) { return norm(span(s)); });
    for (int k = 0; k < 3; ++k) {
      list_.add_reaction(
          name, {std::string("force_") + axis_names[k], "N", "force on `to`, global axes"},
          [=](const Snapshot& s, const Running&) { return -s.all_multipliers[row] / length * span(s)[k]; });
    }
  }

  void add_forces() {
    for (std::size_t k = 0; k < parts_.wrenches.size(); ++k) {
      const model::Contribution& force = *parts_.wrenches[k].what;
      if (force.row) continue;  // its row has a part in it
      read(force);
      const auto law = parts_.wrenches[k].law;
      const auto quantities = law->quantities();
      for (std::size_t i = 0; i < quantities.size(); ++i) {
        const Quantity named{quantities[i].name, quantities[i].unit,
                             force.on_coordinate() ? on_coordinate : quantities[i].meaning};
        list_.add(force.name, named, [=](const Snapshot& s, const Running&) {
          static thread_local std::vector<double> values;  // controllers read channels between steps
          values.clear();
          law->measure(s.relatives[k], s.wrenches[k], values);
          return values[i];
        });
      }
      if (!force.coordinate) add_wrench(k);
    }
    for (std::size_t k = 0; k < parts_.on_coordinates.size(); ++k) {
      const model::Contribution& force = *parts_.on_coordinates[k].what;
      if (force.row) continue;  // its row has a part in it
      read(force);
      list_.add(force.name, {"force", unit_of(force), on_coordinate},
                [=](const Snapshot& s, const Running&) { return s.coordinate_forces[k]; });
    }
    for (std::size_t k = 0; k < parts_.inner.size(); ++k) add_state_force(k);
  }

  // The next channels are of this force.
  void read(const model::Contribution& force) {
    list_.read_forces_of(std::vector<std::size_t>{model::number_of(model_, force)});
  }

  // What acts on `to`, as of joints; the quantities of the law are in its own axes.
  void add_wrench(std::size_t k) {
    const Parts::Wrench& part = parts_.wrenches[k];
    list_.add_vector(part.what->name, "force_", "N", "force on `to`, global axes",
                     [=](const Snapshot& s) { return s.force_of(k).f; });
    if (part.law->between_points()) return;
    list_.add_vector(part.what->name, "moment_", "N.m", "moment on `to` at its point, global axes",
                     [=](const Snapshot& s) { return s.force_of(k).n; });
  }

  // On coordinates, as of other forces there, positive where it drives the coordinate up.
  void add_state_force(std::size_t k) {
    const Parts::Inner& part = parts_.inner[k];
    const std::string& name = part.what->name;
    read(*part.what);
    const auto acts = part.what->inner->acts();
    if (acts == model::StateElement::Force::none) return add_inner_states(part);
    const bool on_joint = part.what->joint >= 0, pushes = acts == model::StateElement::Force::pushes;
    const bool turns = part.what->counts_turns();
    const double sign = on_joint || turns || pushes ? -1.0 : 1.0;
    const char* meaning = on_joint ? on_coordinate
                          : turns  ? "about its axis on `to`, positive where it turns `to` up"
                          : pushes ? "force, positive where it pushes apart"
                                   : "force, positive in tension";
    list_.add(name,
              {turns ? "moment" : "force",
               on_joint ? unit_of(*part.what)
               : turns  ? "N.m"
                        : "N",
               meaning},
              [=](const Snapshot& s, const Running&) { return sign * s.state_forces[k].pull; });
    if (turns) {
      list_.add(name, {"angle", "rad", "of `to` about its axis, from design, turns counted"},
                [=](const Snapshot& s, const Running&) { return s.state_forces[k].x; });
      list_.add(name, {"angle_rate", "rad/s", "rate of its angle"},
                [=](const Snapshot& s, const Running&) { return s.state_forces[k].v; });
      list_.add_vector(name, "moment_", "N.m", "moment on `to`, global axes",
                       [=](const Snapshot& s) { return s.state_forces[k].n; });
    } else if (!on_joint) {
      list_.add(name,
                {"length", "m", part.what->axis ? "distance of its points along its axis" : "distance of its points"},
                [=](const Snapshot& s, const Running&) { return s.state_forces[k].x; });
      list_.add(name, {"rate", "m/s", "rate of its length"},
                [=](const Snapshot& s, const Running&) { return s.state_forces[k].v; });
      list_.add_vector(name, "force_", "N", "force on `to`, global axes",
                       [=](const Snapshot& s) { return s.state_forces[k].f; });
    }
    add_inner_states(part);
  }

  void add_inner_states(const Parts::Inner& part) {
    for (int i = part.first; i < part.first + part.count; ++i) {
      const model::InnerState& state = eq_.inner_states()[static_cast<std::size_t>(i - eq_.moving())];
      Channel& c = list_.add(part.what->name, {state.name, state.unit, "inner state"},
                             [=](const Snapshot& s, const Running&) { return s.v[i]; });
      c.of_inner_state = true;
      c.rate = [=](const Snapshot& s, const Running&) { return s.a[i]; };
    }
  }

  void add_signals() {
    for (std::size_t i = 0; i < model_.signals.size(); ++i) {
      const auto value = [i](const Snapshot& s, const Running&) { return s.equations().held()->signals[i]; };
      Channel& c = list_.add_named(model_.signals[i].name, model_.signals[i].unit, "output of a controller", value);
      c.rate = c.curvature = [](const Snapshot&, const Running&) { return 0.0; };  // it is held
    }
    for (std::size_t i = 0; i < model_.continuous.size(); ++i)
      list_.add_named(model_.continuous[i].name, model_.continuous[i].unit, "signal, a formula of the motion",
                      [i](const Snapshot& s, const Running&) { return s.signals[i]; });
  }

  // A row that does not hold has the multiplier 0.
  void add_switching() {
    int contact = 0;
    for (const auto& at : eq_.switch_rows()) {
      if (at.what->holds(model::Row::Holds::pressed)) add_contact(at, contact++);
    }
    for (const auto& at : eq_.switch_rows()) {
      if (at.what->holds(model::Row::Holds::stuck)) add_stick_slip(*at.what, at.row);
    }
  }

  void add_contact(const formalism::SwitchRow& at, int contact) {
    const std::string& name = at.what->name;
    const auto row = static_cast<std::size_t>(at.row);
    list_.add(name, {"gap", "m", "distance of the surfaces"},
              [=](const Snapshot& s, const Running&) { return gap_of(s, contact).gap; });
    list_.add_reaction(name, {"force", "N", "normal force, pressing positive"}, [=](const Snapshot& s, const Running&) {
      return normal_force(s, contact, s.all_multipliers[row]);
    });
  }

  // Of its law alone; where the joint is cut it acts between the frames.
  ChannelValue force_on_coordinate(const model::Contribution& force) const {
    const auto& items = parts_.on_coordinates;
    const auto at = std::ranges::find(items, &force, &Parts::OnCoordinate::what);
    const auto k = static_cast<std::size_t>(at - items.begin());
    if (at != items.end()) return [=](const Snapshot& s, const Running&) { return s.coordinate_forces[k]; };
    const auto& wrenches = parts_.wrenches;
    const auto i =
        static_cast<std::size_t>(std::ranges::find(wrenches, &force, &Parts::Wrench::what) - wrenches.begin());
    const auto law = wrenches[i].law;
    return [=](const Snapshot& s, const Running&) {
      static thread_local std::vector<double> values;
      values.clear();
      law->measure(s.relatives[i], s.wrenches[i], values);
      return values[0];
    };
  }

  // The force that slips and the one that sticks, positive where it drives the coordinate up.
  void add_stick_slip(const model::Contribution& stick, int row) {
    const ChannelValue slips = force_on_coordinate(stick);
    list_.add_reaction(stick.name, {"force", unit_of(stick), on_coordinate},
                       [=](const Snapshot& s, const Running& run) { return slips(s, run) - s.all_multipliers[row]; });
    list_.add(stick.name, {"sticks", "-", "1 while it sticks, 0 while it slips"},
              [=](const Snapshot& s, const Running&) { return s.holds(row) ? 1.0 : 0.0; });
  }

  void add_frictions() {
    for (std::size_t k = 0; k < parts_.frictions.size(); ++k) {
      const Parts::Friction& friction = parts_.frictions[k];
      list_.add_acceleration(friction.what->name, {"force", friction.turns ? "N.m" : "N", on_coordinate},
                             [=](const Snapshot& s, const Running&) { return s.frictions[k].force; });
      list_.add_acceleration(friction.what->name, {"load", "N", "what the joint carries"},
                             [=](const Snapshot& s, const Running&) { return s.frictions[k].load; });
    }
  }

  void add_totals() {
    add_energies();
    const auto add = [this](const Quantity& q, ChannelValue value) {
      Channel& c = list_.add("constraints", q, std::move(value));
      c.of_accelerations = c.is_error = true;
    };
    add({"position", "-", "largest residual of all constraints"},
        [](const Snapshot& s, const Running&) { return largest(s.positions); });
    add({"velocity", "-", "largest residual of their rates"},
        [](const Snapshot& s, const Running&) { return largest(s.velocities); });
  }

  void add_energies() {
    const auto add = [this](const Quantity& q, ChannelValue value) -> Channel& {
      Channel& c = list_.add("energy", q, std::move(value));
      c.of_accelerations = c.of_energy = c.reads_energy = true;
      return c;
    };
    add({"kinetic", "J", "kinetic energy of all bodies"}, [](const Snapshot& s, const Running&) { return s.kinetic; });
    add({"potential", "J", "of gravity and springs"}, [](const Snapshot& s, const Running&) { return s.potential; });
    list_
        .add("energy", {"work", "J", "by drives, dampers and all that stores none, since the start"},
             [](const Snapshot&, const Running& run) { return run.work; })
        .of_work = true;
    Channel& balance = add(
        {"balance", "J", "kinetic + potential - work, less its start: 0 if all is right"},
        [](const Snapshot& s, const Running& run) { return s.kinetic + s.potential - run.work - run.start_energy; });
    balance.of_work = balance.is_error = true;
  }

  const Equations& eq_;
  const Parts& parts_;
  const model::Model& model_;
  ChannelList list_;
};

}  // namespace

std::vector<Channel> all_channels(const Equations& eq) {
  std::vector<Channel> all = Builder(eq).build();
  add_formulas(eq.model(), all);
  return all;
}

}  // namespace skyhook::simulation
