// What is wrong with a file that is to be read or written, said to the user.
#pragma once
#include <filesystem>
#include <string>

#include "skyhook/base/error.h"

namespace skyhook::io {

[[noreturn]] inline void refuse(const std::filesystem::path& path, const std::string& what, const std::string& advice) {
  throw ModelError({path.string()}, what, advice);
}

}  // namespace skyhook::io
