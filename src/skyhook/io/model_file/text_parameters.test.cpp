// Text parameters. References: the same model with the text written out.
#include "skyhook/io/model_file/folder.testing.h"

using namespace skyhook;
using namespace skyhook::io;

namespace {

// A drive from a file, named by a parameter of the model.
std::string driven(const std::string& parameters, const std::string& file) {
  return "skyhook: 1\nparameters: {c: 2" + parameters +
         "}\nbodies: {car: {mass: =c}}\njoints: {slide: {type: prismatic, from: ground, to: car, axis: z, drive: "
         "{file: " +
         file + "}}}\n";
}

const std::string corner =
    "templates:\n  corner:\n    parameters: {curve: {text: }, mass: 20 kg}\n    bodies: {wheel: {mass: =mass, shape: "
    "{mesh: {file: =curve}}}}\n"
    "    joints: {slide: {type: prismatic, from: ground, to: wheel, axis: z}}\n";

const std::string triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

std::size_t corners_of(const model::Model& m, std::size_t body) {
  return m.bodies.at(body).shapes.at(0).mesh->corners.size();
}

}  // namespace

TEST_CASE("Text parameters: a field takes the text of a parameter of its template, as each user gives it") {
  const Folder folder;
  folder.write("parts/corner.yaml", "skyhook: 1\n" + corner);
  folder.write("one.obj", triangle);
  folder.write("two.obj", triangle + "v 1 1 0\nf 2 4 3\n");
  const model::Model m = folder.read(
      "skyhook: 1\ninclude: parts/corner.yaml\nparameters: {shape: {text: two.obj}}\nuse: {a: {template: corner, "
      "curve: one.obj}, b: {template: corner, curve: =shape}}\n");
  CHECK(corners_of(m, 0) == 3);  // beside the model that names it, not beside the template
  CHECK(corners_of(m, 1) == 6);
  CHECK(m.parameters.size() == 2);  // masses: a text is no number
}

TEST_CASE("Text parameters: --set and an experiment reach them") {
  const Folder folder;
  folder.write("one.obj", triangle);
  const std::string two = folder.write("two.obj", triangle + "v 1 1 0\nf 2 4 3\n");
  const std::string file =
      folder.write("m.yaml", "skyhook: 1\n" + corner +
                                 "parameters: {shape: {text: one.obj}}\nuse: {a: {template: corner, curve: =shape}}\n"
                                 "experiments: {other: {until: 1 s, set: {a.curve: two.obj}}}\n");
  CHECK(corners_of(read_model(file), 0) == 3);
  CHECK(corners_of(read_model(file, {{"shape", two}}), 0) == 6);
  CHECK(corners_of(read_model(file, {{"a.curve", two}}), 0) == 6);
  CHECK(corners_of(read_model(file, {}, "other"), 0) == 6);
}

TEST_CASE("Text parameters: what is wrong is said at its place") {
  const Folder folder;
  folder.write("one.obj", triangle);
  const auto errors = [&](const std::string& use) {
    return folder.errors("skyhook: 1\n" + corner + "parameters: {n: 1, shape: {text: one.obj}}\nuse: " + use + "\n");
  };
  CHECK(errors("{a: {template: corner, curve: =shape}}") == "");
  CHECK(has(errors("{a: {template: corner}}"), "needs \"curve\": template \"corner\" has no default"));
  CHECK(has(errors("{a: {template: corner, curve: =form}}"),
            "part \"a\": curve is \"=form\", but there is no text parameter of that name."));
  CHECK(has(errors("{a: {template: corner, curve: =n}}"), "there is no text parameter of that name."));
  CHECK(has(errors("{a: {template: corner, curve: [1, 2, 3]}}"), "should be a single value, but is a list"));
  CHECK(has(errors("{a: {template: corner, curve: =shape, mass: =2*shape}}"),
            "parameter \"shape\" is a text, which no formula takes."));
  CHECK(has(folder.errors("skyhook: 1\nparameters: {shape: {text: =1}}\n"),
            "parameter \"shape\" needs a text, but has an expression"));
  CHECK(has(folder.errors("skyhook: 1\nparameters: {shape: {txt: a}}\n"),
            "parameter \"shape\" needs a value, but has a map"));
  CHECK(has(folder.errors(driven("", "=curve")), "file is \"=curve\", but there is no text parameter of that name."));
}

TEST_CASE("Text parameters: a table from a file that a parameter names") {
  const Folder folder;
  folder.write("curve.csv", "time [ms], way [mm]\n0, 0\n500, 45\n1500, 90\n");
  const model::Model a = folder.read(driven(", curve: {text: curve.csv}", "=curve")),
                     b = folder.read(driven("", "curve.csv"));
  CHECK(a.joints[0].drive[0]->at(0.7).value == b.joints[0].drive[0]->at(0.7).value);
}
