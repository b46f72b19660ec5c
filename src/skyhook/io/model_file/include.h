// `include:` puts the sections of other files into a model.
#pragma once
#include "skyhook/io/model_file/reading.h"

namespace skyhook::io::model_file {

// As if the sections of the included files stood in the model: parameters of the including file win, anything else that
// is there twice is reported. Each file is read once.
void merge_includes(Node& root, Reading& reading);

}  // namespace skyhook::io::model_file
