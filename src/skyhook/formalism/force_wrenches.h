// What forces do to their `to` at one instant.
#pragma once
#include <functional>

#include "skyhook/formalism/snapshot.h"

namespace skyhook::formalism {

// Calls put(force, f, n) with force and moment at its point, global axes, for all that one wrench tells; one that does so in two ways
// comes twice, and the last counts. A force on a joint coordinate acts along or about the joint's axis, which `from` carries where it is
// the only one; of a joint with more coordinates no single wrench tells.
using PutWrench = std::function<void(const model::Contribution&, const Vec3d& f, const Vec3d& n)>;
void for_each_wrench(const Snapshot& s, const PutWrench& put);

}  // namespace skyhook::formalism
