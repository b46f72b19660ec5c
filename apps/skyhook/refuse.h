// What is wrong on the command line, said to the user.
#pragma once
#include <string>

#include "skyhook/base/error.h"

namespace skyhook::app {

[[noreturn]] inline void refuse(const std::string& what, const std::string& advice) {
  throw ModelError({"command line"}, what, advice);
}

}  // namespace skyhook::app
