// What can be doubted of a model on reading it: honest in some cases, in most a slip.
#pragma once
#include "skyhook/io/model_file/reading.h"

namespace skyhook::io::model_file {

// A plain number that makes more than a turn. `text` is as the file has it, `node` what the expanded model will have: where the
// file gives a unit, so does that.
void doubt_angle(const std::string& text, Node& node, double value, const char* unit, const std::string& what,
                 Reading& reading);
// [0,5, 0,2, 1,0] has six numbers where three with decimal commas may be meant.
void doubt_commas(const Node& list, const std::string& what, Reading& reading);
// Points far outside of all others.
void doubt_distances(Reading& reading);

}  // namespace skyhook::io::model_file
