// All channels of a model, built when somebody first asks for them: outputs, controllers, events and evaluations do so one after the other.
#pragma once
#include <memory>
#include <mutex>
#include <vector>

#include "skyhook/simulation/channels.h"

namespace skyhook::simulation {

// Threads may share it.
class KeptChannels {
 public:
  using List = std::shared_ptr<const std::vector<Channel>>;
  // As all_channels(), which throws for a formula that is wrong. Of other equations than those asked for last they are built anew.
  List of(const std::shared_ptr<const Equations>& equations);

 private:
  std::mutex mutex_;
  std::weak_ptr<const Equations> equations_;
  List list_;
};

}  // namespace skyhook::simulation
