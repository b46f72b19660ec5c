// Where described fields get their values from. The model file reader implements it; elements only see this.
#pragma once
#include <variant>

#include "skyhook/base/field.h"
#include "skyhook/base/units.h"
#include "skyhook/model/model.h"
#include "skyhook/model/patch.h"
#include "skyhook/model/track_layout.h"

namespace skyhook::model {

struct BodyRef {
  int index = ground;
};

// A joint's coordinate: `crank` (its only one) or `crank.angle`.
struct CoordinateRef {
  int joint = -1, dof = 0;
};

// A file that an element names and opens itself, later: reading a model does not.
struct FileRef {
  std::string name;   // as written
  std::string path;   // where it was found, or else the first of those tried
  std::string tried;  // all places, for messages
};

// A file that is read with the model; or its text itself, of several lines.
struct TextFile {
  std::string path, text;
};

// A road, by its name.
struct RoadRef {
  int index = -1;  // among Model::roads; none
};

// A track, by its name.
struct TrackRef {
  int index = -1;  // among Model::tracks; none
};

struct RoadGrid;  // road_grid.h: heights on a grid along a line, from a file

// Formulas by names of the model's own, over t, the inputs and the numbers read before them.
struct NamedFormula {
  std::string name;
  Formula formula;
};
using NamedFormulas = std::vector<NamedFormula>;

using Rows = std::vector<std::vector<double>>;  // of a matrix or table

// Numbers whose names and units only somebody else knows (a plug-in): as the file has them, SI.
struct OpenValue {
  std::string name, text;
  double value = 0;
  Dimension dimension;
  Location where;
};
using OpenValues = std::vector<OpenValue>;

// Every C++ type that a described field may have. An Output is a channel, or a controller whose signal is meant. The unit of
// a number or formula may be any_unit.
constexpr const char* any_unit = "any";
using FieldTarget =
    std::variant<double*, bool*, int*, std::string*, Vec3d*, Mat3d*, std::optional<double>*, std::optional<bool>*,
                 std::optional<Vec3d>*, std::vector<double>*, BodyRef*, Marker*, CoordinateRef*,
                 std::optional<CoordinateRef>*, std::optional<Marker>*, std::optional<Curve>*, std::optional<Motion>*,
                 std::optional<Formula>*, FileRef*, TextFile*, OpenValues*, SignalRef*, Output*, std::vector<Output>*,
                 std::vector<std::string>*, NamedFormulas*, Rows*, RoadRef*, std::vector<RoadRef>*, std::vector<Patch>*,
                 std::shared_ptr<const RoadGrid>*, TrackRef*, std::vector<TrackSegment>*, std::vector<GradientChange>*,
                 std::optional<IrregularityChoice>*>;

struct FieldSource {
  virtual ~FieldSource() = default;
  // Reads the field into the target if the file has it; reports a missing required one, wrong units, ranges.
  // Returns whether the file has it.
  virtual bool read(const FieldInfo& info, FieldTarget target) = 0;
  virtual const std::string& name() const = 0;          // of the element being read
  virtual Location where(const char* field) const = 0;  // of a field, or of the element if it is absent
};

template <class Description, class Object>
void read_fields(const Description& description, Object& object, FieldSource& source) {
  for_each_field(description, object, [&](const FieldInfo& info, auto& member) { source.read(info, &member); });
}

}  // namespace skyhook::model
