// `flexible` of a body: beams in the model file, or a file that `skyhook flex` has written.
#pragma once
#include "skyhook/io/model_file/reading.h"

namespace skyhook::io::model_file {

// Fills modal, mass, com and inertia of the body, whose `at` and `axes` are known. Throws Report::Known where that cannot be.
void read_flexible(Node& node, const Node& key, const Scope& scope, model::Body& body, Reading& reading);

// When all sections are read: joints, forces and markers on a flexible body that stand at none of its nodes follow its reference frame, not its deformation.
void doubt_places_of_flexible(Reading& reading);

class FieldReader;
struct BodyMarkerFields;
// `node` of a marker becomes its `at`: that of a place or node of a flexible body. Throws Report::Known after telling that there is none.
void take_node(BodyMarkerFields& given, int body, const FieldReader& reader, Reading& reading);

}  // namespace skyhook::io::model_file
