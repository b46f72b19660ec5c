// How bodies and the ground look.
#pragma once
#include "skyhook/io/model_file/reading.h"

namespace skyhook::io::model_file {

// After bodies and markers, since shapes may name markers that stand anywhere. `bodies` is the expanded section, `ground`
// that of the ground; either may be missing.
void read_shapes(Node* bodies, Node* ground, Reading& reading);

}  // namespace skyhook::io::model_file
