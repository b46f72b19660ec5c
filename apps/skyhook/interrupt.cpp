#include "interrupt.h"

#include <atomic>
#include <csignal>

#include "model_commands.h"
#include "plugins.h"

namespace skyhook::app {
namespace {

std::atomic<bool> requested = false;
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void on_interrupt(int signal) {
  if (!requested.exchange(true) || signal == SIGHUP) return;
  name_running_plugins();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

void listen_to_signals(void (*handler)(int)) {
  std::signal(SIGINT, handler);
  std::signal(SIGTERM, handler);
  if (std::signal(SIGHUP, handler) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
}

void stop_on_signals() { listen_to_signals(on_interrupt); }

bool stop_requested() { return requested; }
int unless_stopped(int code) { return requested ? static_cast<int>(interrupted) : code; }

}  // namespace skyhook::app
