// The model as plain data: a value, const after load, shared by threads. All points and axes are global at the
// design position; joint coordinates are zero there (plus `reference`, what the user calls that position).
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "skyhook/base/error.h"
#include "skyhook/base/field.h"
#include "skyhook/base/warning.h"
#include "skyhook/math/vec.h"
#include "skyhook/model/axis_coordinate.h"
#include "skyhook/model/continuous_signal.h"
#include "skyhook/model/element.h"
#include "skyhook/model/function.h"

namespace skyhook::model {

class Surface;
class TrackLine;
struct AnalysisOptions;  // analysis_options.h
struct ContributionLaw;  // contribution.h
struct Guide;            // guide.h
struct Kinematics;       // kinematics.h
struct ModalBody;        // modal_body.h

constexpr int ground = -1;  // index of the ground where a body index is expected

struct Parameter {
  std::string name;
  double value = 0;  // SI
  std::string unit;
  std::string text;  // as written
};

// Triangles, in the axes and about the origin of the shape that holds them.
struct Mesh {
  std::vector<float> vertices;         // x y z of each
  std::vector<std::uint32_t> corners;  // three a triangle, numbers of vertices
};

// How a body looks. Mechanics knows nothing of it.
struct Shape {
  enum class Kind { box, cylinder, sphere, wheel, rod, mesh };
  Kind kind = Kind::box;
  Vec3d at;                        // centre (mesh: origin), global at design
  Mat3d axes = Mat3d::identity();  // global at design; cylinder and rod stretch along z, a wheel turns about y
  Vec3d size{1, 1, 1};             // box: edge lengths; mesh: scale
  double radius = 0;               // cylinder, sphere, wheel, rod
  double length = 0;               // cylinder, rod; width of a wheel
  std::string colour;              // "#rrggbb"; empty: chosen by the viewer
  std::shared_ptr<const Mesh> mesh;
  bool is_line = false;  // a curve that an element draws on the body: not what the body looks like
};

// What makes a body a wheel: its channels camber, toe, steer and spin follow from its axis alone. Mechanics knows nothing of it.
struct Wheel {
  enum class Side { left, right, middle };
  Vec3d axis{0, 1, 0};  // it turns about; unit, global at design, pointing to the left of the vehicle
  Side side = Side::left;
  int vehicle = ground;  // body whose axes camber, toe and steer are measured against: x forward, y left, z up
};

// How the motion of bodies is described: by the coordinates of joints, as far as there are no loops, or each body by itself, with six
// velocities and a quaternion, and every joint as constraint.
enum class Coordinates { joint, absolute, automatic };

struct Body {
  std::string name;
  Location where;
  double mass = 0;
  Vec3d com;                       // centre of mass, global at design
  Mat3d inertia;                   // about the centre of mass, global axes at design; tensor entries (Ixy = -∫xy dm)
  Vec3d at;                        // reference point, global at design
  Mat3d axes = Mat3d::identity();  // reference axes, global at design
  std::vector<Shape> shapes;       // empty: the viewer makes one up from markers and inertia
  std::optional<Wheel> wheel;
  std::optional<Coordinates> coordinates;  // absent: those of the model
  // A body that bends; its reference frame is `at`, `axes`. Mass, centre and inertia above are those of the undeformed body.
  std::shared_ptr<const ModalBody> modal;
  std::vector<double> modal_position, modal_velocity;  // initial values of its coordinates; empty: zero
};

// A frame fixed in a body.
struct Marker {
  std::string name;
  Location where;
  int body = ground;
  Vec3d at;
  Mat3d axes = Mat3d::identity();
};

// Where `to` is seen from `from`, in the axes of `in`: channels alone.
struct Sensor {
  std::string name;
  Location where;
  Marker from, to, in;
};

// One coordinate of a joint, in the order in which `to` moves relative to `from`.
// A ball counts as three velocity coordinates (angular velocity in `to` axes) and a unit quaternion. Neighbours with the same guide are
// its coordinates, in their order.
struct Dof {
  enum class Kind { revolute, prismatic, ball, guided };
  Kind kind;
  Vec3d axis;                    // unit, global at design; unused for a ball and a guide
  std::string name;              // "angle", "x", ...
  Mirror mirror = Mirror::even;  // sign that it takes where the joint is mirrored; a ball: as its three axial angles
  std::shared_ptr<const Guide> guide = {};
  bool is_guided_angle = false;  // else a guided coordinate is a length
  double nominal = 1;            // usual size of the coordinate and of its rate, for tolerances

  bool has_axis() const { return kind == Kind::revolute || kind == Kind::prismatic; }
  bool is_angle() const { return kind == Kind::revolute || (kind == Kind::guided && is_guided_angle); }
  bool is_length() const { return kind == Kind::prismatic || (kind == Kind::guided && !is_guided_angle); }
};

// One scalar condition that the joint imposes.
//   translation:    a · (p_to - p_from) = 0, a fixed in `from`
//   perpendicular:  a · b = 0, a fixed in `from`, b fixed in `to`
struct ConstraintRow {
  enum class Kind { translation, perpendicular };
  Kind kind;
  Vec3d a, b;
};

// What distinguishes one lower pair from another: its coordinates when it stands in the tree, its conditions
// when it closes a loop. dofs + rows = 6 always, but for guides: these have no rows and stay in the tree.
struct JointShape {
  std::vector<Dof> dofs;
  std::vector<ConstraintRow> rows;
  bool is_guided() const {
    for (const Dof& dof : dofs) {
      if (dof.guide) return true;
    }
    return false;
  }
};

struct Joint {
  std::string name, type;
  Location where;
  int from = ground, to = ground;
  Vec3d at_from, at_to;  // the joint's point on either body, global at design; usually equal
  Vec3d axis{0, 0, 1};   // main axis, for pictures
  JointShape shape;
  std::optional<bool> cut;  // the user's wish
  // One entry for each scalar coordinate (ball: three Cardan angles x-y-z and the angular velocity):
  std::vector<double> reference;                          // what the coordinate is called at the design position
  std::vector<std::optional<double>> position, velocity;  // initial values
  std::vector<Location> position_where, velocity_where;   // of those that are given
  std::vector<std::optional<Motion>> drive;
  std::vector<Location> drive_where;
};

// One constraint whose derivatives are written by hand: the fast path of ContributionLaw::conditions.
//   distance:  |to - from| = length, or its drive
//   plane:     height of `to` over the xy plane of `from` = radius
//   profile:   distance of `to` from a surface in axes of `from` = radius
//   sum:       sum of ratio * coordinate = drive, or what it is at design: gears, couplers
struct Row {
  enum class Kind { distance, plane, profile, sum };
  // A contact holds while it presses, dry friction while it sticks: such rows come and go in a run.
  enum class Holds { always, pressed, stuck };
  struct Term {
    int joint;
    int dof;  // index into the joint's scalar coordinates
    double ratio;
  };
  Kind kind;
  Holds holds = Holds::always;
  double length = 0, radius = 0;
  std::shared_ptr<const Surface> surface = {};
  std::vector<Term> terms = {};
  std::optional<Motion> drive = {};
  double restitution = 0;  // of a contact
  double hold = 0;         // largest force (N or N.m) of what sticks
  // Of what is pressed by a force that varies, above zero: largest force where it sticks over the one where it slips. Then it is released
  // where it could hold less than `hold`.
  double hold_ratio = 0;
};

// Modes of a contribution that sticks: while it does its row holds the coordinate, while it slips its force acts, and where nothing presses it
// it is released.
struct Stick {
  enum Mode { unwatched = 0, sticks = 1, slips_up = 2, slips_down = 3, released = 4 };
};

// All that adds to the equations of motion beside bodies and joints (docs/theory/10): what it acts between, and its parts. A kind of element
// is a choice of parts; whoever wants to know something asks for the part, not for the kind.
struct Contribution {
  std::string name, type;
  Location where;
  // It acts between two frames, or on a joint: its coordinate, or its free motion.
  Marker from, to;
  int joint = -1, dof = 0;
  // Between frames, of a scalar law: the length or angle that it acts on. Absent: their distance.
  std::optional<AxisCoordinate> axis;

  // Its parts: at most one of the loads,
  std::shared_ptr<const WrenchElement> wrench;          // between the frames
  std::shared_ptr<const CoordinateElement> coordinate;  // on the coordinate
  std::shared_ptr<const StateElement>
      inner;  // with inner states, along the line between the frames, on their axis or on the coordinate
  std::shared_ptr<const LoadedFriction>
      friction;  // along the joint's free motion, from what the joint carries: it is always cut
  std::shared_ptr<const ContributionLaw> law;  // between the frames, with unknowns and rows of its own (contribution.h)
  std::optional<Row> row;                      // and one constraint

  // Initial values of its inner states and own coordinates ("pressure", "gap_rate"), by name: they win over what the law says.
  struct Initial {
    std::string name;
    double value;
  };
  std::vector<Initial> initial;

  SignalRef signal;  // it listens to
  // Of a law that switches: a run ends steps where it does. False: its force has no jump and mode 1 is silent; a run leaves the
  // law in mode 0 and looks only whether a step has leapt over it.
  bool events = true;

  bool holds(Row::Holds when) const { return row && row->holds == when; }
  bool is_rod() const { return row && row->kind == Row::Kind::distance && row->holds == Row::Holds::always; }
  bool is_coupler() const { return row && row->kind == Row::Kind::sum && row->holds == Row::Holds::always; }
  bool on_coordinate() const { return joint >= 0 && !friction; }
  bool counts_turns() const { return axis && axis->turns; }
  bool acts() const;         // it does something to bodies: it is not states alone
  bool closes_loop() const;  // a constraint that is always there connects its frames
};

// A road by name: heights in the axes of the frame that carries it.
struct Road {
  std::string name, type;
  Location where;
  Marker from;
  std::shared_ptr<const Surface> surface;
};

// A railway track by name, in the axes of the frame that carries it: its line at the height of the rails' tops, and the rails beside it.
struct Track {
  std::string name, type;
  Location where;
  Marker from;
  double gauge = 1.435;    // m, between the inner faces of the heads, 14 mm below the tops
  double base = 1.5;       // m, between the middles of the heads: that of cant, cross-level and the rolling circles
  std::string rail;        // profile of both, by name
  double inclination = 0;  // tangent of the angle by which each rail leans inwards
  std::shared_ptr<const TrackLine> line;
};

// The cross-section of a wheel or rail, by name (profile.h).
class Profile;
struct NamedProfile {
  std::string name, type;
  std::shared_ptr<const Profile> profile;
};

// A value that a controller holds.
struct Signal {
  std::string name, unit;
  double start = 0;
};

// A channel to record, under a name of the user's choice or its own. `channel` may hold wildcards * and ?. Or it is a formula of
// channels by their full names, "=left.load - right.load", of constants in SI and of t: that makes a channel of this name.
struct Output {
  std::string name, channel;
  Location where;
  bool is_formula() const { return channel.starts_with('='); }
};

// A sampled controller ([Arnold 2004] (17), (18)). It reads its inputs at offset + k sample_time; its outputs hold from
// `delay` later on.
struct Controller {
  std::string name, type;
  Location where;
  double sample_time = 0, offset = 0, delay = 0;
  bool starts_on = true;
  std::vector<Output> inputs;
  int first_signal = 0, outputs = 1;  // among Model::signals
  std::shared_ptr<const SampledLaw> law;
};

// What an event of the user does.
struct Action {
  enum class Kind { set_parameter, set_state, stop, switch_on, switch_off };
  Kind kind = Kind::stop;
  std::string target;              // parameter, state ("ride.displacement_rate", "strut.pressure") or controller
  std::string value;               // of a parameter, as it would stand in the file
  std::optional<Formula> formula;  // of a state: of the same variables as the event's `when`
  Location where;
};

// An event of the user: where a formula of channels crosses zero, or at given times.
struct EventRule {
  enum class Direction { rising, falling, both };
  std::string name;
  Location where;
  std::vector<Output> channels;  // the variables of the formulas: name in the formula, channel; after them t
  std::optional<Formula> when;
  Direction direction = Direction::both;
  std::optional<double> at;
  double every = 0;  // s; 0: once
  std::vector<Action> actions;
};

struct Experiment {
  std::string name, analysis = "simulate";
  Location where;
  // A steady motion in place of rest: of what floats on free joints in m/s and rad/s, of joint coordinates in rad/s or m/s.
  double speed = 0, yaw_rate = 0;
  std::vector<std::pair<std::string, double>> spin = {};
  std::string start;                // experiment that finds the equilibrium to start from; empty: the initial values
  double from_time = 0, until = 0;  // s
  double output_step = 0;           // s; 0: a thousandth of the span
  double tolerance = 1e-6;          // relative
  double absolute_tolerance = 0;    // 0: the same
  std::string solver = "auto", jacobian = "auto";
  double largest_step = 0;               // s; 0: a fiftieth of the span
  int max_order = 0;                     // 0: the integrator's own
  double kappa = 0;                      // of Newton's iteration, in tolerances; 0: the integrator's own
  double baumgarte = 20;                 // 1/s; how fast constraint errors decay under that formulation
  std::string metric = "mass";           // in which a projection is the nearest point
  std::vector<std::string> independent;  // coordinates whose initial values are held
  bool strict = false;                   // refuse where the constraints do not allow the given initial values
  std::vector<std::pair<std::string, std::string>> set;  // parameters changed for this experiment
  std::vector<Output> outputs;                           // empty: the model's
  std::shared_ptr<const Kinematics> kinematics;          // of `analysis: kinematics`
  std::shared_ptr<const AnalysisOptions> options;        // of `analysis: modes, linearize, response, nominal`
  std::vector<std::pair<std::string, Location>> given;   // fields that the file has, with their lines
};

// What stands still between events and samples; a run changes it there (HybridState).
struct Held {
  std::vector<double> signals;  // by Model::signals
  std::vector<int> modes;       // by Model::contributions; see Setting::mode
  std::vector<double> offsets;  // by constraint row: where a coordinate sticks
  std::vector<double> branch;   // contact variables where a search for them begins; empty: anywhere
  // Angles of cut joints, three a joint, from design, and behind them one a contribution, of those on the angle about an axis: turns are
  // counted from here. Empty: all within half a turn of design.
  std::vector<double> angles;
};

// The absolute tolerance, if given, keeps its ratio to the relative one.
inline void set_tolerance(Experiment& experiment, double tolerance) {
  experiment.absolute_tolerance *= tolerance / experiment.tolerance;
  experiment.tolerance = tolerance;
}

struct Model {
  std::string name, file;
  std::string source;              // the text as read
  std::string expanded;            // YAML with parts and repeats unrolled and expressions evaluated
  std::vector<std::string> files;  // all that were read: the model, its includes, tables and meshes
  Vec3d gravity{0, 0, -9.81};
  Coordinates coordinates = Coordinates::joint;
  std::vector<Parameter> parameters;
  expression::Tables tables;  // that formulas may call
  std::vector<Body> bodies;
  std::vector<Shape> ground_shapes;
  std::vector<Marker> markers;
  std::vector<Sensor> sensors;
  std::vector<Joint> joints;
  std::vector<Road> roads;
  std::vector<Track> tracks;
  std::vector<NamedProfile> profiles;
  std::vector<Contribution> contributions;
  std::vector<Signal> signals;
  std::vector<ContinuousSignal> continuous;
  std::vector<int> continuous_order;  // each behind those that it reads
  std::vector<Controller> controllers;
  std::vector<EventRule> events;
  std::vector<TimeTable> time_tables;
  std::vector<Output> outputs;
  std::vector<Experiment> experiments;
  std::vector<Warning> warnings;              // of reading it
  std::vector<std::string> ignored_warnings;  // names of kinds, see base/warning.h
};

// Those whose row holds in this way, in the order of the model: contacts, what sticks.
std::vector<const Contribution*> those_that_hold(const Model& model, Row::Holds when);
// All that act but plain constraints, likewise: what results call forces.
std::vector<const Contribution*> forces_of(const Model& model);
// What one that sticks can hold, at a time and with what it listens to.
double largest_hold(const Contribution& what, double t, double signal);
inline bool is_released(const Contribution& what, double most) {
  return what.row->hold_ratio > 0 && most < what.row->hold;
}
std::size_t number_of(const Model& model, const Contribution& what);  // among Model::contributions

// How many Held::angles there are, and which one is that of a contribution.
inline std::size_t held_angles(const Model& model) { return 3 * model.joints.size() + model.contributions.size(); }
inline std::size_t held_angle(const Model& model, std::size_t contribution) {
  return 3 * model.joints.size() + contribution;
}

// Signals as controllers begin; nobody watches the modes.
inline Held held_at_start(const Model& model) {
  Held held;
  for (const Signal& signal : model.signals) held.signals.push_back(signal.start);
  held.modes.assign(model.contributions.size(), 0);
  return held;
}

}  // namespace skyhook::model
