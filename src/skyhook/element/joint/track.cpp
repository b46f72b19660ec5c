#include "skyhook/element/joint/track.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "skyhook/element/finding.h"
#include "skyhook/element/joint_fields.h"
#include "skyhook/element/track_rounding.h"
#include "skyhook/model/along_track.h"
#include "skyhook/model/guide.h"
#include "skyhook/model/over_ground.h"
#include "skyhook/model/track_line.h"

namespace skyhook::element {
namespace {

using Kind = model::Dof::Kind;
using LinePtr = std::shared_ptr<const model::TrackLine>;

// The first coordinate carries the axes of the line along, about the body's place beside it at design. All is relative to that place.
struct TrackLaw final : model::GuideLaw<TrackLaw>, model::AlongTrack, model::OverGround {
  LinePtr line, laid;
  std::string track;
  Mat3d axes;        // of the frame that carries the track, at design
  double start = 0;  // way at design
  Vec3d beside;      // in the axes of the line
  Vec3d origin;
  Mat3d back;
  bool is_level = false, is_ahead = false;  // axes, back are those of the world: nothing is multiplied

  TrackLaw(LinePtr given, const model::Track& on, double s, const Vec3d& offset)
      : line(std::move(given)), laid(on.line), track(on.name), axes(on.from.axes), start(s), beside(offset) {
    const auto at = line->place(start);
    origin = at.position + at.axes * beside;
    back = transpose(axes * at.axes);
    is_level = axes == Mat3d::identity(), is_ahead = back == Mat3d::identity();
  }
  int coordinates() const override { return 1; }
  template <class T>
  model::GuidePose<T> law(std::span<const T> q) const {
    if (line->is_straight()) return straight_on(q[0]);
    const auto at = line->place(T(start) + q[0]);
    const Vec3<T> shift = at.position + at.axes * Vec3<T>(beside) - Vec3<T>(origin);
    if (is_level) return {shift, is_ahead ? at.axes : at.axes * Mat3<T>(back)};
    const Mat3<T> turned(axes);
    return {turned * shift, turned * at.axes * Mat3<T>(back)};
  }
  // Along x of the frame that carries the track, which turns nothing.
  template <class T>
  model::GuidePose<T> straight_on(const T& way) const {
    const Vec3d x = axes.column(0);
    return {Vec3<T>{T(x.x) * way, T(x.y) * way, T(x.z) * way}, Mat3<T>::identity()};
  }
  std::string refuses(std::span<const double> q) const override {
    const double way = start + q[0];
    if (line->is_endless() || way <= line->length() * (1 + 1e-12)) return {};
    return fmt::format("the body has reached the end of track \"{}\", which is {:.6g} m long", track, line->length());
  }
  std::string signature() const override { return "track " + track; }
  const model::TrackLine& followed_line() const override { return *line; }
  const model::TrackLine& laid_line() const override { return *laid; }
  const std::string& track_name() const override { return track; }
  double way_at_design() const override { return start; }
  // How the line bends, climbs and tilts. The motion is that of the joint: its way, and its speed as x.
  int sights() const override { return 3; }
  double grain(const model::Relative<double>& now) const override { return line->layout_grain() / std::abs(now.v.x); }
  void look_ahead(const model::Relative<double>& now, const Times& times, std::span<double> seen) const override {
    const auto count = static_cast<std::size_t>(times.count);
    for (std::size_t k = 0; k < count; ++k) {
      const double at = now.set.way + now.v.x * (times.first + static_cast<double>(k) * times.step);
      const model::TrackLine::Layout layout = line->layout(at);
      seen[k] = layout.curvature, seen[count + k] = layout.climb, seen[2 * count + k] = layout.tilt;
    }
  }
};

// Where the curvature jumps, the axes would turn at once and the body with them: its rates stay what they are. So the coordinates follow a line
// beside the track that bends there, and nothing but the names of places depends on it: wheels run on the track itself.
LinePtr followed(const model::Track& track, double rounding, const model::FieldSource& source, model::Model& model) {
  const model::TrackLine& line = *track.line;
  double jump = 0;
  for (const double s : line.jumps()) {
    if (s > 0 && s < line.length())
      jump = std::max(jump, std::abs(line.layout(s).curvature - line.layout(std::nextafter(s, 0.0)).curvature));
  }
  if (jump == 0) return track.line;
  Warning warning{"rounded_line", source.where("track"),
                  fmt::format("track \"{}\": its curvature jumps. Coordinates of joints along it follow a line that "
                              "bends over {:.3g} m before "
                              "and behind; there it is up to {:.2g} mm beside the track.",
                              track.name, rounding, 1e3 * largest_deviation * jump * rounding * rounding),
                  "Wheels run on the track itself. A smaller `rounding` of the joint brings the two lines together, "
                  "and costs steps."};
  // All wheelsets of a train say the same.
  if (std::ranges::none_of(model.warnings, [&](const Warning& w) { return w.what == warning.what; }))
    model.warnings.push_back(std::move(warning));
  return std::make_shared<const model::TrackLine>(without_jumps(line, rounding));
}

// Behind the way along the line; lengths first, then angles.
struct Freedom {
  const char* name;
  Kind kind;
  int axis;  // of the line
  Mirror mirror;
  double reference;
  std::optional<double> position, velocity;
  double nominal = 1;
};

std::vector<Freedom> freedoms_of(const TrackJoint& j, const Vec3d& beside) {
  const auto rolling = j.rolling_radius ? std::optional(j.speed.value_or(0) / *j.rolling_radius) : j.pitch_rate;
  return {{"lateral", Kind::prismatic, 1, Mirror::xy, beside.y, j.lateral, j.lateral_rate},
          {"vertical", Kind::prismatic, 2, Mirror::even, beside.z, j.vertical, j.vertical_rate},
          {"yaw", Kind::revolute, 2, Mirror::xy, 0, j.yaw, j.yaw_rate},
          {"roll", Kind::revolute, 0, Mirror::xy, 0, j.roll, j.roll_rate},
          {"pitch", Kind::revolute, 1, Mirror::even, 0, j.pitch, rolling, 1 / j.pitch_lever}};
}

void check(const TrackJoint& j, const std::vector<Freedom>& freedoms, const model::TrackLine& line, double start,
           const model::FieldSource& source) {
  for (const std::string& name : j.locked) {
    const auto known = std::ranges::find_if(freedoms, [&](const Freedom& f) { return name == f.name; });
    if (known == freedoms.end())
      fail(source, "locked", "\"" + name + "\" is no coordinate that can be locked.",
           "Choose of lateral, vertical, yaw, roll and pitch.");
    if (known->position || known->velocity)
      fail(source, "locked", name + " is locked and has an initial value.", "Remove one of them.");
  }
  if (j.rolling_radius && j.pitch_rate)
    fail(source, "rolling_radius", "the pitch rate is given beside the rolling radius.", "Remove one of them.");
  if (!line.is_endless() && j.position.value_or(start) > line.length())
    fail(source, "position",
         fmt::format("it stands behind the end of its track, which is {:.6g} m long.", line.length()),
         "Give a smaller position, or a longer layout.");
}

}  // namespace

void TrackJoint::add_to(model::FieldSource& source, model::Model& model) const {
  const model::Track& on = model.tracks[static_cast<std::size_t>(track.index)];
  const Vec3d point = to_at.value_or(to.at), r = transpose_times(on.from.axes, point - on.from.at);
  const LinePtr line = followed(on, rounding, source, model);
  const double start = line->foot(r);
  const auto at = line->place(start);
  const Vec3d beside = transpose_times(at.axes, r - at.position);
  const std::vector<Freedom> freedoms = freedoms_of(*this, beside);
  check(*this, freedoms, *line, start, source);
  model::Joint joint;
  joint.name = source.name(), joint.where = source.where("");
  joint.from = on.from.body, joint.to = to.body;
  if (joint.from == joint.to) fail(source, "to", "it carries its own track.", "Name another body.");
  joint.at_from = joint.at_to = point;
  const Mat3d axes = on.from.axes * at.axes;
  joint.axis = axes.column(0);
  model::Dof way{Kind::guided, {}, "position"};
  way.guide = std::make_shared<const TrackLaw>(line, on, start, Vec3d{0, beside.y, beside.z});
  add_coordinate(joint, source,
                 {.dof = std::move(way),
                  .reference = start,
                  .position = position,
                  .velocity = speed,
                  .drive = drive,
                  .velocity_field = "speed"});
  for (const Freedom& f : freedoms) {
    if (std::ranges::find(locked, f.name) != locked.end()) continue;
    add_coordinate(
        joint, source,
        {.dof = {.kind = f.kind, .axis = axes.column(f.axis), .name = f.name, .mirror = f.mirror, .nominal = f.nominal},
         .reference = f.reference,
         .position = f.position,
         .velocity = f.velocity});
  }
  model.joints.push_back(std::move(joint));
}

}  // namespace skyhook::element
