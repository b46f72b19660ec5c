// The flexible bodies of a model with their meshes, for whoever looks into them: `skyhook flex`.
#pragma once
#include <functional>

#include "skyhook/flexible/part_options.h"
#include "skyhook/io/model_file/model_reader.h"

namespace skyhook::io {

using OnFlexible =
    std::function<void(const std::string& body, const flexible::FeModel& mesh, const flexible::ReducedPart& reduced)>;

// As read_model(); `visit` is told each flexible body that is made of beams, as it is read.
model::Model read_flexible_parts(const std::string& path, const std::vector<Setting>& settings,
                                 const std::string& experiment, ReadOptions options, const OnFlexible& visit);

}  // namespace skyhook::io
