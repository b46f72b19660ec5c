// What all parts of one reading share.
#pragma once
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "skyhook/io/model_file/parameters.h"
#include "skyhook/io/model_file/report.h"
#include "skyhook/model/model.h"

namespace skyhook::io::model_file {

struct Reading {
  explicit Reading(std::string file) : report(std::move(file)) {}

  Report report;
  Parameters parameters;
  model::Model model;
  // Positions in the model's lists, by name.
  std::unordered_map<std::string, int> bodies, markers, joints;
  // Bodies, markers and elements share one space of names: their channels are called after them.
  struct Owner {
    std::string noun;
    int line;
  };
  std::unordered_map<std::string, Owner> names;
  std::unordered_set<std::string> failed;  // could not be read: what refers to them is not reported again
  std::size_t nodes = 0;                   // copied into instances
  std::set<std::string> warnings;
  std::unordered_map<std::string, std::vector<Index>> indices_of_body;  // of repeated ones, for their shapes
  // Gives the files that the model names, by path, or throws ModelError. Empty: there are none, the model is but a text.
  std::function<std::string(const std::string& path)> bytes_of;
  std::unordered_map<std::string, std::shared_ptr<const model::Mesh>> meshes;  // by name, read once
  std::size_t triangles = 0;                                                   // of all shapes
};

}  // namespace skyhook::io::model_file
