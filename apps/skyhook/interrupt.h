// Ctrl-C and SIGTERM end runs cleanly.
#pragma once

namespace skyhook::app {

// From now on the first signal only makes stop_requested() true; a second one ends the program
// and names the plug-in that has kept it from stopping, if there is one.
void stop_on_signals();
bool stop_requested();

}  // namespace skyhook::app
