// Profiles that have a name, as the build has written them.
#include "skyhook/element/rail/standard_profiles.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

// By the assembler's .incbin, as all that is built into the program (cmake/embed.cmake).
asm(".pushsection .rodata\n"
    ".balign 8\n"
    "skyhook_standard_profiles: .incbin \"" SKYHOOK_STANDARD_PROFILES
    "\"\n"
    "skyhook_standard_profiles_end:\n"
    ".popsection");
extern const double skyhook_standard_profiles[] __attribute__((visibility("hidden")));
extern const double skyhook_standard_profiles_end[] __attribute__((visibility("hidden")));

namespace skyhook::element::rail {
namespace {

struct Leant {
  const char *name, *summary;
  double ratio;
};
constexpr std::array<Leant, 2> leant_rails{
    {{"uic60_1in20", "rail UIC 60, leant 1:20", 1.0 / 20}, {"uic60_1in40", "rail UIC 60, leant 1:40", 1.0 / 40}}};

ProfilePtr leant_rail(const Leant& rail) {
  Profile::Parts parts = inclined(*built_in("uic60"), std::atan(rail.ratio))->parts();
  parts.name = rail.name;
  return std::make_shared<const Profile>(std::move(parts));
}

ProfilePtr make(const std::string& name) {
  for (std::size_t k = 0; k < standard_profiles.size(); ++k) {
    if (name == standard_profiles[k].name)
      return standard_from({skyhook_standard_profiles, skyhook_standard_profiles_end}, k);
  }
  const auto leant = std::ranges::find(leant_rails, name, &Leant::name);
  return leant == leant_rails.end() ? nullptr : leant_rail(*leant);
}

}  // namespace

// Each is made once: a profile never changes.
ProfilePtr built_in(const std::string& name) {
  static std::map<std::string, ProfilePtr> made;
  static std::recursive_mutex mutex;  // those that lean are made from the upright one
  const std::lock_guard lock(mutex);
  if (const auto known = made.find(name); known != made.end()) return known->second;
  ProfilePtr profile = make(name);
  return profile ? made.emplace(name, std::move(profile)).first->second : nullptr;
}

const std::vector<BuiltIn>& built_ins() {
  static const std::vector<BuiltIn> list = [] {
    std::vector<BuiltIn> out;
    for (const StandardProfile& p : standard_profiles) out.push_back({p.name, p.summary});
    for (const Leant& p : leant_rails) out.push_back({p.name, p.summary});
    return out;
  }();
  return list;
}

}  // namespace skyhook::element::rail
