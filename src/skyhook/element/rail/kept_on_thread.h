// What laws keep of their last answers, on each thread.
#pragma once
#include <array>
#include <memory>

namespace skyhook::element::rail {

// Made where a thread first asks: as a thread's own variables they are copied and paged in, 350 KB of them, whenever a program or a thread starts.
template <class Kept>
std::array<Kept, 128>& kept_on_thread() {
  static thread_local const auto all = std::make_unique<std::array<Kept, 128>>();
  return *all;
}

}  // namespace skyhook::element::rail
