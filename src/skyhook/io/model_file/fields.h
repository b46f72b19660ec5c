// The described fields of everything in a model file that is no element: the one place that names its keys.
#pragma once
#include "skyhook/base/field.h"
#include "skyhook/io/model_file/analysis_fields.h"
#include "skyhook/io/model_file/kinematics_fields.h"
#include "skyhook/io/model_file/node.h"
#include "skyhook/model/field_source.h"

namespace skyhook::io::model_file {

// A part of the file that a reader of its own takes care of.
struct Part {
  Node* node = nullptr;
};

// Of everything that has a name: bodies, markers, joints, forces, controllers and parts.
struct ConditionFields {
  bool is_on = true;

  static constexpr auto fields = describe(
      field(&ConditionFields::is_on, "if", "-", any(), "left out of the model where this is false: =expression"));
};

// As an entry of a section. A marker that stands in place of a name, for example, has no condition.
template <class Fields>
struct Conditional : Fields, ConditionFields {
  static constexpr auto fields = std::tuple_cat(Fields::fields, ConditionFields::fields);
};

struct FileFields {
  int skyhook = 0;
  std::string name, description;
  std::string coordinates = "joint";
  Part include, gravity, parameters, tables, templates, bodies, ground, markers, sensors, joints, roads, road, tracks,
      profiles, forces, controllers, signals, events, use, nominal, initial, outputs, plots, experiments,
      ignore_warnings;

  static constexpr auto fields = describe(
      field(&FileFields::skyhook, "skyhook", "-", any(), "version of the language: 1").required(),
      field(&FileFields::name, "name", "-", any(), "name of the model; default: that of the file"),
      field(&FileFields::description, "description", "-", any(), "what the model is, for people"),
      field(&FileFields::include, "include", "-", any(), "files whose sections join those of this one"),
      field(&FileFields::gravity, "gravity", "m/s^2", any(), "vector, or g for [0, 0, -g], or off; default 9.81"),
      field(&FileFields::coordinates, "coordinates", "-", any(),
            "in which the motion is computed: those of the joints; absolute: six of each body, every joint a "
            "constraint; auto: what fills the matrices less")
          .one_of("joint absolute auto"),
      field(&FileFields::parameters, "parameters", "-", any(), "named constants: name: 730 kg, name: =expression"),
      field(&FileFields::tables, "tables", "-", any(),
            "tables that formulas call: name: {table: [[x, y], ...], units: [of x, of y], beyond: hold}"),
      field(&FileFields::templates, "templates", "-", any(), "parts to be used once or more, by name"),
      field(&FileFields::bodies, "bodies", "-", any(), "rigid bodies by name"),
      field(&FileFields::ground, "ground", "-", any(), "how the ground looks: shape or shapes"),
      field(&FileFields::markers, "markers", "-", any(), "named frames on bodies"),
      field(&FileFields::sensors, "sensors", "-", any(), "where one marker is seen from another: channels by name"),
      field(&FileFields::joints, "joints", "-", any(), "joints, rods and couplers by name"),
      field(&FileFields::roads, "roads", "-", any(), "roads by name, for what stands on them"),
      field(&FileFields::road, "road", "-", any(), "one road, in short: its name is road"),
      field(&FileFields::tracks, "tracks", "-", any(), "railway tracks by name, for what runs on them"),
      field(&FileFields::profiles, "profiles", "-", any(), "cross-sections of wheels and rails by name"),
      field(&FileFields::forces, "forces", "-", any(), "force elements by name"),
      field(&FileFields::controllers, "controllers", "-", any(), "sampled controllers by name"),
      field(&FileFields::signals, "signals", "-", any(),
            "formulas of channels that laws listen to at every instant: name: =formula"),
      field(&FileFields::events, "events", "-", any(), "what happens where a formula crosses zero, or at given times"),
      field(&FileFields::use, "use", "-", any(), "instances of templates, and groups, by name"),
      field(&FileFields::nominal, "nominal", "-", any(),
            "parameters and fields of elements that win over what stands there, as `skyhook nominal` writes them: "
            "strut.preload: -3.2 kN"),
      field(&FileFields::initial, "initial", "-", any(), "initial values: joint.coordinate: value"),
      field(&FileFields::outputs, "outputs", "-", any(),
            "channels to record: a list, or name: channel, or name: =formula of channels"),
      field(&FileFields::plots, "plots", "-", any(),
            "pages that a report opens first, by name: a list of panels {title, curves, x, units, view}"),
      field(&FileFields::experiments, "experiments", "-", any(), "what to do with the model, by name"),
      field(&FileFields::ignore_warnings, "ignore_warnings", "-", any(),
            "warnings that are not wanted, by name; `skyhook warnings` lists them"));
};

struct BodyFields {
  double mass = 0;
  Mat3d inertia = {};
  std::optional<Vec3d> com;
  Vec3d at;
  Mat3d orientation = Mat3d::identity();
  Part markers, shape, shapes, wheel, flexible, beam, beams;
  std::string coordinates = "model";

  static constexpr auto fields = describe(
      field(&BodyFields::mass, "mass", "kg", at_least(0.0), "mass; needed, unless the body is flexible or a beam"),
      field(&BodyFields::inertia, "inertia", "kg.m^2", any(),
            "about the centre of mass in body axes: [xx, yy, zz], [xx, yy, zz, xy, xz, yz] or a map; xy = -integral of "
            "x y dm"),
      field(&BodyFields::com, "com", "m", any(), "centre of mass, global at design; default: `at`")
          .mirrored(Mirror::point),
      field(&BodyFields::at, "at", "m", any(), "reference point, global at design").mirrored(Mirror::point),
      field(&BodyFields::orientation, "orientation", "-", any(), "body axes at design; default: the global ones"),
      field(&BodyFields::markers, "markers", "-", any(), "named frames on this body, called body.marker"),
      field(&BodyFields::shape, "shape", "-", any(), "how it looks: {kind: {...}}"),
      field(&BodyFields::shapes, "shapes", "-", any(), "how it looks: a list of shapes"),
      field(&BodyFields::wheel, "wheel", "-", any(),
            "makes it a wheel, with the channels camber, toe, steer and spin: {}, or {axis: ..., side: ...}"),
      field(
          &BodyFields::flexible, "flexible", "-", any(),
          "a body that bends: beams (`skyhook elements flexible`), or a file that `skyhook flex` has written; mass and "
          "inertia follow from it"),
      field(&BodyFields::beam, "beam", "-", any(),
            "a beam or cable that bends as far as it likes (`skyhook elements nodal_beam`): {from: [...], to: [...], "
            "elements: 8, "
            "material: steel, round: 5 mm}; mass and inertia follow from it"),
      field(&BodyFields::beams, "beams", "-", any(),
            "several of these by name, which may share nodes: {mast: {...}, boom: {..., start: welded, start_at: "
            "mast.end}}"),
      field(&BodyFields::coordinates, "coordinates", "-", any(),
            "absolute: six of its own, and its joints are constraints; joint; auto: which of the two fills the "
            "matrices less; default: those of its part or the model")
          .one_of("model joint absolute auto"));
};

struct BodyWheelFields {
  std::optional<Vec3d> axis;
  std::string side = "auto", axle = "auto";
  model::BodyRef vehicle;
  model::BodyRef carrier;  // ground: not given
  std::optional<double> radius;
  Part steering_axis;

  static constexpr auto fields = describe(
      field(&BodyWheelFields::axis, "axis", "-", any(), "it turns about, global at design; default: y of the body")
          .mirrored(Mirror::polar),
      field(&BodyWheelFields::side, "side", "-", any(),
            "of the vehicle on which it stands; auto: by the y of its `at`. Camber and toe have signs after it")
          .one_of("auto left right middle"),
      field(&BodyWheelFields::vehicle, "vehicle", "-", any(),
            "body that camber, toe and steer are measured against: x forward, y left, z up; default: ground"),
      field(&BodyWheelFields::carrier, "carrier", "-", any(),
            "kinematics: body that carries the wheel and does not spin; default: that behind its bearing"),
      field(&BodyWheelFields::radius, "radius", "m", Range{.low = 0, .low_excluded = true},
            "kinematics: of the wheel under load; default: that of its shape"),
      field(&BodyWheelFields::steering_axis, "steering_axis", "-", any(),
            "kinematics: [lower, upper]: two joints or markers on the line about which the carrier steers"),
      field(&BodyWheelFields::axle, "axle", "-", any(),
            "kinematics: to which it belongs; auto: rear where it stands behind the vehicle's `at`")
          .one_of("auto front rear"));
};

// A marker inside a body: the body is known.
struct BodyMarkerFields {
  std::optional<Vec3d> at;
  std::string node;
  std::optional<Mat3d> orientation;

  static constexpr auto fields =
      describe(field(&BodyMarkerFields::at, "at", "m", any(), "point, global at design; default: that of the body")
                   .mirrored(Mirror::point),
               field(&BodyMarkerFields::node, "node", "-", any(), "in place of `at`: place or node of a flexible body"),
               field(&BodyMarkerFields::orientation, "orientation", "-", any(),
                     "axes, global at design; default: those of the body"));
};

struct MarkerFields : BodyMarkerFields {
  model::BodyRef body;

  static constexpr auto fields = std::tuple_cat(
      describe(field(&MarkerFields::body, "body", "-", any(), "body that carries the marker, or ground").required()),
      BodyMarkerFields::fields);
};

struct SensorFields {
  model::Marker from, to;
  std::optional<model::Marker> in;

  static constexpr auto fields = describe(
      field(&SensorFields::from, "from", "-", any(), "marker or body that looks").required(),
      field(&SensorFields::to, "to", "-", any(), "marker or body that is looked at").required(),
      field(&SensorFields::in, "in", "-", any(), "marker or body whose axes are meant; default: those of `from`"));
};

// A continuous signal that is more than its formula.
struct SignalFields {
  Part formula, rate, start, limit;
  std::string unit = "-";
  double nominal = 1;

  static constexpr auto fields = describe(
      field(&SignalFields::formula, "formula", "-", any(), "=formula of channels, signals, parameters and t"),
      field(&SignalFields::limit, "limit", model::any_unit, any(),
            "with `formula`: its largest size; what is asked beyond is cut, with a warning"),
      field(&SignalFields::rate, "rate", "-", any(),
            "=formula of what it changes by in a second: it is a state then, and may read itself"),
      field(&SignalFields::start, "start", model::any_unit, any(), "with `rate`: at the start; default 0"),
      field(&SignalFields::unit, "unit", "-", any(), "with `rate`: of the signal, in SI, such as rad; default: none"),
      field(&SignalFields::nominal, "nominal", "-", Range{.low = 0, .low_excluded = true},
            "with `rate`: its usual size in SI units, for tolerances"));
};

// A rectangle of a road.
struct PatchFields {
  std::vector<double> x, y;
  double friction = 1;

  static constexpr auto fields = describe(
      field(&PatchFields::x, "x", "m", any(), "[from, to]; default: for all x"),
      field(&PatchFields::y, "y", "m", any(), "[from, to]; default: for all y"),
      field(&PatchFields::friction, "friction", "-", at_least(0.0), "factor on the friction there").required());
};

struct OrientationFields {
  std::optional<Vec3d> cardan, x, y;
  std::vector<double> quaternion;

  static constexpr auto fields =
      describe(field(&OrientationFields::cardan, "cardan", "rad", any(),
                     "Cardan angles: about x, then the new y, then the new z")
                   .mirrored(Mirror::axial),
               field(&OrientationFields::quaternion, "quaternion", "-", any(), "unit quaternion w, x, y, z")
                   .mirrored(Mirror::axial),
               field(&OrientationFields::x, "x", "-", any(), "direction of the x axis; together with y")
                   .mirrored(Mirror::frame_x),
               field(&OrientationFields::y, "y", "-", any(), "direction of the y axis; its part along x is removed")
                   .mirrored(Mirror::frame_y));
};

// A symmetric matrix; the unit is that of the field it belongs to.
struct TensorFields {
  Part xx, yy, zz, xy, xz, yz;

  static constexpr auto fields =
      describe(field(&TensorFields::xx, "xx", "", any(), "").required(),
               field(&TensorFields::yy, "yy", "", any(), "").required(),
               field(&TensorFields::zz, "zz", "", any(), "").required(), field(&TensorFields::xy, "xy", "", any(), ""),
               field(&TensorFields::xz, "xz", "", any(), ""), field(&TensorFields::yz, "yz", "", any(), ""));
};

struct TableFields {
  Part table, file, columns, units;
  std::string beyond;

  static constexpr auto fields = describe(
      field(&TableFields::table, "table", "-", any(), "rows [x, y], x rising"),
      field(&TableFields::file, "file", "-", any(), "a CSV file, relative to the model file, instead of rows"),
      field(&TableFields::columns, "columns", "-", any(), "[x, y] of the file, by name or number; default 1, 2"),
      field(&TableFields::units, "units", "-", any(), "[of x, of y] where the numbers are not SI"),
      field(&TableFields::beyond, "beyond", "-", any(),
            "beyond the rows: the last value holds, the curve comes to rest in it (tables of time), goes on straight, "
            "or no "
            "run goes there; without it tables of time hold, others go on straight, and a run that gets there warns")
          .one_of("hold stop straight refuse"));
};

// Every element; the rest of its fields depends on the type.
struct ElementFields {
  std::string type;

  static constexpr auto fields =
      describe(field(&ElementFields::type, "type", "-", any(), "which element of the catalogue").required());
};

struct ExperimentFields : model::Experiment {
  Part spin_part, independent_part, set_part, initial, outputs_part;

  static constexpr auto fields = describe(
      field(&ExperimentFields::analysis, "analysis", "-", any(), "what is done with the model")
          .one_of("simulate equilibrium nominal modes linearize response kinematics"),
      field(&ExperimentFields::start, "from", "-", any(),
            "start from the equilibrium: name of an experiment with `analysis: equilibrium`"),
      field(&ExperimentFields::from_time, "from_time", "s", any(), "start of the simulation"),
      field(&ExperimentFields::until, "until", "s", any(), "end of the simulation"),
      field(&ExperimentFields::output_step, "output_step", "s", at_least(0.0),
            "time between records; default: span/1000"),
      field(&ExperimentFields::tolerance, "tolerance", "-", Range{.low = 0, .high = 0.1, .low_excluded = true},
            "relative error tolerance of the integrator"),
      field(&ExperimentFields::absolute_tolerance, "absolute_tolerance", "-",
            Range{.low = 0, .high = 0.1, .low_excluded = true},
            "absolute error tolerance, in SI units of each unknown; default: `tolerance`"),
      field(
          &ExperimentFields::solver, "solver", "-", any(),
          "integrator, or integrator/formulation; `skyhook solvers` lists them. auto: chosen by the model, and by how "
          "stiff it becomes")
          .one_of("auto bdf ida radau5 dopri5 adams hem5 hht generalised_alpha two_loop bdf/ggl bdf/ggl_explicit "
                  "bdf/index2_projected "
                  "bdf/index1_projected bdf/baumgarte "
                  "bdf/index2 bdf/index1 bdf/index3 ida/ggl ida/ggl_explicit ida/baumgarte ida/index1 ida/index2 "
                  "ida/index3 "
                  "radau5/ggl radau5/index2_projected radau5/index1_projected radau5/baumgarte radau5/index1 "
                  "radau5/index2 radau5/index3 dopri5/projecting dopri5/index1_projected dopri5/partitioning "
                  "dopri5/baumgarte dopri5/velocity_projected dopri5/index1 adams/projecting adams/index1_projected "
                  "adams/partitioning adams/baumgarte adams/velocity_projected adams/index1 hem5/index2_projected "
                  "generalised_alpha/ggl generalised_alpha/index3 hht/ggl hht/index3 two_loop/partitioning")
          .checked_elsewhere(),
      field(&ExperimentFields::jacobian, "jacobian", "-", any(), "how the Jacobian is computed")
          .one_of("auto exact exact+partitioned dense dense+partitioned dense+extended grouped grouped+partitioned "
                  "grouped+extended estimated estimated+partitioned estimated+extended"),
      field(&ExperimentFields::largest_step, "largest_step", "s", at_least(0.0),
            "bound of the step size; default: span/50"),
      field(&ExperimentFields::max_order, "max_order", "-", between(1, 12),
            "highest order of the integrator; default: its own"),
      field(&ExperimentFields::kappa, "kappa", "-", between(0, 1),
            "where Newton's iteration stops, in tolerances; default: the integrator's own"),
      field(&ExperimentFields::baumgarte, "baumgarte", "1/s", Range{.low = 0, .low_excluded = true},
            "how fast constraint errors decay under the formulation baumgarte"),
      field(&ExperimentFields::metric, "metric", "-", any(), "in which a projection is the nearest point")
          .one_of("mass euclidean"),
      field(
          &ExperimentFields::speed, "speed", "m/s", any(),
          "equilibrium in steady motion: of all that runs on a track, and of what floats on a free joint, along its x"),
      field(&ExperimentFields::yaw_rate, "yaw_rate", "rad/s", any(),
            "equilibrium in steady motion: of what floats, about z"),
      field(&ExperimentFields::spin_part, "spin", "-", any(),
            "equilibrium in steady motion: rates of joint coordinates, axle.angle: 60 rad/s"),
      field(&ExperimentFields::independent_part, "independent", "-", any(),
            "coordinates whose initial values are held"),
      field(&ExperimentFields::strict, "strict", "-", any(),
            "refuse where the constraints do not allow the given initial values"),
      field(&ExperimentFields::set_part, "set", "-", any(), "parameters changed for this experiment"),
      field(&ExperimentFields::initial, "initial", "-", any(), "initial values: joint.coordinate: value"),
      field(&ExperimentFields::outputs_part, "outputs", "-", any(), "channels to record instead of the model's"));
};

using KinematicsFields = KinematicsFieldsOf<Part>;
using AnalysisFields = AnalysisFieldsOf<Part>;

struct AnyExperimentFields : ExperimentFields, KinematicsFields, AnalysisFields {
  static constexpr auto fields =
      std::tuple_cat(ExperimentFields::fields, KinematicsFields::fields, AnalysisFields::fields);
};

}  // namespace skyhook::io::model_file
