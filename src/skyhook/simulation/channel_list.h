// Channels as they are being made.
#pragma once
#include "skyhook/simulation/channels.h"

namespace skyhook::simulation {

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
    list_.back().reads_forces = reads_;
    return list_.back();
  }
  Channel& add_reaction(const std::string& owner, const model::Quantity& q, ChannelValue value) {
    Channel& added = add(owner, q, std::move(value));
    added.of_reactions = true;
    return added;
  }
  void add_acceleration(const std::string& owner, const model::Quantity& q, ChannelValue value) {
    add(owner, q, std::move(value)).of_accelerations = true;
  }
  // Its derivatives where they are known.
  using VectorValue = std::function<Vec3d(const Snapshot&)>;
  void add_vector(const std::string& owner, const std::string& stem, const char* unit, const char* meaning,
                  const VectorValue& vector, const VectorValue& rate = {}, const VectorValue& curvature = {}) {
    const auto component = [](const VectorValue& of, int k) {
      return of ? ChannelValue([of, k](const Snapshot& s, const Running&) { return of(s)[k]; }) : ChannelValue();
    };
    for (int k = 0; k < 3; ++k) {
      Channel& c = add(owner, {stem + axis_names[k], unit, meaning}, component(vector, k));
      c.rate = component(rate, k), c.curvature = component(curvature, k);
    }
  }
  // What is added from here on reads of the contributions the forces of these alone.
  void read_forces_of(std::optional<std::vector<std::size_t>> contributions) { reads_ = std::move(contributions); }
  void make_room(std::size_t channels) { list_.reserve(channels); }
  int new_memory() { return memories_++; }
  std::vector<Channel> take() { return std::move(list_); }

  static constexpr const char* axis_names[] = {"x", "y", "z"};

 private:
  std::vector<Channel> list_;
  std::optional<std::vector<std::size_t>> reads_;
  int memories_;
};

// The memory of a channel; one that knows nothing where nobody keeps it.
inline const LastValues& memory_of(const Running& run, int memory) {
  static const LastValues nothing;
  const auto i = static_cast<std::size_t>(memory);
  return i < run.last.size() ? run.last[i] : nothing;
}

}  // namespace skyhook::simulation
