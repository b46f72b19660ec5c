#include "interrupt.h"

#include <atomic>
#include <csignal>

#include "plugins.h"

namespace skyhook::app {
namespace {

std::atomic<bool> requested = false;
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void on_interrupt(int signal) {
  if (!requested.exchange(true)) return;
  name_running_plugins();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

void stop_on_signals() {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
}

bool stop_requested() { return requested; }

}  // namespace skyhook::app
