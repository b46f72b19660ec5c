// What `coordinates: auto` chooses by: how many entries the factors of the iteration matrix would have. That of
//
//   [K  G^T]     K: all that positions and velocities do to the dynamics, on the tangent pattern
//   [G   0 ]
//
// is what every formulation factors, some more than once. In the coordinates of joints K is as full as chains are long, and a
// chain is quadratic in its length; in absolute coordinates K is one block a body, and each joint adds a block of its own.
//
// Mechanisms that stand beside each other choose by themselves: a part is all bodies that joints, rods and couplers connect, other than through
// the ground. Forces between parts add the same entries either way, more or less, and are left out.
#pragma once
#include <string>
#include <vector>

#include "skyhook/formalism/topology.h"

namespace skyhook::formalism {

// Of each body, from 0 on in the order of the bodies.
std::vector<int> mechanism_parts(const model::Model& model);

// Entries of the factors, by part, for the ordering that AMD finds; pivots may add some.
std::vector<double> fill_of(const model::Model& model, const Topology& topology, const std::vector<int>& part_of_body);
// At least so many, known without making the equations: each coordinate meets all that carry it.
std::vector<double> least_fill_of(const model::Model& model, const Topology& topology,
                                  const std::vector<int>& part_of_body);

// Each part has the one of the two choices that fills less; equal: that of joints. Topology::why says so.
Topology choose_by_fill(const model::Model& model, const std::vector<std::string>& independent);

}  // namespace skyhook::formalism
