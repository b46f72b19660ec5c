// Which places of bodies that bend something of the model stands on: these become nodes of the tree.
#pragma once
#include <vector>

#include "skyhook/model/model.h"
#include "skyhook/model/nodal_mesh.h"

namespace skyhook::formalism::recursive {

bool is_modal(const model::Body& body);        // it has modes
double near_of(const model::ModalBody& body);  // a place is a point's where it is as near
// The point of a modal body at a place (global, at design); -1: none is there.
int point_at(const model::Body& body, const Vec3d& at);
// Whether modes move the place.
bool modes_move(const model::Body& body, const Vec3d& at);
// The points of a modal body that something of the model stands on and that its modes move, by number.
std::vector<int> moving_points_in_use(const model::Model& model, int body);
// The same of a body of nodal coordinates.
std::vector<model::MeshStation> moving_stations_in_use(const model::Model& model, int body);

}  // namespace skyhook::formalism::recursive
