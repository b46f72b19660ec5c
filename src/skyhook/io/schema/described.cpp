#include "skyhook/io/schema/described.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "skyhook/base/units.h"
#include "skyhook/element/catalogue.h"
#include "skyhook/io/model_file/event_fields.h"
#include "skyhook/io/model_file/fields.h"
#include "skyhook/io/model_file/flexible_fields.h"
#include "skyhook/io/model_file/plot_fields.h"
#include "skyhook/io/model_file/scalar.h"
#include "skyhook/io/model_file/shape_fields.h"
#include "skyhook/io/model_file/template_fields.h"

namespace skyhook::io {
namespace {

using namespace model_file;

bool has_unit(const FieldInfo& info) { return !parse_unit(info.unit).dimension.is_dimensionless(); }

// What each C++ type of a field is called, and how a file would write its value.
struct Said {
  FieldKind kind;
  std::string otherwise = {};
};

std::string axis_text(const Vec3d& v) {
  for (int k = 0; k < 3; ++k) {
    if (v[k] == 1.0 && std::abs(v.x) + std::abs(v.y) + std::abs(v.z) == 1.0)
      return std::string(1, static_cast<char>('x' + k));
  }
  return {};
}

Said said(const FieldInfo&, double value) { return {FieldKind::number, fmt::format("{}", value)}; }
Said said(const FieldInfo&, int value) { return {FieldKind::whole, fmt::format("{}", value)}; }
Said said(const FieldInfo&, bool value) { return {FieldKind::truth, value ? "true" : "false"}; }
Said said(const FieldInfo&, const std::string& value) { return {FieldKind::text, value}; }
Said said(const FieldInfo&, const std::vector<double>&) { return {FieldKind::numbers}; }
Said said(const FieldInfo& info, const Vec3d& v) {
  const std::string list = fmt::format("[{}, {}, {}]", v.x, v.y, v.z), axis = axis_text(v);
  if (std::string_view(info.unit) != "-") return {FieldKind::vector, list};  // also angles in rad
  return {FieldKind::direction, axis.empty() ? list : axis};
}
// The default of a matrix is the identity or nothing, which its help says better.
Said said(const FieldInfo& info, const Mat3d&) { return {has_unit(info) ? FieldKind::tensor : FieldKind::orientation}; }
Said said(const FieldInfo&, const model::BodyRef&) { return {FieldKind::body}; }
Said said(const FieldInfo&, const model::Marker&) { return {FieldKind::marker}; }
Said said(const FieldInfo&, const model::CoordinateRef&) { return {FieldKind::coordinate}; }
Said said(const FieldInfo&, const Part&) { return {FieldKind::part}; }
Said said(const FieldInfo&, const std::optional<model::Formula>&) { return {FieldKind::formula}; }
Said said(const FieldInfo&, const std::optional<model::Curve>&) { return {FieldKind::curve}; }
Said said(const FieldInfo&, const std::optional<model::Motion>&) { return {FieldKind::motion}; }
Said said(const FieldInfo&, const model::FileRef&) { return {FieldKind::file}; }
Said said(const FieldInfo&, const model::TextFile&) { return {FieldKind::file}; }
Said said(const FieldInfo&, const model::OpenValues&) { return {FieldKind::values}; }
Said said(const FieldInfo&, const model::SignalRef&) { return {FieldKind::signal}; }
Said said(const FieldInfo&, const model::Output&) { return {FieldKind::channel}; }
Said said(const FieldInfo&, const std::vector<model::Output>&) { return {FieldKind::channels}; }
Said said(const FieldInfo&, const std::vector<std::string>&) { return {FieldKind::names}; }
Said said(const FieldInfo&, const model::NamedFormulas&) { return {FieldKind::formulas}; }
Said said(const FieldInfo&, const model::RoadRef&) { return {FieldKind::road}; }
Said said(const FieldInfo&, const std::vector<model::RoadRef>&) { return {FieldKind::roads}; }
Said said(const FieldInfo&, const std::vector<model::Patch>&) { return {FieldKind::patches}; }
Said said(const FieldInfo&, const std::shared_ptr<const model::RoadGrid>&) { return {FieldKind::file}; }
Said said(const FieldInfo&, const model::TrackRef&) { return {FieldKind::track}; }
Said said(const FieldInfo&, const std::vector<model::TrackSegment>&) { return {FieldKind::segments}; }
Said said(const FieldInfo&, const std::vector<model::GradientChange>&) { return {FieldKind::gradients}; }
Said said(const FieldInfo&, const model::IrregularityChoice&) { return {FieldKind::irregularities}; }
Said said(const FieldInfo&, const model::Rows&) { return {FieldKind::rows}; }
template <class T>
Said said(const FieldInfo& info, const std::optional<T>&) {
  return {said(info, T{}).kind};
}

// Takes down what is offered to it instead of reading it.
class Recorder : public model::FieldSource {
 public:
  bool read(const FieldInfo& info, model::FieldTarget target) override {
    std::visit([&](const auto* value) { record(info, *value); }, target);
    return false;
  }
  template <class T>
  void record(const FieldInfo& info, const T& value) {
    Said s = said(info, value);
    if (info.is_required) s.otherwise.clear();
    fields.push_back({info, s.kind, std::move(s.otherwise)});
  }
  const std::string& name() const override { return name_; }
  Location where(const char*) const override { return {}; }

  std::vector<DescribedField> fields;

 private:
  std::string name_;
};

template <class Fields>
std::vector<DescribedField> fields_of() {
  Recorder recorder;
  const Fields defaults;
  for_each_field(Fields::fields, defaults,
                 [&](const FieldInfo& info, const auto& member) { recorder.record(info, member); });
  return std::move(recorder.fields);
}

template <class Fields>
Thing part(const char* name, const char* section, const char* summary) {
  return {name, section, summary, false, fields_of<Fields>()};
}

Thing element_thing(const element::ElementType& type) {
  Recorder recorder;
  recorder.fields = fields_of<ElementFields>();
  for (DescribedField& f : recorder.fields) {
    if (f.info.name == std::string("type"))
      f.info.choices = type.name.c_str(),
      f.info.is_required = !element::only_type_of(type.section);  // it lives for ever
  }
  type.offer_fields(recorder);
  for (const DescribedField& f : fields_of<ConditionFields>()) recorder.fields.push_back(f);
  return {type.name, type.section, type.summary, true, std::move(recorder.fields)};
}

std::string names_in(const char* variables) {
  std::string names;
  for (const std::string& word : words_of(variables))
    names += (names.empty() ? "" : ", ") + word.substr(0, word.find(':'));
  return names;
}

std::string over(const FieldInfo& info, const char* otherwise) {
  return " over " + names_in(*info.variables ? info.variables : otherwise);
}

std::string choices_text(const FieldInfo& info) {
  if (info.is_checked_elsewhere) return "text";  // too many to list
  std::string text;
  for (const std::string& choice : words_of(info.choices)) text += (text.empty() ? "" : " or ") + choice;
  return text.empty() ? "text" : text;
}

}  // namespace

std::string DescribedField::type_text() const {
  switch (kind) {
    case FieldKind::number: return "number";
    case FieldKind::whole: return "whole number";
    case FieldKind::truth: return "true or false";
    case FieldKind::text: return choices_text(info);
    case FieldKind::numbers: return "number or list";
    case FieldKind::vector: return "vector";
    case FieldKind::direction: return "direction";
    case FieldKind::orientation: return "orientation";
    case FieldKind::tensor: return "tensor";
    case FieldKind::body: return "body";
    case FieldKind::marker: return "marker or body";
    case FieldKind::coordinate: return "joint coordinate";
    case FieldKind::formula: return "formula" + over(info, "");
    case FieldKind::curve: return "formula" + over(info, "x:-") + ", or table";
    case FieldKind::motion: return "formula" + over(info, "t:s") + ", or table";
    case FieldKind::file: return "file";
    case FieldKind::values: return "map of numbers";
    case FieldKind::signal: return "controller";
    case FieldKind::channel: return "channel";
    case FieldKind::channels: return "list or map of channels";
    case FieldKind::names: return "list of names";
    case FieldKind::formulas: return "map of formulas";
    case FieldKind::road: return "road";
    case FieldKind::roads: return "list of roads";
    case FieldKind::patches: return "list of patches";
    case FieldKind::track: return "track";
    case FieldKind::segments: return "list of segments";
    case FieldKind::gradients: return "list of gradients";
    case FieldKind::irregularities: return "map, see `irregularities`";
    case FieldKind::rows: return "rows of numbers";
    case FieldKind::part: return "see meaning";
  }
  return {};
}

std::string DescribedField::range_text() const {
  const bool is_open = !std::isfinite(info.range.low) && !std::isfinite(info.range.high);
  return is_open ? "" : model_file::range_text(info.range, "1");
}

bool Thing::has_required() const {
  return std::any_of(fields.begin(), fields.end(), [](const DescribedField& f) { return f.info.is_required; });
}

const std::vector<Thing>& described_elements() {
  static const std::vector<Thing> things = [] {
    std::vector<Thing> all;
    for (const element::ElementType& type : element::catalogue()) all.push_back(element_thing(type));
    return all;
  }();
  return things;
}

const std::vector<Thing>& described_parts() {
  static const std::vector<Thing> things{
      part<FileFields>("model", "", "a model file"),
      part<Conditional<BodyFields>>("body", "bodies", "a body, rigid or flexible"),
      part<Conditional<MarkerFields>>("marker", "markers", "a frame on a body; also in place of a marker's name"),
      part<Conditional<BodyMarkerFields>>("body_marker", "bodies", "a frame under `markers` of a body"),
      part<BodyWheelFields>("body_wheel", "bodies",
                            "`wheel` of a body: what its camber, toe, steer and spin are measured from"),
      part<Conditional<FlexibleFields>>(
          "flexible", "bodies", "`flexible` of a body: beams and plates that bend, and by which shapes they do"),
      part<BeamFields>("beam", "bodies", "a beam of a flexible body, between two of its nodes"),
      part<AncfFields>(
          "nodal_beam", "bodies",
          "`beam` of a body, and each of `beams`: a line of elements with nodal coordinates, for large deformations"),
      part<PlateFields>("plate", "bodies", "a flat plate of a flexible body, between four of its nodes"),
      part<LumpedMassFields>("lumped_mass", "bodies", "a mass at a node of a flexible body"),
      part<Conditional<SensorFields>>("sensor", "sensors", "where one marker is seen from another"),
      part<Conditional<SignalFields>>("signal", "signals", "a formula of channels that laws listen to"),
      part<GroundFields>("ground", "ground", "how the ground looks"),
      part<TemplateFields>("template", "templates", "a part to be used once or more"),
      part<UseFields>("part", "use", "a template put into the model; its parameters are fields as well"),
      part<GroupFields>("group", "use", "things that belong together without a template"),
      part<Conditional<EventFields>>("event", "events", "something that happens during a run"),
      part<ActionFields>("action", "events", "what an event does"),
      part<PanelFields>("panel", "plots", "a plot of a page that a report opens first"),
      part<AnyExperimentFields>("experiment", "experiments", "what to do with the model"),
      part<PatchFields>("patch", "roads", "a rectangle of a road with another friction"),
      part<model::TrackSegment>("track_segment", "tracks", "a piece of a track, in `layout`"),
      part<model::GradientChange>("gradient_change", "tracks",
                                  "where a track begins to climb otherwise, in `gradients`"),
      part<model::IrregularityChoice>("irregularities", "tracks", "how a track deviates from its layout"),
      part<OrientationFields>("orientation", "", "axes at design, given in one of three ways"),
      part<TensorFields>("tensor", "", "a symmetric matrix as a map"),
      part<TableFields>("table", "", "a function given by points, here or in a CSV file"),
      part<ShapeFields>("shape", "shapes", "how a body looks: one of these kinds"),
      part<BoxFields>("shape.box", "shapes", "a box"),
      part<CylinderFields>("shape.cylinder", "shapes", "a cylinder"),
      part<SphereFields>("shape.sphere", "shapes", "a ball"),
      part<WheelFields>("shape.wheel", "shapes", "a wheel"),
      part<RodFields>("shape.rod", "shapes", "a round bar between two points"),
      part<MeshFields>("shape.mesh", "shapes", "triangles of a file"),
  };
  return things;
}

const Thing& described_part(const std::string& name) {
  const auto found = std::ranges::find(described_parts(), name, &Thing::name);
  assert(found != described_parts().end());
  return *found;
}

}  // namespace skyhook::io
