// References: what the file says; messages by hand.
#include "skyhook/io/model_file/named_file.h"
#include "skyhook/io/model_file/reader.testing.h"
#include "skyhook/model/surface.h"

using namespace skyhook;
using namespace skyhook::io;

namespace {

// Line 2 holds the roads, line 4 the tyre.
std::string on_road(const std::string& roads, const std::string& tyre = "road: main, ") {
  return "skyhook: 1\n" + roads + "\nbodies: {wheel: {mass: 40}}\nforces: {t: {type: tyre_vertical, " + tyre +
         "to: wheel, radius: 0.3, stiffness: 1e5}}\njoints: {z: {type: prismatic, from: ground, to: wheel, axis: z}}\n";
}

}  // namespace

TEST_CASE("A road is read by its name, with units, and what stands on it takes its frame") {
  const model::Model m = read_model_text(
      on_road("roads: {main: {type: bump, height: 80 mm, length: 2 m, at: 1 m, from: {body: ground, at: [1, 2, 3]}, "
              "friction: 0.8, patches: [{x: [0 cm, 100 cm], friction: 0.2}]}}"),
      "m.yaml");
  REQUIRE(m.roads.size() == 1);
  CHECK(m.roads[0].type == "bump");
  CHECK(m.roads[0].surface->height(2).value == doctest::Approx(0.08));
  CHECK(m.roads[0].surface->friction(0.5, 9) == doctest::Approx(0.2));
  CHECK(m.roads[0].surface->friction(5, 9) == doctest::Approx(0.8));
  CHECK(m.contributions[0].from.at == Vec3d{1, 2, 3});
  const model::Model again = read_model_text(m.expanded, "m.yaml");
  CHECK(again.expanded == m.expanded);
  CHECK(again.roads[0].surface->height(2).value == m.roads[0].surface->height(2).value);
}

TEST_CASE("One road may be given in short") {
  const model::Model m =
      read_model_text(on_road("road: {type: sine, amplitude: 0.1, wavelength: 2}", "road: road, "), "m.yaml");
  CHECK(m.roads.at(0).name == "road");
  CHECK(read_model_text(m.expanded, "m.yaml").roads.size() == 1);
  CHECK(has(errors_of(on_road("road: {type: flat}\nroads: {road: {type: flat}}", "road: road, ")), "already"));
}

TEST_CASE("Roads add others that stand behind them, and parts use those of the model") {
  const model::Model m = read_model_text(
      "skyhook: 1\nroads: {main: {type: flat, add: [a, b]}, a: {type: bump, height: 0.1, length: 2}, b: {type: sine, "
      "amplitude: 0.05, wavelength: 4}}\ntemplates: {t: {bodies: {w: {mass: 1}}, joints: {z: {type: prismatic, from: "
      "ground, "
      "to: w, axis: z}}, forces: {f: {type: tyre_vertical, road: $parent.main, to: w, radius: 0.3, stiffness: 1e5}}}}\n"
      "use: {l: {template: t}, r: {template: t, mirror: y}}\n",
      "m.yaml");
  REQUIRE(m.roads.size() == 3);
  CHECK(m.roads[2].name == "main");
  CHECK(m.roads[2].surface->height(1).value == doctest::Approx(0.15));
  CHECK(m.contributions.size() == 2);
  CHECK(m.contributions[1].from.name == "main");
}

TEST_CASE("What is wrong with a road is told at its line") {
  CHECK(has(errors_of(on_road("roads: {main: {type: hill}}")), "m.yaml:2"));
  CHECK(has(errors_of(on_road("roads: {main: {type: hill}}")), "which is not known under roads"));
  CHECK(has(errors_of(on_road("roads: {main: {type: flat}}", "road: mian, ")), "Did you mean \"main\"?"));
  CHECK(has(errors_of(on_road("roads: {main: {type: flat}}", "road: mian, ")), "m.yaml:4"));
  CHECK(has(errors_of(on_road("description: none")), "Add a road under `roads`"));
  CHECK(has(errors_of(on_road("roads: {main: {type: bump, height: 3 kg, length: 1}}")), "height"));
  CHECK(has(errors_of(on_road("roads: {main: {type: flat, patches: [{x: [2, 1], friction: 0.1}]}}")), "no range"));
  CHECK(has(errors_of(on_road("roads: {main: {type: flat, patches: {x: 1}}}")), "should be a list"));
  CHECK(has(errors_of(on_road("roads: {main: {type: flat, add: [other]}}")), "road \"other\""));
  CHECK(has(errors_of(on_road("roads: {main: {type: flat, add: [main]}}")), "not before this one"));
  CHECK(has(errors_of(on_road("roads: {main: {type: flat}}", "")), "it needs `from` or `road`"));
  CHECK(has(errors_of(on_road("roads: {wheel: {type: flat}}", "road: wheel, ")), "of this name already"));
}

TEST_CASE("A grid is read from the file that a road names, and a broken one is refused there") {
  std::string bytes = *model_file::bytes_on_disk(SKYHOOK_SOURCE_DIR "/models/road/bend.crg");
  ReadOptions options;
  options.open = [&](const std::string& path) { return path == "bend.crg" ? std::optional(bytes) : std::nullopt; };
  const std::string text = on_road("roads: {main: {type: crg, file: bend.crg}}");
  const model::Model m = read_model_text(text, "m.yaml", {}, "", options);
  // the heights as the file has them: row 2 of the middle section stands at u = 1
  CHECK(m.roads[0].surface->height(1, 0).value == doctest::Approx(0.0259808));
  CHECK(m.warnings.empty());
  bytes.insert(bytes.find("$KD_DEF"), "$ROAD_CRG_OPTS\nWARN_MSGS = 1\n$\n");
  const model::Model told = read_model_text(text, "m.yaml", {}, "", options);
  REQUIRE(told.warnings.size() == 1);
  CHECK(told.warnings[0].name == "road_options");
  bytes = "nonsense";
  try {
    read_model_text(text, "m.yaml", {}, "", options);
    FAIL("it is read");
  } catch (const ModelError& error) {
    CHECK(has(error.what(), "bend.crg:1"));
  }
  CHECK(has(errors_of(text), "other files are not read"));
}
