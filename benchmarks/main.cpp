// skyhook_bench [--json FILE] [SECTION]...    all tables, or those named
// skyhook_bench random=301-400    the random models of these numbers
// skyhook_bench coordinates=1-200    the same in the coordinates of joints and in absolute ones alone; without numbers: the experiments of models/
// skyhook_bench --repeat residual|forward|jacobian WORKLOAD COUNT    one function alone, for a profiler
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>

#include "model_point.h"
#include "our_tree.h"
#include "peers/peer_mujoco.h"
#include "peers/peer_simbody.h"
#include "tables.h"
#include "timing.h"

using namespace skyhook::bench;

namespace {

constexpr int bad_usage = 2;
constexpr const char* usage =
    "skyhook_bench [--json FILE] "
    "[tree|jacobian|accelerations|accuracy|projection|jacobians|bdf|chain|restarts|runs|index|growth|linear|tyre|rail|"
    "rail_vehicles|wheelset|flexible|shapes|v7|equilibria|coordinates|"
    "random|"
    "random=FIRST-"
    "LAST|coordinates=FIRST-LAST]...\n"
    "skyhook_bench --repeat residual|forward|jacobian WORKLOAD COUNT    (for example: residual \"chain of 64\" "
    "100000)\n";

struct Section {
  const char* name;
  void (*measure)(Report&);
};
constexpr Section sections[] = {{"tree", tree_dynamics},
                                {"jacobian", jacobian},
                                {"accelerations", accelerations},
                                {"accuracy", time_to_accuracy},
                                {"projection", projection},
                                {"jacobians", jacobians},
                                {"bdf", bdf},
                                {"chain", chain},
                                {"restarts", restarts},
                                {"restarts", sampled_models},
                                {"runs", runs},
                                {"index", index_study},
                                {"growth", growth},
                                {"linear", linear},
                                {"tyre", tyre},
                                {"rail", rail},
                                {"rail_vehicles", rail_vehicles},
                                {"flexible", flexible},
                                {"shapes", shapes_study},
                                {"flexible", flexible_vehicles},
                                {"wheelset", wheelset_study},
                                {"v7", falling_beam},
                                {"equilibria", equilibria},
                                {"coordinates", coordinates_of_models}};

// Of "random" or "random=301-400"; nullopt: it is neither.
std::optional<Seeds> seeds_of(const std::string& argument, const std::string& name) {
  if (argument == "random" && name == "random") return Seeds{};
  Seeds seeds;
  char rest = 0;
  if (!argument.starts_with(name + "=") ||
      std::sscanf(argument.c_str() + name.size(), "=%u-%u%c", &seeds.first, &seeds.last, &rest) != 2)
    return {};
  return seeds.first <= seeds.last ? std::optional(seeds) : std::nullopt;
}

std::string processor() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown processor";
}

void note_environment(Report& report) {
  report.note(fmt::format("{}, GCC {}", processor(), __VERSION__));
  auto peer = [&](const char* name, const std::string& version, const char* package) {
    report.note(version.empty() ? fmt::format("{} is not installed ({}): its columns are '-'.", name, package)
                                : fmt::format("{} {} as Debian packages it ({})", name, version, package));
  };
  peer("Simbody", simbody_version(), "libsimbody-dev");
  peer("MuJoCo", mujoco_version(), "libmujoco-dev");
}

Call call_of(const std::string& function, const std::string& name) {
  for (const Workload& w : all_workloads()) {
    if (w.name != name) continue;
    const auto tree = std::make_shared<OurTree>(w);
    if (function == "forward") return [tree] { tree->forward(); };
    return function == "residual" ? Call([tree] { tree->residual(); }) : Call([tree] { tree->derivatives(); });
  }
  for (const ModelChoice& choice : jacobian_models()) {
    if (choice.title != name) continue;
    const auto point = std::make_shared<ModelPoint>(choice);
    return function == "residual" ? Call([point] { point->residual(); }) : Call([point] { point->derivatives(); });
  }
  return {};
}

int repeat(const std::string& function, const std::string& name, long count) {
  if (const Call call = call_of(function, name)) {
    fmt::print("{:.6g} ns a call\n", 1e9 * seconds_of(call, count) / static_cast<double>(count));
    return 0;
  }
  fmt::print(stderr, "There is no workload \"{}\".\n{}", name, usage);
  return bad_usage;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc), wanted;
  if (arguments.size() == 4 && arguments[0] == "--repeat")
    return repeat(arguments[1], arguments[2], std::stol(arguments[3]));
  std::string json;
  std::optional<Seeds> seeds, both_ways;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const std::string& a = arguments[k];
    if (a == "--json" && k + 1 < arguments.size()) {
      json = arguments[++k];
    } else if (std::ranges::any_of(sections, [&](const Section& s) { return a == s.name; })) {
      wanted.push_back(a);
    } else if (const auto given = seeds_of(a, "random")) {
      seeds = given;
    } else if (const auto numbers = seeds_of(a, "coordinates")) {
      both_ways = numbers;
    } else {
      fmt::print(stderr, "{}", usage);
      return bad_usage;
    }
  }
  auto is_wanted = [&](const char* table) {
    return (wanted.empty() && !seeds && !both_ways) || std::find(wanted.begin(), wanted.end(), table) != wanted.end();
  };
  try {
    const std::filesystem::path folder = std::filesystem::path(json).parent_path();
    Report report(folder.empty() ? "." : folder.string());
    note_environment(report);
    for (const Section& s : sections) {
      if (is_wanted(s.name)) s.measure(report);
    }
    if (both_ways) random_coordinates(report, *both_ways);
    if (seeds || (wanted.empty() && !both_ways)) random_models(report, seeds.value_or(Seeds{}));
    report.print_goals();
    if (!json.empty()) report.write_json(json);
  } catch (const std::exception& e) {
    fmt::print(stderr, "skyhook_bench: {}\n", e.what());
    return 1;
  }
  return 0;
}
