// Keys as other programs call them.
#pragma once
#include <string>
#include <vector>

namespace skyhook::io::model_file {

// As suggest(), but `dt` is led to output_step and `cog` to com, though the letters differ.
std::string suggest_key(const std::string& wrong, const std::vector<std::string>& known, const std::string& noun);

}  // namespace skyhook::io::model_file
