// The four posts of a rig.
#pragma once
#include "skyhook/element/road_kind.h"

namespace skyhook::element {

struct Posts : RoadKind {
  double front = 0, rear = 0, track = 1.5;
  std::optional<model::Motion> front_left, front_right, rear_left, rear_right;

  static constexpr auto fields = std::tuple_cat(
      describe(field(&Posts::front, "front", "m", any(), "x of the front posts").required(),
               field(&Posts::rear, "rear", "m", any(), "x of the rear posts").required(),
               field(&Posts::track, "track", "m", positive(), "distance of the left posts (y > 0) from the right ones"),
               field(&Posts::front_left, "front_left", "m", any(), "its height over time; default: it stands at 0")
                   .over("t:s"),
               field(&Posts::front_right, "front_right", "m", any(), "the same").over("t:s"),
               field(&Posts::rear_left, "rear_left", "m", any(), "the same").over("t:s"),
               field(&Posts::rear_right, "rear_right", "m", any(), "the same").over("t:s")),
      RoadKind::fields);
  static constexpr const char* summary = "four posts of a rig, each with its own motion";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
