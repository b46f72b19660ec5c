// The readers of the file's sections. Each adds to the model and returns its section in expanded form: repeats
// unrolled, constant expressions evaluated.
#pragma once
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "skyhook/io/model_file/reading.h"

namespace skyhook::model {
struct EvaluationOptions;
}

namespace skyhook::io::model_file {

struct AnyExperimentFields;
struct Part;

// A thing of a section before it is read: its name, and its fields.
struct Pending {
  std::string name;
  Scope scope;
  Node key, value;
};

// The model itself, or an instance of a template or group in it, with its sections.
struct Level {
  Scope scope;
  Node sections;
};

// All things of a section, repeats unrolled, without those switched off, taken out of it. Reports names that are not allowed or taken.
// `owner` is the body whose markers they are; those switched off go to `off`.
std::vector<Pending> things_of(Node& section, const std::string& noun, Reading& reading, const Scope& scope,
                               const std::string& owner = {}, std::vector<Pending>* off = nullptr);
// Those of all levels; the section is called as the plural of the noun.
std::vector<Pending> things_of(std::vector<Level>& levels, const std::string& noun, Reading& reading);
// Copies of nodes that templates and repeats make: a model has no more than a million.
void count(const Node& copy, const Node& key, Reading& reading);
Node as_section(std::vector<Pending> things, const Node& place);

model::Coordinates coordinates_named(const std::string& name);  // joint, absolute or auto

Node read_bodies(std::vector<Level>& levels, Reading& reading);
Node read_markers(std::vector<Level>& levels, Reading& reading);
// `wheel:` of the bodies, when all bodies are read: a wheel may name its vehicle.
void read_wheels(Node& bodies, Reading& reading);
void check_wheel_axes(Reading& reading);  // against those of their bearings
Node read_sensors(std::vector<Level>& levels, Reading& reading);
Node read_joints(std::vector<Level>& levels, Reading& reading);
Node read_roads(std::vector<Level>& levels, Reading& reading);
Node read_tracks(std::vector<Level>& levels, Reading& reading);
Node read_profiles(std::vector<Level>& levels, Reading& reading);
// `road: {...}` of the model becomes an entry of `roads`.
void name_single_road(Node& sections, Reading& reading);
Node read_forces(std::vector<Level>& levels, Reading& reading);
Node read_controllers(std::vector<Level>& levels, Reading& reading);
// Continuous signals, by name; what their formulas read is looked up when all sections are read.
Node read_signals(std::vector<Level>& levels, Reading& reading);
void finish_signals(Reading& reading);
// Events of the user; what their actions say of controllers is checked when all sections are read.
Node read_events(std::vector<Level>& levels, Reading& reading);
void check_switched_controllers(Reading& reading);
void doubt_event_times(Reading& reading);
void read_gravity(Node& node, Reading& reading);
// When the parameters are known: rows may use them.
void read_tables(Node& section, Reading& reading);
// What reports are to show: checked, and left as it stands.
void read_plots(Node& section, Reading& reading);
void read_outputs(const Node& node, const Scope& scope, Reading& reading, const std::string& what,
                  std::vector<model::Output>& outputs);
Node expanded(const std::vector<model::Output>& outputs, const Node& place);

// Checks the initial values and, if wished, puts them into the joints. Those of things switched off are left out.
// `unchecked`: of an experiment with other parameters, and so perhaps other joints.
enum class Apply { no, yes, unchecked };
// Those read so far, by the number of the joint, or -1 less that of the element, that of its coordinate, and whether it is the rate. The model wins over
// its parts, and they win over the parts in them; others must agree.
struct InitialValue {
  double value;
  std::string prefix;  // of the level that gives it
  Location where;
};
using InitialValues = std::map<std::tuple<int, std::size_t, bool>, InitialValue>;
inline constexpr const char* section_of_model =
    "initial";  // as messages call it; that of an experiment has its name before it
Node read_initial(const Node& map, const Scope& scope, Reading& reading, const std::string& what, Apply apply,
                  InitialValues& known);

// All experiments; the initial values of the selected one are applied.
Node read_experiments(Node& section, Reading& reading, const std::string& selected);
// Travel, loads and wheels of `analysis: kinematics`; of an experiment that is not selected nothing is looked up.
void read_kinematics(AnyExperimentFields& given, Reading& reading, const std::string& what, bool is_selected);
// What is said of modes, linear systems, responses and nominal forces, in the words of their commands.
void read_analysis_options(AnyExperimentFields& given, Reading& reading, const std::string& what);
// Standards with their channels and settings; numbers may be expressions.
std::vector<model::EvaluationOptions> read_evaluations(const Part& part, Reading& reading, const std::string& what);
// The `set:` of an experiment changes parameters, before those are evaluated. Reports an experiment that is not there.
void apply_settings_of(const std::string& experiment, Node* experiments, Reading& reading);

}  // namespace skyhook::io::model_file
