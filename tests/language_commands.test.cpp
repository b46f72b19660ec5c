// elements, schema and new as a user runs them, and the models that new writes.
#ifdef SKYHOOK_APP
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "program.testing.h"
#include "run_model.testing.h"
#include "skyhook/analysis/equilibrium.h"
#include "skyhook/analysis/kinematics.h"
#include "skyhook/io/schema/described.h"
#include "skyhook/io/schema/schema.h"

using namespace skyhook;
using testing::Done, testing::has, testing::lacks, testing::Place, testing::text_of;
namespace fs = std::filesystem;

namespace {

const char* const starting_models[] = {"pendulum", "suspension", "car"};

}  // namespace

TEST_CASE("elements: the table, one element, and a name that is not known") {
  const Place at;
  const Done all = at.run("elements");
  CHECK(all.code == 0);
  for (const io::Thing& thing : io::described_elements()) CHECK_MESSAGE(has(all.out, thing.summary), thing.name);
  const Done one = at.run("elements spring_damper");
  for (const char* part : {"stiffness", "N/m", "at least 0", "linear rate", "formula over x, or table"})
    CHECK_MESSAGE(has(one.out, part), part);
  CHECK(has(at.run("elements marker").out, "required"));
  CHECK(has(at.run("elements joints").out, "revolute"));
  CHECK(lacks(at.run("elements joints").out, "spring_damper"));
  const Done wrong = at.run("elements spring_dampr");
  CHECK(wrong.code == 2);
  CHECK(has(wrong.err, "Did you mean \"spring_damper\"?"));
  CHECK(at.run("elements ''").code == 0);
}

TEST_CASE("elements --json is JSON") {
  const Place at;
  CHECK(at.run("elements spring_damper --json").code == 0);
  const std::string check =
      "import json; d = json.load(open('out')); f = [x for x in d[0]['fields'] if x['name'] == 'stiffness'][0]; "
      "assert f == {'name': 'stiffness', 'type': 'number', 'unit': 'N/m', 'range': 'at least 0', "
      "'required': False, 'default': '0', 'help': 'linear rate'}, f";
  CHECK(std::system(("cd " + at.path.string() + " && /usr/bin/python3 -c \"" + check + "\"").c_str()) == 0);
}

TEST_CASE("elements --markdown: a section for each thing, with every field, and the element's own page") {
  const std::string all = Place().run("elements --markdown").out;
  const auto section_of = [&](const io::Thing& thing) {
    const std::size_t begin = all.find("\n## " + thing.name + "\n");
    REQUIRE_MESSAGE(begin != std::string::npos, thing.name);
    return all.substr(begin, all.find("\n## ", begin + 1) - begin);
  };
  auto things = io::described_elements();
  things.insert(things.end(), io::described_parts().begin(), io::described_parts().end());
  for (const io::Thing& thing : things) {
    const std::string section = section_of(thing);
    CHECK(has(section, thing.summary));
    for (const io::DescribedField& f : thing.fields)
      CHECK_MESSAGE(has(section, "| `" + std::string(f.info.name) + "` |"), thing.name << "." << f.info.name);
    if (!thing.is_element) continue;  // an example: a fragment, or a whole model where one says too little
    const bool is_whole = has(section, "```yaml\nskyhook: 1\n") && has(section, "\n" + thing.section + ":\n");
    CHECK_MESSAGE((is_whole || has(section, "```yaml\n" + thing.section + ":\n")), thing.name);
  }
}

TEST_CASE("schema is written to a file or to standard output") {
  const Place at;
  const std::string schema = io::model_schema().to_text();
  CHECK(at.run("schema").out == schema);
  CHECK(at.run("schema --out s.json").code == 0);
  CHECK(text_of(at.path / "s.json") == schema);
  const Done refused = at.run("schema --out nowhere/s.json");
  CHECK(refused.code == 2);
  CHECK(has(refused.err, "nowhere/s.json: the file cannot be written: No such file"));
}

TEST_CASE("new writes the model of the source tree and a schema, and replaces nothing unasked") {
  const Place at;
  for (const std::string name : starting_models) {
    const Done done = at.run("new " + name);
    CHECK(done.code == 0);
    CHECK(has(done.out, "skyhook check " + name + ".yaml"));
    const std::string text = text_of(at.path / (name + ".yaml"));
    CHECK(text == text_of(testing::model_path("new/" + name)));
    CHECK(text.starts_with("# yaml-language-server: $schema=skyhook.schema.json\n"));
    CHECK(at.run("check " + name + ".yaml").code == 0);
  }
  const std::string schema = io::model_schema().to_text();
  CHECK(text_of(at.path / "skyhook.schema.json") == schema);
  CHECK(at.run("new car --out -").out == text_of(testing::model_path("new/car")));
  CHECK(!fs::exists(at.path / "-"));

  std::ofstream(at.path / "pendulum.yaml") << "mine";
  std::ofstream(at.path / "skyhook.schema.json") << "{\"title\": \"Skyhook model\"}";  // of an older program
  const Done refused = at.run("new pendulum");
  CHECK(refused.code == 2);
  CHECK(has(refused.err, "pendulum.yaml: this file is there already."));
  CHECK(text_of(at.path / "pendulum.yaml") == "mine");
  CHECK(at.run("new pendulum --force").code == 0);
  CHECK(text_of(at.path / "pendulum.yaml") != "mine");
  CHECK(text_of(at.path / "skyhook.schema.json") == schema);

  fs::create_directory(at.path / "sub");
  CHECK(at.run("new car --out sub/mine.yaml").code == 0);
  CHECK(at.run("check sub/mine.yaml").code == 0);
  CHECK(fs::exists(at.path / "sub/skyhook.schema.json"));
  CHECK(has(at.run("new cra").err, "Did you mean \"car\"?"));
  CHECK(at.run("new cra").code == 2);
}

// What stands in a line counts, comments and empty lines do not.
TEST_CASE("new: a car is built from parts in 60 lines") {
  std::istringstream in(text_of(testing::model_path("new/car")));
  int count = 0;
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find_first_not_of(' ');
    count += first != std::string::npos && line[first] != '#';
  }
  CHECK(count <= 60);
}

TEST_CASE("new library writes every part of the source tree, and keeps those that have been changed") {
  const Place at;
  CHECK(at.run("new library").code == 0);
  std::size_t count = 0;
  for (const auto& file : fs::directory_iterator(fs::path(SKYHOOK_SOURCE_DIR) / "models/library")) {
    if (!file.is_regular_file()) continue;
    CAPTURE(file.path().string());
    CHECK(text_of(at.path / "library" / file.path().filename()) == text_of(file.path()));
    ++count;
  }
  CHECK(count == 12);
  std::ofstream(at.path / "library/wheel.yaml") << "mine";
  CHECK(has(at.run("new car").out, "library/wheel.yaml there already"));
  CHECK(text_of(at.path / "library/wheel.yaml") == "mine");
  CHECK(at.run("new car --force").code == 0);
  CHECK(at.run("check car.yaml").code == 0);
}

namespace {

// The line `suspension:` of the front (1) or rear corner (2) of a car replaced by another one.
std::string with_suspension(const std::string& car, int corner, const std::string& part) {
  std::istringstream in(car);
  std::string out;
  int count = 0;
  for (std::string line; std::getline(in, line); out += "\n") {
    const bool is_it = line.starts_with("      suspension:") && ++count == corner;
    out += is_it ? "      suspension: " + part : line;
  }
  CHECK(count == 2);
  return out;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

// The lines of the table "Another suspension" of docs/library.md, by the number of the corner.
std::vector<std::pair<int, std::string>> suspensions_of_page() {
  std::istringstream in(text_of(fs::path(SKYHOOK_SOURCE_DIR) / "docs/library.md"));
  std::vector<std::pair<int, std::string>> out;
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("| ")) continue;
    std::size_t begin = 0;
    for (int cell = 1; (begin = line.find("| ", begin)) != std::string::npos; ++cell, ++begin) {
      const std::string start = "| `suspension: ";
      if (line.compare(begin, start.size(), start) != 0) continue;
      const std::size_t first = begin + start.size();
      out.emplace_back(cell, line.substr(first, line.find('`', first) - first));
    }
  }
  return out;
}

}  // namespace

// Reference: each part stands where it is drawn, so that the car goes straight on with the drawn loads of 3.75 kN on its wheels; preloads of the arm are for 3.5 kN, and axles weigh differently.
TEST_CASE("new: every suspension of the library takes its place in the car by the line that the page gives") {
  const Place at;
  REQUIRE(at.run("new car").code == 0);
  const std::string car = text_of(at.path / "car.yaml");
  const auto final_value = [&at](const std::string& channel) {
    const std::string out = at.run("show other.h5 \"final(" + channel + ")\"").out;
    return std::stod(out.substr(out.find(')') + 1));
  };
  at.write("lacks.yaml", replaced(car, "include: [", "include: [library/solid_axle.yaml, "));
  CHECK(has(at.run("check lacks.yaml").err, "`skyhook new library` writes the parts for cars."));
  REQUIRE(at.run("new library").code == 0);
  const auto lines = suspensions_of_page();
  CHECK(lines.size() == 6);
  for (const auto& [corner, part] : lines) {
    CAPTURE(corner);
    CAPTURE(part);
    std::string text = with_suspension(car, corner, part);
    if (part.find("solid_axle") != std::string::npos) {
      text = replaced(text, "include: [", "include: [library/solid_axle.yaml, ");
      text = replaced(text, "      bar: {template: anti_roll_bar, link: =left.suspension.bar_link, rate: 300",
                      "      beam: {template: solid_axle}\n      bar: {template: anti_roll_bar, link: "
                      "=left.suspension.bar_link, rate: 300");
    }
    at.write("other.yaml", text);
    const Done done = at.run("run other.yaml lane_change --until 1 --set turn=0 -o other.h5");
    CHECK(done.code == 0);
    CHECK_MESSAGE(done.err.find("warning") == std::string::npos, done.err);
    for (const std::string wheel : {"front.left", "front.right", "rear.left", "rear.right"}) {
      CHECK(std::abs(final_value(wheel + ".load") - 3750) < 0.1 * 3750);
    }
    CHECK(std::abs(final_value("y")) < 1e-6);
  }
  at.write("steered.yaml", with_suspension(car, 1, "{template: semi_trailing_arm, steered: true}"));
  CHECK(has(at.run("check steered.yaml").err,
            "an arm on one axis has no tie rod and cannot be steered, but steered = 1."));
}

TEST_CASE("new: each experiment of each model runs to its end without a warning") {
  for (const std::string name : starting_models) {
    const auto experiments = io::read_model(testing::model_path("new/" + name)).experiments;
    for (const model::Experiment& e : experiments) {
      CAPTURE(name);
      CAPTURE(e.name);
      testing::Wish wish;
      wish.experiment = e.name;
      const testing::Loaded loaded = testing::load("new/" + name, wish);
      CHECK(loaded.model->warnings.empty());
      if (e.analysis == "kinematics") {
        CHECK(analysis::find_kinematics(*loaded.model, loaded.experiment).path.ok());
      } else if (e.analysis == "simulate") {
        CHECK(testing::run(loaded).sink.summary.energy_closure < 1e-3);  // tolerance 1e-6: measured below 2e-5
      } else {
        CHECK(analysis::find_equilibrium(simulation::prepare(loaded.model, loaded.experiment)).found);
      }
    }
  }
}

// References: the drawn position, in which springs and tyres carry the car, but for preloads in whole newtons and what axles weigh more than each other; the mirror.
TEST_CASE(
    "new: the car drives straight as drawn, and a lane change to the right is the mirror image of that to the left") {
  const auto run = [](const std::string& turn) {
    return testing::run("new/car", {.experiment = "lane_change", .set = {{"turn", turn}}});
  };
  const testing::Run straight = run("0 deg"), left = run("30 deg"), right = run("-30 deg");
  CHECK(std::abs(straight.last("y")) < 1e-9);
  const std::string length = "front.left.suspension.spring_length";
  CHECK(straight.last(length) == doctest::Approx(straight.at(0, length)).epsilon(2e-3));
  CHECK(left.last("y") > 3);
  double apart = 0;
  for (std::size_t k = 0; k < left.sink.channels.size(); ++k)
    apart = std::max(apart, std::abs(left.at(k, "y") + right.at(k, "y")));
  CHECK(apart < 1e-6);  // the tolerance: rounding may tip a decision of the step control
}

// Reference: the preload in the file is chosen so that the chassis stands at its design height.
TEST_CASE("new: the suspension stands at its design height") {
  const testing::Loaded loaded = testing::load("new/suspension");
  const auto rest = analysis::find_equilibrium(simulation::prepare(loaded.model, loaded.experiment));
  REQUIRE(rest.found);
  CHECK(std::abs(rest.state.q[0]) < 0.1e-3);  // guide.displacement; the preload is rounded to 1 N: 0.03 mm
}
#endif
