// Random mechanisms as model files, and what may be changed about them without changing the motion.
#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "skyhook/io/random/random_mechanism.testing.h"

namespace skyhook::io::testing {
namespace {

using Section = std::pair<const char*, std::vector<Entry> RandomMechanism::*>;
constexpr Section sections[] = {{"bodies", &RandomMechanism::bodies},           {"markers", &RandomMechanism::markers},
                                {"joints", &RandomMechanism::joints},           {"forces", &RandomMechanism::forces},
                                {"controllers", &RandomMechanism::controllers}, {"events", &RandomMechanism::events}};

std::string list(const Vec3d& v) { return fmt::format("[{}, {}, {}]", v.x, v.y, v.z); }

std::string text_of(const Value& value) {
  if (value.kind == Value::Kind::text) return value.text;
  if (value.kind == Value::Kind::vector) return list(value.vector);
  const Mat3d& R = value.axes;
  return fmt::format("{{x: {}, y: {}}}", list({R[0][0], R[1][0], R[2][0]}), list({R[0][1], R[1][1], R[2][1]}));
}

std::string line(const Entry& entry) {
  std::string fields;
  for (const auto& [key, value] : entry.fields) fields += (fields.empty() ? "" : ", ") + key + ": " + text_of(value);
  return fmt::format("{}: {{{}}}\n", entry.name, fields);
}

std::string parameters_of(const RandomMechanism& m, const std::string& indent) {
  std::string out = m.parameters.empty() ? "" : indent + "parameters:\n";
  for (const Entry& p : m.parameters) out += fmt::format("{}  {}: {}\n", indent, p.name, text_of(p.fields[0].second));
  return out;
}

std::string sections_of(const RandomMechanism& m, const std::string& indent) {
  std::string out = parameters_of(m, indent);
  for (const auto& [name, entries] : sections) {
    if ((m.*entries).empty()) continue;
    out += indent + name + ":\n";
    for (const Entry& e : m.*entries) out += indent + "  " + line(e);
  }
  return out;
}

std::string head(const RandomMechanism& m) {
  return fmt::format("skyhook: 1\nname: random_{}\ngravity: {}\n", m.seed, list(m.gravity));
}

std::string tail(const RandomMechanism& m) {
  return fmt::format(
      "outputs: [\"*b*.x\", \"*b*.y\", \"*b*.z\"]\n"
      "experiments: {{run: {{until: {}, output_step: {}}}}}\n",
      m.until, m.until / 20);
}

Entry* find(std::vector<Entry>& entries, const std::string& name) {
  const auto found = std::ranges::find(entries, name, &Entry::name);
  return found == entries.end() ? nullptr : &*found;
}

// A drive, an initial rate, a force or an event is about the joint's coordinate.
bool needs_coordinate(const RandomMechanism& m, const std::string& joint) {
  const auto has_value = [](const auto& field) { return field.first == "drive" || field.first == "rate"; };
  const auto names_it = [&](const auto& field) { return field.second.text.find(joint) != std::string::npos; };
  for (const auto& [name, entries] : sections) {
    for (const Entry& e : m.*entries) {
      if (e.name == joint && std::ranges::any_of(e.fields, has_value)) return true;
      if (std::ranges::any_of(e.fields, names_it)) return true;
    }
  }
  return false;
}

}  // namespace

std::string text_of(const RandomMechanism& m) { return head(m) + sections_of(m, "") + tail(m); }

std::string part_text_of(const RandomMechanism& m, bool mirror) {
  return head(m) + "templates:\n  whole:\n" + sections_of(m, "    ") +
         fmt::format("use:\n  part: {{template: whole, mirror: {}}}\n", mirror ? "y" : "none") + tail(m);
}

RandomMechanism turned(const RandomMechanism& m, const Mat3d& R) {
  RandomMechanism out = m;
  out.gravity = R * m.gravity;
  for (const auto& [name, entries] : sections) {
    for (Entry& e : out.*entries) {
      for (auto& [key, value] : e.fields) value.vector = R * value.vector, value.axes = R * value.axes;
    }
  }
  return out;
}

// Events at one instant happen in the order of the file: theirs stays.
RandomMechanism shuffled(const RandomMechanism& m, unsigned seed) {
  RandomMechanism out = m;
  std::mt19937 engine(seed);
  for (const auto& [name, entries] : sections) {
    if (entries != &RandomMechanism::events) std::shuffle((out.*entries).begin(), (out.*entries).end(), engine);
  }
  return out;
}

RandomMechanism cut_elsewhere(const RandomMechanism& m, unsigned seed) {
  RandomMechanism out = m;
  std::mt19937 engine(seed);
  for (const auto& loop : m.loops) {
    std::vector<std::string> may_be_cut;
    for (const std::string& joint : loop) {
      if (!needs_coordinate(m, joint)) may_be_cut.push_back(joint);
    }
    if (may_be_cut.empty()) continue;
    for (const std::string& joint : loop)
      std::erase_if(find(out.joints, joint)->fields, [](const auto& field) { return field.first == "cut"; });
    const auto chosen = std::uniform_int_distribution<std::size_t>(0, may_be_cut.size() - 1)(engine);
    find(out.joints, may_be_cut[chosen])->fields.push_back({"cut", {.text = "true"}});
  }
  return out;
}

}  // namespace skyhook::io::testing
