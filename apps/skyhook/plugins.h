// Models with plug-ins run code of others: the program says whose, and names it where it crashes or never returns.
#pragma once
#include <functional>

#include "skyhook/model/model.h"

namespace skyhook::app {

// Tells each library once, on stderr, before anything of it is loaded. From then on a crash inside of a plug-in, or an exit()
// that it calls, is told with its name and ends the program with exit code 4 (model_commands.h).
void announce_plugins(const model::Model& model);

// While it lives, `keep` is called where a plug-in ends the program by exit(); not after a crash, which may have broken the
// memory.
class KeptOnExit {
 public:
  explicit KeptOnExit(std::function<void()> keep);
  ~KeptOnExit();
  KeptOnExit(const KeptOnExit&) = delete;
  KeptOnExit& operator=(const KeptOnExit&) = delete;
};

// Tells on stderr which plug-ins are running; nothing where there are none. For signal handlers.
void name_running_plugins();

}  // namespace skyhook::app
