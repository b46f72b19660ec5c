// Keeps the documentation true: complete models in Markdown pages are read and prepared, fragments of the element pages
// are read inside a small model, the examples run, and the README shows the first example as it is. Links and the names in
// ARCHITECTURE.md are checked by tools/check_docs.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "run_model.testing.h"
#include "skyhook/analysis/equilibrium.h"
#include "skyhook/base/warning.h"

using namespace skyhook;
namespace fs = std::filesystem;

namespace {

const fs::path root = SKYHOOK_SOURCE_DIR;

std::string text_of(const fs::path& path) {
  std::ifstream in(path);
  REQUIRE_MESSAGE(in.good(), path.string());
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<fs::path> files_below(const fs::path& folder, const std::string& extension) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == extension) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

struct Block {
  std::string name;  // file:line
  std::string text;
  bool is_model() const { return text.starts_with("skyhook: 1"); }
};

std::vector<Block> yaml_blocks(const fs::path& page) {
  std::vector<Block> blocks;
  std::istringstream in(text_of(page));
  bool inside = false;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (inside && line == "```")
      inside = false;
    else if (inside)
      blocks.back().text += line + "\n";
    else if (line == "```yaml")
      inside = true, blocks.push_back({fs::relative(page, root).string() + ":" + std::to_string(number), ""});
  }
  return blocks;
}

std::vector<Block> all_blocks() {
  std::vector<fs::path> pages = files_below(root / "docs", ".md");
  for (const char* name : {"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"}) pages.push_back(root / name);
  const auto elements = files_below(root / "src" / "skyhook" / "element", ".md");
  pages.insert(pages.end(), elements.begin(), elements.end());
  std::vector<Block> blocks;
  for (const fs::path& page : pages) {
    for (Block& block : yaml_blocks(page)) blocks.push_back(std::move(block));
  }
  return blocks;
}

// As a file, beside the tables that the pages name.
testing::Loaded load_beside_tables(const std::string& text) {
  const fs::path folder = fs::temp_directory_path() / ("skyhook_docs_" + std::to_string(getpid()));
  fs::create_directories(folder);
  for (const char* extension : {".csv", ".crg"}) {
    for (const fs::path& table : files_below(root / "models", extension))
      fs::copy_file(table, folder / table.filename(), fs::copy_options::overwrite_existing);
  }
  std::ofstream(folder / "page.yaml") << text;
  const testing::Loaded loaded = testing::load_with({}, [&](const std::string& experiment) {
    return io::read_model((folder / "page.yaml").string(), {}, experiment,
                          {.search_path = {(root / "models").string()}});
  });
  fs::remove_all(folder);
  return loaded;
}

void check_model(const std::string& text, const std::string& name) {
  try {
    const testing::Loaded loaded = load_beside_tables(text);
    const simulation::Prepared prepared = simulation::prepare(loaded.model, loaded.experiment);
    CHECK_MESSAGE(prepared.ok(), name << ": " << prepared.problem());
  } catch (const ModelError& error) {
    FAIL_CHECK(name << "\n" << std::string(error.what()));
  }
}

// The names that stand behind `key:` in a fragment.
std::set<std::string> names_behind(const std::string& text, const std::string& key) {
  std::set<std::string> names;
  const std::regex pattern("[{, ]" + key + R"(: *([A-Za-z_][A-Za-z_0-9]*)(\.[a-z_]+)?[,} \n])");
  for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) names.insert((*it)[1]);
  return names;
}

bool defines(const std::string& fragment, const std::string& name) {
  return fragment.find("\n  " + name + ":") != std::string::npos;
}

// The joint that a fragment refers to turns if anything on its line speaks of angles or moments.
bool turns(const std::string& fragment, const std::string& joint) {
  std::istringstream in(fragment);
  for (std::string line; std::getline(in, line);) {
    const bool refers =
        line.find(" " + joint + ",") != std::string::npos || line.find(" " + joint + ".") != std::string::npos;
    if (!refers) continue;
    if (line.find(joint + ".displacement") != std::string::npos) return false;
    return std::regex_search(line, std::regex("angle|angular|moment|torque|gear"));
  }
  return false;
}

// A model around a fragment: a body for each name it connects, afloat at a place of its own, and a joint for each
// coordinate it uses.
std::string wrapped(const std::string& fragment) {
  std::set<std::string> bodies;
  for (const char* key : {"from", "to"}) bodies.merge(names_behind(fragment, key));
  bodies.erase("ground");
  std::string joints;
  for (const char* key : {"joint", "joint_1", "joint_2", "coordinate_1", "coordinate_2", "coordinate_3"}) {
    for (const std::string& name : names_behind(fragment, key)) {
      if (defines(fragment, name) || joints.find("  " + name + ":") != std::string::npos) continue;
      bodies.insert("body_of_" + name);
      joints += "  " + name + ": {type: " + (turns(fragment, name) ? "revolute" : "prismatic") +
                ", from: ground, to: body_of_" + name + "}\n";
    }
  }
  std::string model = "skyhook: 1\nbodies:\n";
  int number = 0;
  for (const std::string& name : bodies) {
    model += "  " + name + ": {mass: 1, inertia: [1, 1, 1], at: [" + std::to_string(++number) + ", 0.3, 0.2]}\n";
    if (!name.starts_with("body_of_"))
      joints += "  afloat_" + name + ": {type: free, from: ground, to: " + name + "}\n";
  }
  const std::string section = "joints:\n";
  if (fragment.starts_with(section)) return model + section + joints + fragment.substr(section.size());
  return model + section + joints + fragment;
}

// A file of the examples by its name, wherever it stands.
std::optional<std::string> of_models(const std::string& path) {
  const fs::path name = fs::path(path).filename();
  for (const fs::path& file : files_below(root / "models", name.extension().string())) {
    if (file.filename() != name) continue;
    std::ifstream in(file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE("Documentation: complete models in the pages can be read and assembled") {
  int models = 0;
  for (const Block& block : all_blocks()) {
    if (!block.is_model()) continue;
    ++models;
    check_model(block.text, block.name);
  }
  CHECK(models >= 2);  // README and manual at least
}

TEST_CASE("Documentation: fragments in the element pages can be read") {
  int fragments = 0;
  for (const Block& block : all_blocks()) {
    const bool of_element = block.name.find("skyhook/element/") != std::string::npos;
    if (block.is_model() || !of_element) continue;
    const bool has_section = block.text.starts_with("joints:\n") || block.text.starts_with("forces:\n") ||
                             block.text.starts_with("controllers:\n") || block.text.starts_with("roads:\n") ||
                             block.text.starts_with("tracks:\n") || block.text.starts_with("profiles:\n");
    REQUIRE_MESSAGE(has_section, block.name);
    ++fragments;
    const std::string model = wrapped(block.text);
    try {
      io::read_model_text(model, block.name, {}, "", {.open = of_models});
    } catch (const ModelError& error) {
      FAIL_CHECK(std::string(error.what()) << "\n" << model);
    }
  }
  CHECK(fragments >= 24);  // one a page
}

TEST_CASE("Documentation: the README shows the first example as it is") {
  const std::string example = text_of(root / "docs/examples/01_first_model.yaml");
  const auto blocks = yaml_blocks(root / "README.md");
  REQUIRE(!blocks.empty());
  CHECK(blocks.front().text == example.substr(example.find("skyhook: 1\n")));
}

// `[Arnold 2004] (30)` names an entry of docs/references.md; documents that the repository does not hold are named nowhere.
TEST_CASE("Documentation: a reader can resolve every citation") {
  const std::string references = text_of(root / "docs/references.md");
  const std::regex key(R"(\[([A-Z][a-z]+ [0-9]{4})\])"),
      unknown(
          R"(\b(SPEC|DESIGN|iftomm_benchmarks|flexible_references)\b|\b(ivp_wheelset|integrators|supplements)\.yaml|\b[sS][0-4] ?(§|'s)|\bseed [sS][0-4]\b|\bat [sS][0-4]'s\b|\([sS][0-4], )");
  std::vector<fs::path> files;
  for (const char* folder : {"src", "apps", "tests", "benchmarks", "models", "docs", "include"}) {
    for (const char* extension : {".h", ".cpp", ".md", ".yaml"}) {
      for (fs::path& file : files_below(root / folder, extension)) files.push_back(std::move(file));
    }
  }
  int found = 0;
  for (const fs::path& file : files) {
    if (file.filename() == "docs.test.cpp") continue;
    const std::string text = text_of(file);
    for (std::sregex_iterator it(text.begin(), text.end(), key), end; it != end; ++it, ++found)
      CHECK_MESSAGE(references.find("**" + it->str() + "**") != std::string::npos, file.string()
                                                                                       << " cites " << it->str());
    std::smatch match;
    CHECK_MESSAGE(!std::regex_search(text, match, unknown), file.string() << " cites " << match.str());
  }
  CHECK(found > 100);
}

// A link to a file makes it the one meant; names in backticks after it must stand in it.
TEST_CASE("Documentation: files and names of the tour exist") {
  const std::string page = text_of(root / "docs/tour.md");
  const std::regex item(R"(\]\(\.\./([^)#]+)\)|`([A-Za-z_][A-Za-z_0-9:]*)`)");
  std::string file, code;
  int names = 0;
  for (std::sregex_iterator it(page.begin(), page.end(), item), end; it != end; ++it) {
    if ((*it)[1].matched) {
      file = (*it)[1], code = text_of(root / file);
      continue;
    }
    const std::string name = (*it)[2];
    CHECK_MESSAGE(code.find(name) != std::string::npos, file << " has no " << name);
    ++names;
  }
  CHECK(names > 30);
}

TEST_CASE("Examples: each runs, and its energy balance closes") {
  const auto examples = files_below(root / "docs/examples", ".yaml");
  CHECK(examples.size() >= 5);
  for (const fs::path& example : examples) {
    CAPTURE(example.string());
    const testing::Loaded loaded = testing::load_with({}, [&](const std::string& experiment) {
      return io::read_model(example.string(), {}, experiment, {.search_path = {SKYHOOK_PLUGINS}});
    });
    const testing::Run run = testing::run(loaded);
    CHECK(run.sink.summary.energy_closure < 1e-3);  // tolerance 1e-6, a few hundred steps: measured below 1e-4
  }
}

// Reference: released at rest, a car on a spring without force sinks to g / (2 pi ride)^2, whatever its mass.
TEST_CASE("Example 2: the equilibrium") {
  const testing::Loaded loaded = testing::load_text(text_of(root / "docs/examples/02_spring_and_equilibrium.yaml"));
  const auto rest = analysis::find_equilibrium(simulation::prepare(loaded.model, loaded.experiment));
  REQUIRE(rest.found);
  const double omega = 2 * 3.14159265358979324 * 1.3;
  CHECK(rest.state.q[0] == doctest::Approx(-9.81 / (omega * omega)).epsilon(1e-9));
}

// Reference: the geometry, sqrt(rod^2 - crank^2) at 90 deg, which the table holds from 0.3 s to 0.4 s.
TEST_CASE("Example 4: the slider where the crank stands upright") {
  testing::Wish wish;
  wish.until = 0.35;
  const testing::Run run = testing::run(testing::load_text(text_of(root / "docs/examples/04_driven_crank.yaml"), wish));
  CHECK(run.last("slider") == doctest::Approx(std::sqrt(0.14 * 0.14 - 0.04 * 0.04)).epsilon(1e-6));
}

// Reference: at rest the motor carries the arm, m g r cos(30 deg). A second after the knock the slowest of the controller's modes, some
// 0.2 s, has left less than 1 %.
TEST_CASE("Example 8: the controller holds the arm at its target, before the knock and after it") {
  for (const double until : {0.999, 2.0}) {
    testing::Wish wish;
    wish.until = until;
    const testing::Run run = testing::run(testing::load_text(text_of(root / "docs/examples/08_controller.yaml"), wish));
    const double target = 3.14159265358979324 / 6;
    CHECK(run.last("angle") == doctest::Approx(-target).epsilon(0.02));
    CHECK(run.last("torque") == doctest::Approx(-2 * 9.81 * 0.3 * std::cos(target)).epsilon(0.05));
  }
}

// Reference: as of example 8. The controller is the same, but that nothing is sampled.
TEST_CASE("Example 12: the signals hold the arm at its target") {
  const testing::Run run = testing::run(testing::load_text(text_of(root / "docs/examples/12_signals.yaml")));
  const double target = 3.14159265358979324 / 6;
  CHECK(run.last("angle") == doctest::Approx(-target).epsilon(0.02));
  CHECK(run.last("torque") == doctest::Approx(-2 * 9.81 * 0.3 * std::cos(target)).epsilon(0.05));
}

// Reference: free fall over 0.47 m, and 2 m at 0.5 m/s, by when the ball rests on the floor.
TEST_CASE("Example 9: the first impact, the rest and the end of the run") {
  const testing::Run run = testing::run(testing::load_text(text_of(root / "docs/examples/09_contact.yaml")));
  const auto& events = run.sink.events;
  REQUIRE(events.size() > 10);
  CHECK(std::abs(events.front().t - std::sqrt(2 * 0.47 / 9.81)) < 1e-9);  // a parabola: exact but for rounding
  CHECK(run.last("force") == doctest::Approx(0.2 * 9.81));
  CHECK(std::abs(run.sink.time.back() - 4.0) < 1e-9);
}

TEST_CASE("The manual has every kind of warning, with its meaning") {
  std::ifstream file(std::string(SKYHOOK_SOURCE_DIR) + "/docs/manual/commands.md");
  const std::string manual{std::istreambuf_iterator<char>(file), {}};
  for (const WarningKind& kind : warning_kinds()) {
    const std::string row = std::string("| `") + kind.name + "` | " + kind.help + " |\n";
    CHECK_MESSAGE(manual.find(row) != std::string::npos, row);
  }
}
