// What all parts of one reading share.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "skyhook/io/model_file/model_reader.h"
#include "skyhook/io/model_file/parameters.h"
#include "skyhook/io/model_file/report.h"
#include "skyhook/model/model.h"

namespace skyhook::flexible {
struct FeModel;
struct ReducedPart;
}  // namespace skyhook::flexible

namespace skyhook::io::model_file {

struct Reading {
  explicit Reading(std::string file) : report(std::move(file)), parameters(&model.tables) {}

  Report report;
  model::Model model;
  Parameters parameters;
  // Positions in the model's lists, by name.
  std::unordered_map<std::string, int> bodies, markers, joints;
  std::vector<std::pair<int, Vec3d>>
      beam_nodes;  // bodies of nodal coordinates, and places on them that were given as nodes, which say of which line
  std::vector<Vec3d> joint_signs;  // of the mirrors that the joints stand in
  // Bodies, markers and elements share one space of names: their channels are called after them.
  struct Owner {
    std::string noun;
    Location where;
  };
  std::unordered_map<std::string, Owner> names;
  std::unordered_set<std::string> failed;  // could not be read: what refers to them is not reported again
  // Switched off by an `if`; a part with all that it holds.
  struct Off {
    std::string noun, name;
    Location where;  // of the `if`
    std::string reason() const;
  };
  std::unordered_map<std::string, Off> off;
  // What an experiment, --set or `nominal:` says of parameters of instances and of fields of elements, by their full names.
  struct PartSetting {
    Node value;
    bool is_used = false;
  };
  std::map<std::string, PartSetting> part_settings;
  // Of a parameter of the model, or a setting of a part; the last wins.
  void set(const std::string& name, const Node& value, bool is_used = false);
  std::unordered_set<std::string> set_fields;  // of these, those that were fields of elements
  std::vector<model::Parameter> instance_parameters;
  void add_instance_parameter(model::Parameter parameter);
  const model::Parameter* instance_parameter(const std::string& name) const;  // null: there is none
  std::size_t nodes = 0;                                                      // copied into instances
  // Points and lengths as given, for doubts about their units.
  struct Size {
    std::string what;  // body "car": at
    Location where;
    bool is_point;
    Vec3d value;     // a length: in x
    bool says_unit;  // else a plain number in m
  };
  std::vector<Size> sizes;
  // Each once. Sorted and without those switched off they become the model's.
  void warn(const char* kind, const Location& where, std::string what, std::string advice = {});
  std::unordered_map<std::string, Scope> scope_of_body;  // for their shapes and wheels
  // What `wheel:` says beyond model::Wheel, by body; joints and markers are not read yet there.
  struct WheelGiven {
    std::optional<int> carrier;
    std::optional<double> radius;
    std::vector<std::string> steering_axis;  // full names
    std::string axle = "auto";
    Location where;
  };
  std::unordered_map<std::string, WheelGiven> wheels;
  ReadOptions files;  // those that the model names come from there
  std::unordered_map<std::string, std::shared_ptr<const model::Mesh>> meshes;  // by path, read once
  std::map<std::pair<int, std::string>, std::string> mesh_paths;  // by the file that names them, and the name
  std::size_t triangles = 0;                                      // of all shapes
  // Is told each flexible body of beams: its mesh, and what became of it.
  std::function<void(const std::string& body, const flexible::FeModel& mesh, const flexible::ReducedPart& reduced)>
      on_flexible;

  std::vector<std::string> parameter_names() const;  // with those of instances
  // Of the thing itself, or of a part or body that holds it.
  bool has_failed(const std::string& name) const;
  const Off* switched_off(const std::string& name) const;  // nullptr: it is not

 private:
  std::unordered_map<std::string, std::size_t> instance_parameter_numbers_;
};

}  // namespace skyhook::io::model_file
