// A body beside a track, in coordinates of the track: way along it, lateral, vertical, yaw, roll and pitch.
#pragma once
#include "skyhook/model/field_source.h"

namespace skyhook::element {

struct TrackJoint {
  model::TrackRef track;
  model::Marker to;
  std::optional<Vec3d> to_at;
  std::vector<std::string> locked;
  std::optional<double> position, speed, rolling_radius;
  std::optional<double> lateral, lateral_rate, vertical, vertical_rate;
  std::optional<double> yaw, yaw_rate, roll, roll_rate, pitch, pitch_rate;
  std::optional<model::Motion> drive;
  double rounding = 2, pitch_lever = 1;

  static constexpr auto fields = describe(
      field(&TrackJoint::track, "track", "-", any(), "a track under `tracks`, by its name").required(),
      field(&TrackJoint::to, "to", "-", any(), "marker or body (its reference frame) that moves along it").required(),
      field(&TrackJoint::to_at, "to_at", "m", any(), "its point, global; default: that of the marker or body")
          .mirrored(Mirror::point),
      field(&TrackJoint::locked, "locked", "-", any(),
            "coordinates that stay as they are at design: a list of lateral, vertical, yaw, roll, pitch"),
      field(&TrackJoint::position, "position", "m", any(),
            "initial way from the begin of the line; default: that of the design"),
      field(&TrackJoint::speed, "speed", "m/s", any(), "initial, along the line"),
      field(&TrackJoint::rolling_radius, "rolling_radius", "m", positive(),
            "of a wheelset that rolls at the start: its pitch rate is speed/rolling_radius"),
      field(&TrackJoint::lateral, "lateral", "m", any(), "initial, to the left of the line").mirrored(Mirror::xy),
      field(&TrackJoint::lateral_rate, "lateral_rate", "m/s", any(), "initial").mirrored(Mirror::xy),
      field(&TrackJoint::vertical, "vertical", "m", any(),
            "initial height over the tops of the rails, along the normal"),
      field(&TrackJoint::vertical_rate, "vertical_rate", "m/s", any(), "initial"),
      field(&TrackJoint::yaw, "yaw", "rad", any(), "initial, about the normal, to the left").mirrored(Mirror::xy),
      field(&TrackJoint::yaw_rate, "yaw_rate", "rad/s", any(), "initial").mirrored(Mirror::xy),
      field(&TrackJoint::roll, "roll", "rad", any(), "initial, then about the new x: the left side rises")
          .mirrored(Mirror::xy),
      field(&TrackJoint::roll_rate, "roll_rate", "rad/s", any(), "initial").mirrored(Mirror::xy),
      field(&TrackJoint::pitch, "pitch", "rad", any(),
            "initial, then about the new y: as a wheelset turns that rolls ahead"),
      field(&TrackJoint::pitch_rate, "pitch_rate", "rad/s", any(), "initial"),
      field(&TrackJoint::drive, "drive", "m", any(), "position over time").over("t:s"),
      field(&TrackJoint::rounding, "rounding", "m", positive(),
            "where the curvature of the line jumps, at turnouts: the axes of the coordinates turn over that way before "
            "and behind"),
      field(&TrackJoint::pitch_lever, "pitch_lever", "m", between(1e-2, 1e2),
            "longest of what pitches: the tolerance holds for the way of its end"));
  static constexpr const char* summary = "a body beside a track: way, lateral, vertical, yaw, roll and pitch";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
