// What `coordinates: auto` chooses by: how many entries the factors of the iteration matrix would have. That of
//
//   [K  G^T]     K: all that positions and velocities do to the dynamics, on the tangent pattern
//   [G   0 ]
//
// is what every formulation factors, some more than once. In the coordinates of joints K is as full as chains are long, and a
// chain is quadratic in its length; in absolute coordinates K is one block a body, and each joint adds a block of its own.
#pragma once
#include <string>
#include <vector>

#include "skyhook/formalism/topology.h"

namespace skyhook::formalism {

// Entries of the factors by the ordering that a run would take; pivots may add some.
double fill_of(const model::Model& model, const Topology& topology);
// At least so many, known without making the equations: each coordinate meets all that carry it.
double least_fill_of(const model::Model& model, const Topology& topology);

// The one of the two choices that fills less; equal: that of joints. Topology::why says so.
Topology choose_by_fill(const model::Model& model, const std::vector<std::string>& independent);

}  // namespace skyhook::formalism
