// The readers of the file's sections. Each adds to the model and returns its section in expanded form: repeats
// unrolled, constant expressions evaluated.
#pragma once
#include <string>
#include <vector>

#include "skyhook/io/model_file/reading.h"

namespace skyhook::io::model_file {

// A thing of a section before it is read: its name, and its fields as a copy of its own.
struct Pending {
  std::string name;
  std::vector<Index> indices;
  Node key, value;
};

// All things of a section, repeats unrolled. Reports names that are not allowed or taken.
std::vector<Pending> things_of(Node& section, const std::string& noun, Reading& reading, const std::string& prefix = {},
                               const std::vector<Index>& indices = {});
Node as_section(std::vector<Pending> things, const Node& place);

Node read_bodies(Node& section, Reading& reading);
Node read_markers(Node& section, Reading& reading);
Node read_joints(Node& section, Reading& reading);
Node read_forces(Node& section, Reading& reading);
void read_gravity(Node& node, Reading& reading);
void read_outputs(Node& node, Reading& reading, const std::string& what, std::vector<model::Output>& outputs);

// Checks the initial values and, if wished, puts them into the joints.
enum class Apply { no, yes };
void read_initial(const Node& map, Reading& reading, const std::string& what, Apply apply);

// All experiments; the initial values of the selected one are applied.
Node read_experiments(Node& section, Reading& reading, const std::string& selected);
// The `set:` of an experiment changes parameters, before those are evaluated. Reports an experiment that is not there.
void apply_settings_of(const std::string& experiment, Node* experiments, Reading& reading);

}  // namespace skyhook::io::model_file
