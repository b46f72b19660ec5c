// Checks of a model as a whole, and of what its file says without effect.
#pragma once
#include <string>

#include "skyhook/io/model_file/reading.h"

namespace skyhook::io::model_file {

// Every body hangs on the ground by joints and rods.
void check_connected(Reading& reading);
// Parameters that nothing in the file uses.
void warn_of_unused_parameters(const Node& file, const Node* parameters, Reading& reading);
// Controllers to which nothing in the file listens, and which no output records. Whoever switches one does not listen to it.
void warn_of_unused_controllers(const Node& file, Reading& reading);

}  // namespace skyhook::io::model_file
