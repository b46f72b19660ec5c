// Ctrl-C, SIGTERM and SIGHUP (the terminal is closed) end runs cleanly.
#pragma once

namespace skyhook::app {

// From now on the first signal only makes stop_requested() true; a second one, but for SIGHUP, which comes from the system and from the shell, ends the program
// and names the plug-in that has kept it from stopping, if there is one.
void stop_on_signals();
// These signals; not SIGHUP where whoever started the program wants that ignored (nohup).
void listen_to_signals(void (*handler)(int));
bool stop_requested();
// The exit code of what may have been cut short: that of an interruption, if there was one.
int unless_stopped(int code);

}  // namespace skyhook::app
