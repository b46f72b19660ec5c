// References: the same model in one file.
#include <map>

#include "skyhook/io/model_file/model_source.h"
#include "skyhook/io/model_file/reader.testing.h"

using namespace skyhook;
using namespace skyhook::io;

namespace {

using Files = std::map<std::string, std::string>;

ReadOptions options(Files files, std::vector<std::string> search_path = {}) {
  return {std::move(search_path), [files = std::move(files)](const std::string& path) -> std::optional<std::string> {
            const auto found = files.find(path);
            return found == files.end() ? std::nullopt : std::optional(found->second);
          }};
}

model::Model read(const Files& files, std::vector<std::string> search_path = {}) {
  return read_model_text(files.at("cars/m.yaml"), "cars/m.yaml", {}, "", options(files, std::move(search_path)));
}

std::string errors(const Files& files) {
  try {
    read(files);
    return "";
  } catch (const ModelError& error) {
    return error.what();
  }
}

const std::string part =
    "skyhook: 1\nname: part\ndescription: a part\nparameters: {k: 2 kg, l: =2*k}\ntemplates: {t: {bodies: {b: {mass: "
    "=l}}, "
    "joints: {j: {type: free, from: ground, to: b}}}}\nexperiments: {e: {until: 1}}\n";

}  // namespace

TEST_CASE("Sections of included files join those of the model, whose parameters win") {
  const Files files{
      {"cars/m.yaml", "skyhook: 1\ninclude: [parts/a.yaml]\nparameters: {k: 5 kg}\nuse: {x: {template: t}}\n"},
      {"cars/parts/a.yaml", part}};
  const model::Model m = read(files);
  CHECK(m.name == "m");
  REQUIRE(m.bodies.size() == 1);
  CHECK(m.bodies[0].mass == 10.0);
  CHECK(m.experiments.size() == 1);
  CHECK(m.files == std::vector<std::string>{"cars/m.yaml", "cars/parts/a.yaml"});
  CHECK(m.bodies[0].where.file == "cars/parts/a.yaml");
  CHECK(m.bodies[0].where.line == 5);
  CHECK(read_model_text(m.expanded, "cars/m.yaml").expanded == m.expanded);
}

TEST_CASE("Included files are looked for beside the including one, then along the search path, and read once") {
  const std::string body = "skyhook: 1\ninclude: c.yaml\n";
  const Files files{
      {"cars/m.yaml", "skyhook: 1\ninclude: [parts/a.yaml, b.yaml]\n"},
      {"cars/parts/a.yaml", body},
      {"cars/parts/c.yaml", "skyhook: 1\nbodies: {c: {mass: 1}}\njoints: {j: {type: free, from: ground, to: c}}\n"},
      {"lib/b.yaml", "skyhook: 1\ninclude: ../cars/parts/c.yaml\n"}};
  const model::Model m = read(files, {"nowhere", "lib"});
  CHECK(m.bodies.size() == 1);
  CHECK(m.files.size() == 4);
}

TEST_CASE("Wrong includes are reported in their files") {
  const std::string start = "skyhook: 1\ninclude: [a.yaml, b.yaml]\n", bodies = "skyhook: 1\nbodies:\n  x: {mass: 1}\n";
  CHECK(has(errors({{"cars/m.yaml", start}, {"cars/a.yaml", "skyhook: 1\n"}}),
            "cars/m.yaml:2:19: include: the file \"b.yaml\" is not found.\n  Looked for (a folder is no file): "
            "cars/b.yaml."));
  CHECK(has(errors({{"cars/m.yaml", "skyhook: 1\ninclude: library/wheel.yaml\n"}}),
            "by --path or SKYHOOK_PATH. `skyhook new library` writes the parts for cars."));
  CHECK(has(errors({{"cars/m.yaml", start}, {"cars/a.yaml", bodies}, {"cars/b.yaml", bodies}}),
            "cars/b.yaml:3:3: \"x\" stands here and in cars/a.yaml:3, and the two files make one model."));
  CHECK(has(errors({{"cars/m.yaml", start},
                    {"cars/a.yaml", "skyhook: 1\nparameters: {k: 1}\n"},
                    {"cars/b.yaml", "skyhook: 1\nparameters: {k: 2}\n"}}),
            "\"k\" stands here and in cars/a.yaml:2"));
  CHECK(has(errors({{"cars/m.yaml", start},
                    {"cars/a.yaml", "skyhook: 1\ninclude: b.yaml\n"},
                    {"cars/b.yaml", "skyhook: 1\ninclude: a.yaml\n"}}),
            "the files include each other in a circle: cars/a.yaml -> cars/b.yaml -> cars/a.yaml."));
  CHECK(has(errors({{"cars/m.yaml", "skyhook: 1\ninclude: m.yaml\n"}}), "in a circle: cars/m.yaml -> cars/m.yaml."));
  CHECK(has(errors({{"cars/m.yaml", "skyhook: 1\ninclude: a.yaml\n"}, {"cars/a.yaml", "bodies: {}\n"}}),
            "cars/a.yaml:1:1: the included file cars/a.yaml needs \"skyhook: 1\"."));
  CHECK(has(errors({{"cars/m.yaml", "skyhook: 1\ninclude: a.yaml\n"}, {"cars/a.yaml", "skyhook: 1\nbodys: {}\n"}}),
            "cars/a.yaml:2:1: the file has the field \"bodys\", which is not known."));
  CHECK(has(errors({{"cars/m.yaml", "skyhook: 1\ninclude: a.yaml\n"},
                    {"cars/a.yaml", "skyhook: 1\nbodies:\n  x: {mass: -1}\n"}}),
            "cars/a.yaml:3:13: body \"x\": mass is -1 kg"));
  CHECK(has(errors({{"cars/m.yaml", "skyhook: 1\ninclude: {a: b}\n"}}), "include should be a list of files"));
}

TEST_CASE("A model given as text includes nothing") {
  CHECK(has(errors_of("skyhook: 1\ninclude: /etc/passwd\n"),
            "m.yaml:2:10: include: the model is given as a text, so other files are not read."));
}

TEST_CASE("A file adapts the parameters of one that it includes, whichever of the two is named first") {
  const auto mass = [](const std::string& list) {
    return read({{"cars/m.yaml", "skyhook: 1\ninclude: " + list +
                                     "\nbodies: {b: {mass: =z}}\njoints: {j: {type: free, from: ground, to: b}}\n"},
                 {"cars/base.yaml", "skyhook: 1\nparameters: {z: 1}\n"},
                 {"cars/between.yaml", "skyhook: 1\ninclude: base.yaml\n"},
                 {"cars/adapt.yaml", "skyhook: 1\ninclude: between.yaml\nparameters: {z: 2}\n"}})
        .bodies[0]
        .mass;
  };
  CHECK(mass("[adapt.yaml, base.yaml]") == 2.0);
  CHECK(mass("[base.yaml, adapt.yaml]") == 2.0);
  CHECK(mass("[between.yaml, adapt.yaml]") == 2.0);
  CHECK(mass("[base.yaml]") == 1.0);
  CHECK(has(errors({{"cars/m.yaml", "skyhook: 1\ninclude: [base.yaml, a.yaml, b.yaml]\n"},
                    {"cars/base.yaml", "skyhook: 1\nparameters: {z: 1}\n"},
                    {"cars/a.yaml", "skyhook: 1\ninclude: base.yaml\nparameters: {z: 2}\n"},
                    {"cars/b.yaml", "skyhook: 1\ninclude: base.yaml\nparameters: {z: 3}\n"}}),
            "cars/b.yaml:3:14: \"z\" stands here and in cars/a.yaml:3"));
}

TEST_CASE("ignore_warnings of an included file would silence the whole model, and is refused") {
  const std::string own = "skyhook: 1\ninclude: [parts/a.yaml]\nuse: {x: {template: t}}\n";
  const Files files{{"cars/m.yaml", own}, {"cars/parts/a.yaml", part + "ignore_warnings: [unused]\n"}};
  CHECK(errors(files) ==
        "cars/parts/a.yaml:7:1: ignore_warnings stands in an included file, but would silence the whole model.\n"
        "  Write it in the model file, cars/m.yaml.");
  CHECK(errors({{"cars/m.yaml", own + "ignore_warnings: [unused]\n"}, {"cars/parts/a.yaml", part}}) == "");
}

// Reference: reading anew, which is the same down to the lines that findings and warnings name. A file that has changed is parsed again.
TEST_CASE("A source that is read again gives what reading anew does") {
  Files files{{"cars/m.yaml",
               "skyhook: 1\ninclude: [parts/a.yaml]\nuse: {x: {template: t}}\nparameters: {m: 3 kg, spare: 1}\n"
               "bodies: {c: {mass: =m}}\njoints: {k: {type: free, from: ground, to: c}}\n"},
              {"cars/parts/a.yaml", part}};
  const ModelSource source;
  const auto options_now = [&] { return options(files); };
  for (const std::vector<Setting>& settings : {std::vector<Setting>{}, {{"k", "5 kg"}}, {{"m", "1 kg"}, {"k", "7"}}}) {
    const model::Model a = source.read("cars/m.yaml", settings, "", options_now()),
                       b = read_model("cars/m.yaml", settings, "", options_now());
    CHECK(a.expanded == b.expanded);
    CHECK(a.files == b.files);
    CHECK(to_json(a.warnings) == to_json(b.warnings));
    CHECK(a.joints[0].where.file == b.joints[0].where.file);
  }
  const auto problem = [&](auto&& read) -> std::string {
    try {
      read();
      return "";
    } catch (const ModelError& error) {
      return error.what();
    }
  };
  const std::vector<Setting> wrong{{"k", "-1 kg"}};
  CHECK(problem([&] { source.read("cars/m.yaml", wrong, "", options_now()); }) ==
        problem([&] { read_model("cars/m.yaml", wrong, "", options_now()); }));
  files["cars/parts/a.yaml"].replace(part.find("k: 2 kg"), 7, "k: 9 kg");
  CHECK(source.read("cars/m.yaml", {}, "", options_now()).bodies.back().mass ==
        read_model("cars/m.yaml", {}, "", options_now()).bodies.back().mass);
}

TEST_CASE("The first experiment with an analysis is known before the model is read") {
  Files files{{"m.yaml",
               "skyhook: 1\ninclude: [e.yaml]\nbodies: {c: {mass: 1}}\n"
               "experiments: {rest: {analysis: equilibrium}, go: {until: 1 s}}\n"},
              {"e.yaml", "experiments: {shapes: {analysis: modes}}\n"},
              {"none.yaml", "skyhook: 1\nbodies: {c: {mass: 1}}\n"},
              {"broken.yaml", "skyhook: 1\nexperiments: [\n"}};
  const ModelSource source;
  const auto first = [&](const char* file, const char* analysis) {
    return source.first_experiment(file, analysis, options(files));
  };
  CHECK(first("m.yaml", "simulate") == "go");  // which says nothing of it
  CHECK(first("m.yaml", "equilibrium") == "rest");
  CHECK(first("m.yaml", "modes") == "shapes");
  CHECK(first("m.yaml", "response").empty());
  for (const char* file : {"none.yaml", "broken.yaml", "missing.yaml"}) CHECK(first(file, "simulate").empty());
}
