// A run as JSON with its arrays in the payload: `Run` of viewer/src/types.ts.
#pragma once
#include <string>

#include "skyhook/io/report/payload.h"
#include "skyhook/io/report/run_data.h"

namespace skyhook::io::report {

std::string run_json(const RunData& run, Payload& payload);

std::string label_of(const ResultFile& result);  // "double_wishbone, travel"

}  // namespace skyhook::io::report
