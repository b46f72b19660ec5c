// expand as a user runs it: the model that it writes, and that its runs are those of the model itself.
#ifdef SKYHOOK_APP
#include <filesystem>

#include "program.testing.h"
#include "skyhook/io/model_file/model_reader.h"

using namespace skyhook;
using testing::Done, testing::has, testing::lacks, testing::Place;
namespace fs = std::filesystem;

namespace {

// The model and the expanded model, which is run without naming an experiment, as far as `until`.
void check_expanded_run(const Place& place, const std::string& model, const std::string& experiment, double until) {
  const std::string named = model + " " + experiment, end = " -q --until " + std::to_string(until);
  CAPTURE(named);
  CHECK(place.run("expand " + named + " -o flat.yaml --force").code == 0);
  CHECK(place.run("run " + named + end + " -o a.h5").code == 0);
  const Done flat = place.run("run flat.yaml" + end + " -o b.h5");
  CHECK_MESSAGE(flat.code == 0, flat.err);
  CHECK(place.run("diff a.h5 b.h5 '*' --tol 0").code == 0);
}

}  // namespace

TEST_CASE("expand, then run, is bit for bit the run of every simulating experiment, and of the one that run chooses") {
  const Place place;
  int runs = 0;
  for (const auto& entry : fs::recursive_directory_iterator(SKYHOOK_SOURCE_DIR "/models")) {
    if (entry.path().extension() != ".yaml") continue;
    const std::string path = entry.path().string();
    bool is_first = true;
    for (const model::Experiment& e : io::read_model(path).experiments) {
      if (e.analysis != "simulate") continue;
      const double until = e.from_time + std::min(0.05, 0.1 * (e.until - e.from_time));
      if (is_first) check_expanded_run(place, path, "", until);
      check_expanded_run(place, path, e.name, until);
      is_first = false, ++runs;
    }
  }
  CHECK(runs >= 15);
}

TEST_CASE("expand writes one experiment, with its settings, and names those that it leaves out") {
  const Place place;
  const std::string car = SKYHOOK_SOURCE_DIR "/models/car/four_post.yaml";
  const Done first = place.run("expand " + car);
  CHECK(has(first.err, "experiment \"heave\". Left out: roll, warp"));
  CHECK(has(first.out, "\n  heave: 0.03 m\n"));
  CHECK(lacks(first.out, "template"));
  CHECK(lacks(first.out, "warp: {"));
  const Done roll = place.run("expand " + car + " roll");
  CHECK(has(roll.err, "experiment \"roll\". Left out: heave, warp"));
  CHECK(has(roll.out, "\n  roll: 0.02 m\n"));
  CHECK(lacks(place.run("expand " + car + " --set with_arb=false").out, "lever"));

  const std::string text =
      "skyhook: 1\nparameters: {m: 1 kg}\nbodies: {b: {mass: =m}}\n"
      "joints: {j: {type: free, from: ground, to: b}}\n";
  place.write("rest.yaml", text + "experiments: {rest: {analysis: equilibrium, set: {m: 2 kg}}}\n");
  const Done rest = place.run("expand rest.yaml");  // none simulates: the first
  CHECK(has(rest.out, "m: 2 kg"));
  CHECK(rest.err.empty());
  place.write("none.yaml", text);
  CHECK(place.run("expand none.yaml").code == 0);
}

TEST_CASE("expand -o spares the sources of the model, and meshes are found from where the expanded model stands") {
  const Place place;
  fs::create_directories(place.path / "deep/er");
  place.write("deep/m.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  place.write("part.yaml",
              "skyhook: 1\nbodies: {b: {mass: 1, inertia: [1, 1, 1], shape: {mesh: {file: deep/m.obj}}}}\n"
              "joints: {j: {type: free, from: ground, to: b}}\n");
  place.write("m.yaml", "skyhook: 1\ninclude: part.yaml\n");
  for (const char* source : {"m.yaml", "./part.yaml", "deep/../deep/m.obj"}) {
    const std::string before = place.text(source);
    const Done refused = place.run(std::string("expand m.yaml -o ") + source);
    CHECK(refused.code == 2);
    CHECK(has(refused.err, "this file is read by the command"));
    CHECK(place.text(source) == before);
  }
  CHECK(has(place.run("expand m.yaml").out, "deep/m.obj"));
  CHECK(has(place.run("expand m.yaml -o -").out, "deep/m.obj"));
  CHECK(place.run("expand m.yaml -o deep/er/flat.yaml").code == 0);
  CHECK(has(place.text("deep/er/flat.yaml"), "../m.obj"));
  CHECK(place.run("check deep/er/flat.yaml").code == 0);
  CHECK(place.run("expand m.yaml --json").code == 2);
}

TEST_CASE("expand tells that it leaves the coordinates as the file has them") {
  const Place place;
  const std::string model = SKYHOOK_SOURCE_DIR "/models/mechanisms/chain.yaml";
  const Done plain = place.run("expand " + model + " -o a.yaml");
  const Done asked = place.run("expand " + model + " --coordinates absolute -o b.yaml");
  CHECK(plain.code == 0);
  CHECK(asked.code == 0);
  CHECK(lacks(plain.err, "--coordinates"));
  CHECK(has(asked.err, "keeps the coordinates that its file asks for"));
}
#endif
