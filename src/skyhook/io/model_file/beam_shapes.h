// How a body of beams looks: a box or a rod along each of them, which pages bend with the body.
#pragma once
#include "skyhook/flexible/beam_model.h"
#include "skyhook/model/model.h"

namespace skyhook::io::model_file {

// Sections of which only area and moments are given are drawn as the solid rectangle with these moments.
void add_beam_shapes(const flexible::BeamModel& beams, model::Body& body);

}  // namespace skyhook::io::model_file
