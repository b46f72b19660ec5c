#pragma once

namespace skyhook::app {

// How the program asks the system for memory, before it needs any.
void keep_memory();

}  // namespace skyhook::app
