#include "skyhook/simulation/kept_channels.h"

namespace skyhook::simulation {

KeptChannels::List KeptChannels::of(const std::shared_ptr<const Equations>& equations) {
  const std::lock_guard lock(mutex_);
  if (list_ && equations_.lock() == equations) return list_;
  list_ = std::make_shared<const std::vector<Channel>>(all_channels(*equations));
  equations_ = equations;
  return list_;
}

}  // namespace skyhook::simulation
