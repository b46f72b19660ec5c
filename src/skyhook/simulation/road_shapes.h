// How the roads of a model look: the part that what stands on them will pass, if it goes on as it starts.
#pragma once
#include <string>
#include <vector>

#include "skyhook/model/model.h"
#include "skyhook/simulation/prepare.h"

namespace skyhook::simulation {

struct RoadShape {
  int body = model::ground;
  model::Shape shape;  // a mesh; slippery parts, by patches of friction, in another colour
};
// Over `duration` s. Nothing for roads on which nothing stands. Heights are those of time 0.
std::vector<RoadShape> road_shapes(const Prepared& prepared, double duration);

// Names of the roads on which something stands and that move over time by a lift or as posts: pictures show them as at time 0.
std::vector<std::string> moving_roads(const model::Model& model);

// The road that a contribution stands on, whose frame has its name; nullptr: none.
const model::Road* road_below(const model::Model& model, const model::Contribution& what);

}  // namespace skyhook::simulation
