// Channels as they are being made.
#pragma once
#include "skyhook/simulation/channels.h"

namespace skyhook::simulation {

using ChannelValue = std::function<double(const Snapshot&, const Running&)>;

class ChannelList {
 public:
  // The memories below `memories` are given away.
  explicit ChannelList(int memories) : memories_(memories) {}

  Channel& add(const std::string& owner, const model::Quantity& q, ChannelValue value) {
    return add_named(owner + "." + q.name, q.unit, q.meaning, std::move(value));
  }
  // By its full name.
  Channel& add_named(std::string name, std::string unit, const char* meaning, ChannelValue value) {
    list_.push_back({std::move(name), std::move(unit), std::move(value)});
    list_.back().meaning = meaning;
    return list_.back();
  }
  void add_reaction(const std::string& owner, const model::Quantity& q, ChannelValue value) {
    add(owner, q, std::move(value)).of_reactions = true;
  }
  void add_acceleration(const std::string& owner, const model::Quantity& q, ChannelValue value) {
    add(owner, q, std::move(value)).of_accelerations = true;
  }
  void add_vector(const std::string& owner, const std::string& stem, const char* unit, const char* meaning,
                  std::function<Vec3d(const Snapshot&)> vector) {
    for (int k = 0; k < 3; ++k)
      add(owner, {stem + axis_names[k], unit, meaning},
          [vector, k](const Snapshot& s, const Running&) { return vector(s)[k]; });
  }
  int new_memory() { return memories_++; }
  std::vector<Channel> take() { return std::move(list_); }

  static constexpr const char* axis_names[] = {"x", "y", "z"};

 private:
  std::vector<Channel> list_;
  int memories_;
};

// The memory of a channel; one that knows nothing where nobody keeps it.
inline const LastValues& memory_of(const Running& run, int memory) {
  static const LastValues nothing;
  const auto i = static_cast<std::size_t>(memory);
  return i < run.last.size() ? run.last[i] : nothing;
}

}  // namespace skyhook::simulation
