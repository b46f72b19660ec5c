// Which channels the outputs of a model mean, and what to say of those that are not there.
#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "skyhook/base/utf8.h"
#include "skyhook/simulation/channels.h"

namespace skyhook::simulation {
namespace {

constexpr std::size_t longest_shown = 80;  // characters of a name in a message

bool is_pattern(const std::string& name) { return name.find_first_of("*?") != std::string::npos; }

// `ball: lower_ball.force_*` records ball.force_x; `all: "*.x"` records all.wheel.x.
std::string recorded_name(const model::Output& output, const std::string& channel, bool wildcard) {
  if (output.name.empty() || output.name == output.channel) return channel;
  if (!wildcard) return output.name;
  const std::string owner = output.channel.substr(0, output.channel.rfind('.'));
  const bool one_owner = !is_pattern(owner) && channel.compare(0, owner.size() + 1, owner + ".") == 0;
  return output.name + "." + (one_owner ? channel.substr(owner.size() + 1) : channel);
}

bool is_default(const std::string& name) {
  for (const char* pattern :
       {"*.x", "*.y", "*.z", "*.angle", "*.displacement", "*.position", "*.angle_?", "*.camber", "*.toe", "*.steer",
        "*.spin", "*.distance", "*.force", "*.length", "energy.*", "constraints.*"}) {
    if (matches(pattern, name)) return true;
  }
  return false;
}

constexpr std::array only_of_wheels{"camber", "camber_rate", "toe",         "toe_rate",
                                    "steer",  "steer_rate",  "inclination", "spin"};

// The body is there, but is not said to be a wheel; or it is one in the middle of its vehicle.
std::string advice_on_wheel(const std::string& wrong, const std::vector<Channel>& all) {
  const std::size_t dot = wrong.rfind('.');
  if (dot == std::string::npos || std::ranges::count(only_of_wheels, wrong.substr(dot + 1)) == 0) return {};
  const std::string owner = wrong.substr(0, dot);
  const auto has = [&](const char* quantity) {
    return std::ranges::count(all, owner + "." + quantity, &Channel::name) > 0;
  };
  if (!has("wx")) return {};
  if (has("spin"))
    return "The wheel stands in the middle of its vehicle, where nothing is inwards: give it `side: left` or `side: "
           "right`, or use steer and inclination.";
  return "Only wheels have it: give the body \"" + owner + "\" the line `wheel: {}`.";
}

// "b.z*2", without '='.
bool is_formula_of_channels(const std::string& text, const std::vector<Channel>& all) {
  if (text.find_first_of("+-*/^()") == std::string::npos) return false;
  const auto ends_name = [](unsigned char c) { return std::isalnum(c) == 0 && c != '_' && c != '.'; };
  for (auto begin = text.begin(); begin != text.end();) {
    const auto end = std::find_if(begin, text.end(), ends_name);
    if (std::ranges::count(all, std::string(begin, end), &Channel::name) > 0) return true;
    begin = end == text.end() ? end : std::next(end);
  }
  return false;
}

void add_unless_known(const Channel& c, std::string name, std::unordered_set<std::string>& known,
                      std::vector<Channel>& chosen) {
  if (!known.insert(name).second) return;
  chosen.push_back(c);
  chosen.back().name = std::move(name);
  chosen.back().of_inner_state = false;
}

}  // namespace

const char* const instead_of_formula =
    "Give it a name under `outputs`, name: \"=2*thing.x\", and use that name: it is a channel then.";

std::string advice_on_channel(const std::string& wrong, const std::vector<Channel>& all) {
  if (std::string advice = advice_on_wheel(wrong, all); !advice.empty()) return advice;
  if (is_formula_of_channels(wrong, all)) return std::string("It reads as a formula. ") + instead_of_formula;
  std::vector<std::string> names;
  for (const Channel& c : all) names.push_back(c.name);
  return suggest(wrong, names, "Channels") + " `skyhook channels MODEL` lists all with their units.";
}

std::vector<Channel> choose_channels(const std::vector<Channel>& all, const std::vector<model::Output>& outputs) {
  std::vector<Channel> chosen;
  if (outputs.empty()) {
    std::copy_if(all.begin(), all.end(), std::back_inserter(chosen),
                 [](const Channel& c) { return c.of_inner_state || c.formula || is_default(c.name); });
    return chosen;
  }
  Findings findings;
  std::unordered_set<std::string> known;
  const auto has_wildcard = [](const model::Output& output) {
    return !output.is_formula() && is_pattern(output.channel);
  };
  constexpr std::ptrdiff_t few = 16;  // names are looked for one by one
  std::unordered_map<std::string_view, const Channel*> by_name;
  if (std::ranges::count_if(outputs, has_wildcard) + few < std::ssize(outputs)) {
    for (const Channel& c : all) by_name.emplace(c.name, &c);
  }
  const auto find = [&](const std::string& name) {
    if (by_name.empty()) {
      const auto found = std::ranges::find(all, name, &Channel::name);
      return found == all.end() ? nullptr : &*found;
    }
    const auto found = by_name.find(name);
    return found == by_name.end() ? nullptr : found->second;
  };
  for (const model::Output& output : outputs) {
    const bool wildcard = has_wildcard(output);
    const std::string& wanted = output.is_formula() ? output.name : output.channel;
    bool hit = false;
    const auto take = [&](const Channel& c) {
      hit = true;
      add_unless_known(c, recorded_name(output, c.name, wildcard), known, chosen);
    };
    if (wildcard) {
      for (const Channel& c : all) {
        if (matches(output.channel, c.name)) take(c);
      }
    } else if (const Channel* const found = find(wanted)) {
      take(*found);
    }
    if (hit) continue;
    findings.add(output.where, "output \"" + shortened(output.channel, longest_shown) + "\" matches no channel.",
                 advice_on_channel(output.channel, all));
  }
  findings.throw_if_any();
  return chosen;
}

std::vector<int> remembered_inputs(const std::vector<Channel>& all, const model::Model& model) {
  std::unordered_set<std::string> read;
  for (const auto& controller : model.controllers) {
    for (const model::Output& input : controller.inputs) read.insert(input.channel);
  }
  for (const auto& event : model.events) {
    for (const model::Output& input : event.channels) read.insert(input.channel);
  }
  std::vector<int> found;
  for (const Channel& c : all) {
    if (read.count(c.name) == 0) continue;
    if (c.memory >= 0) found.push_back(c.memory);
    found.insert(found.end(), c.reads_memories.begin(), c.reads_memories.end());
  }
  return found;
}

}  // namespace skyhook::simulation
