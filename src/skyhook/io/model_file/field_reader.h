// Reads described fields from a map of the model file.
#pragma once
#include <array>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "skyhook/io/model_file/fields.h"
#include "skyhook/io/model_file/reading.h"
#include "skyhook/io/model_file/scalar.h"
#include "skyhook/model/field_source.h"

namespace skyhook::element {
struct PlaneAxes;
}

namespace skyhook::io::model_file {

struct Csv;

class FieldReader : public model::FieldSource {
 public:
  // `what` is how messages call the thing: body "car". `place` is where it is named.
  FieldReader(Reading& reading, Node& map, std::string what, std::string name, const Node& place, Scope scope = {});

  bool read(const FieldInfo& info, model::FieldTarget target) override;
  bool read(const FieldInfo& info, Part* part);
  bool read(const FieldInfo& info, std::optional<Mat3d>* value);
  const std::string& name() const override { return name_; }
  Location where(const char* field) const override;

  // Reports keys that none of the fields has, and that it is a map at all.
  void check_keys(const std::vector<FieldInfo>& known);
  // Throws Report::Known after this field if anything was wrong until then: no element must see half of its fields.
  void stop_after(std::string field) { last_field_ = std::move(field); }
  bool has(const char* field) const { return find(map_, field) != nullptr; }
  bool has_failed() const { return report().size() > findings_before_; }
  const ScalarReader& scalars() const { return scalars_; }

 private:
  Report& report() const { return reading_.report; }
  std::string what_of(const FieldInfo& info) const;
  Wanted wanted(const FieldInfo& info) const { return {what_of(info), info.unit, info.range}; }
  Node* find_value(const FieldInfo& info);
  FieldReader inner(Node& map, const FieldInfo& info) const;

  // One for each type of a described field.
  void set(const FieldInfo& info, Node& node, double& value);
  void set(const FieldInfo& info, Node& node, bool& value);
  void set(const FieldInfo& info, Node& node, int& value);
  void set(const FieldInfo& info, Node& node, std::string& value);
  void set(const FieldInfo& info, Node& node, Vec3d& value);
  void set(const FieldInfo& info, Node& node, Mat3d& value);
  void set(const FieldInfo& info, Node& node, std::vector<double>& value);
  void set(const FieldInfo& info, Node& node, model::BodyRef& value);
  void set(const FieldInfo& info, Node& node, model::Marker& value);
  void set(const FieldInfo& info, Node& node, model::CoordinateRef& value);
  void set(const FieldInfo& info, Node& node, std::optional<model::Curve>& value);
  void set(const FieldInfo& info, Node& node, std::optional<model::Motion>& value);
  void set(const FieldInfo& info, Node& node, std::optional<model::Formula>& value);
  void set(const FieldInfo& info, Node& node, model::FileRef& value);
  void set(const FieldInfo& info, Node& node, model::TextFile& value);
  void set(const FieldInfo& info, Node& node, model::OpenValues& value);
  void set(const FieldInfo& info, Node& node, model::SignalRef& value);
  void set(const FieldInfo& info, Node& node, model::Output& value);
  void set(const FieldInfo& info, Node& node, std::vector<model::Output>& value);
  void set(const FieldInfo& info, Node& node, std::vector<std::string>& value);
  void set(const FieldInfo& info, Node& node, model::RoadRef& value);
  void set(const FieldInfo& info, Node& node, std::vector<model::RoadRef>& value);
  void set(const FieldInfo& info, Node& node, std::vector<model::Patch>& value);
  void set(const FieldInfo& info, Node& node, std::shared_ptr<const model::RoadGrid>& value);
  void set(const FieldInfo& info, Node& node, model::TrackRef& value);
  void set(const FieldInfo& info, Node& node, std::vector<model::TrackSegment>& value);
  void set(const FieldInfo& info, Node& node, std::vector<model::GradientChange>& value);
  void set(const FieldInfo& info, Node& node, model::IrregularityChoice& value);
  template <class Item>
  void set_list(const FieldInfo& info, Node& node, const char* advice, std::vector<Item>& value);
  void set(const FieldInfo& info, Node& node, model::Rows& value);
  void set(const FieldInfo& info, Node& node, model::NamedFormulas& value);
  template <class T>
  void set(const FieldInfo& info, Node& node, std::optional<T>& value) {
    set(info, node, value.emplace());
  }

  std::vector<double> numbers(const FieldInfo& info, Node& list);
  Mat3d orientation(const FieldInfo& info, Node& map);
  Mat3d tensor(const FieldInfo& info, Node& node);
  struct Table {
    std::vector<double> x, y;
    model::Beyond beyond = model::Beyond::unsaid;
  };
  struct TableUnits {
    std::string needed[2];
    Unit plain[2];  // of numbers without a unit of their own
  };
  std::optional<expression::Expression> law(const FieldInfo& info, Node& node, const std::string& variables);
  std::optional<Table> table(const FieldInfo& info, Node& node, const std::string& unit_of_x);
  model::Curve curve_of(const FieldInfo& info, const Node& node, const Table& rows);
  model::Motion motion_of(const FieldInfo& info, const Node& node, const Table& rows);
  bool read_units(Node& list, const FieldInfo& info, TableUnits& units);
  bool has_one_source(const FieldInfo& info, const Node& node, const TableFields& parts);
  std::optional<Table> table_of_file(const FieldInfo& info, Node& node, const TableFields& parts, TableUnits units);
  bool read_columns(const Node& list, const FieldInfo& info, std::array<std::string, 2>& wanted);
  void take_unit(const Csv& csv, std::size_t i, const std::string& path, bool has_units, TableUnits& units) const;
  static Table in_si(const Csv& csv, const FieldInfo& info, const TableUnits& units, const std::string& path);
  void read_rows(Node& rows, const FieldInfo& info, const TableUnits& units, Table& read);
  void read_row(Node& row, const FieldInfo& info, const TableUnits& units, Table& read);
  void warn_of_hidden_locals(const Node& node, const std::string& variables);
  void warn_of_hidden_parameters(const std::string& variables);
  model::Marker marker_named(const FieldInfo& info, Node& node);
  // Throws Report::Known if what bears this name could not be read, or is switched off, which is reported.
  void check_is_there(const std::string& name, const Node& node, const std::string& what);
  int body_named(const std::string& name, const Node& node, const std::string& what);

  // Mirrored and displaced instances: field_placement.cpp.
  const Placement& placement() const { return scalars_.scope().placement; }
  double sign(const FieldInfo& info) const;
  void place(const FieldInfo& info, Node& node, double& value);
  void place(const FieldInfo& info, Node& node, Vec3d& value);
  void place(const FieldInfo& info, Node& node, std::vector<double>& value);
  void place(const FieldInfo& info, std::string& value);
  void place_tensor(Node& node, std::vector<double>& v);
  void place_table(const FieldInfo& info, Node& node, Table& table);
  void place_ground(Node& node, model::Marker& marker);
  bool place_formula(const FieldInfo& info, Node& node);  // whether it has changed
  void place_default(const FieldInfo& info, model::FieldTarget target);
  void remember_plane(const element::PlaneAxes& axes);
  void swap_stops(const FieldInfo& info);
  void follow_coordinate(const FieldInfo& info, const Node& node, const model::CoordinateRef& value);
  void follow_axes(const FieldInfo& info, const model::Marker& marker);
  void check_axes(const FieldInfo& info, const Node& node) const;
  std::vector<std::string> odd_variables(const FieldInfo& info) const;

  Reading& reading_;
  Node& map_;
  std::string what_, name_, last_field_;
  Location place_;
  std::size_t findings_before_;
  ScalarReader scalars_;
  std::string own_variables_;  // " v:- r:-": what formulas may use beside the variables of their field
  // In a mirrored instance: what the fields read so far mean for the next.
  double coordinate_sign_ = 1.0, coordinate_signs_ = 1.0;
  std::array<Mirror, 3> plane_{};
  std::set<std::string> stops_swapped_;
  bool axes_are_mirrored_ = true;
};

model::Beyond beyond_named(const std::string& name);  // empty: unsaid

// A marker on a body; what is not given is the body's.
model::Marker make_marker(const BodyMarkerFields& given, int body, const model::Model& model);

// Reads all fields of a struct that describes itself; unknown keys are reported.
template <class Object>
void read_described(FieldReader& reader, Object& object) {
  reader.check_keys(infos_of(Object::fields));
  for_each_field(Object::fields, object, [&](const FieldInfo& info, auto& member) { reader.read(info, &member); });
}

}  // namespace skyhook::io::model_file
