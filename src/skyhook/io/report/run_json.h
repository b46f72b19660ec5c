// A run as JSON with its arrays in the payload: `Run` of viewer/src/types.ts.
#pragma once
#include <string>

#include "skyhook/io/report/payload.h"
#include "skyhook/io/report/run_data.h"

namespace skyhook::io::report {

std::string run_json(const RunData& run, Payload& payload);

// "double_wishbone, travel"; with the name of the result, or its path, where they would be the same.
std::vector<std::string> labels_of(const std::vector<const ResultFile*>& results);

}  // namespace skyhook::io::report
