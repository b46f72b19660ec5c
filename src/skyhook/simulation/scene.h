// How a model looks and hangs together, as JSON for the viewer. Points and axes are those of the body that carries the
// thing (its reference point and axes, whose motion a result holds as poses), so that they never change.
#pragma once
#include <string>

#include "skyhook/simulation/prepare.h"

namespace skyhook::simulation {

// {"gravity": [x, y, z], "degrees_of_freedom": n, "coordinates": n, "constraints": n, "redundant": n,
//  "ground": {"shapes": [shape, ...]},
//  "moving_roads": [name, ...] where there are any: they are drawn as at time 0,
//  "bodies": [{"name", "mass", "com", "inertia": [xx, yy, zz, xy, xz, yz], "at", "quaternion", "shapes",
//              "tree": {"parent": body, "joint": number or -1, "reversed": bool, "depth": n}}, ...],
//  "markers": [{"name", "body", "at", "quaternion"}, ...],
//  "joints": [{"name", "type", "from", "to", "at_from", "at_to", "axis", "cut": bool, "coordinates": ["angle", ...]}, ...],
//  "rods": [{"name", "from", "to", "at_from", "at_to"}, ...],
//  "couplers": [{"name", "joints": [...]}, ...],
//  "forces": [{"name", "type", "from", "to", "at_from", "at_to"} or {"name", "type", "joint": number}, ...]}
// A body that bends has "modes": {"states": names of the states that are its modal coordinates z, "frequencies": Hz, "points": [at, ...] in its frame,
// "shifts": [[of each mode, ...], ...] and "turns": displacements and rotations of each point per unit of z, "lines": [[i, j], ...] and
// "triangles": [[i, j, k], ...] between points}. "turns" are there where there are lines. Boxes, cylinders and rods of the body along such lines bend with it.
// Lines with states of their own are "bent_lines" (docs/results.md). Of all states that a list "states" names, a report has the values.
// Railway tracks and wheels on rails: "tracks", "profiles" and "rail" of a force (track_scene.h).
// A force of a wheel on a road has "track": how far its contact point lies below `at_to` at design. A tyre that slides also has
// "friction": [along, across], its largest forces over its usual load.
// shape: {"kind": "box", "at", "quaternion", "size": [x, y, z]} or "radius", "length", "vertices", "corners", "colour".
// A body is a number, -1 the ground (whose frame is the global one). `inertia` is about the centre of mass, body axes.
// `axis` of a joint is in the axes of `from`.
// Of roads the part is drawn that is passed in `duration` s, at the speed of the start.
std::string scene_of(const Prepared& prepared, double duration = 0);

}  // namespace skyhook::simulation
