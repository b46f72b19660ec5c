// What the tests of the model reader share.
#pragma once
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "skyhook/io/model_file/model_reader.h"

namespace skyhook::io {

// What a reader of the file sees, "" if all is well.
inline std::string errors_of(const std::string& text, const std::vector<Setting>& settings = {},
                             const std::string& experiment = "") {
  try {
    read_model_text(text, "m.yaml", settings, experiment);
    return "";
  } catch (const ModelError& error) {
    return error.what();
  }
}

// One a line, as the program prints them; "" if there is none.
inline std::string warnings_of(const std::string& text) {
  std::string all;
  for (const Warning& w : read_model_text(text, "m.yaml").warnings) all += to_string(w) + "\n";
  return all;
}

inline bool has(const std::string& text, const std::string& part) {
  const bool found = text.find(part) != std::string::npos;
  if (!found) MESSAGE("missing: " << part << "\nin: " << text);
  return found;
}

// A pendulum; line 3 holds the body, line 5 the joint, and `more` starts in line 6.
inline std::string pendulum(const std::string& body = "mass: 2 kg", const std::string& more = "",
                            const std::string& joint = "axis: y") {
  return "skyhook: 1\nbodies:\n  bob: {" + body + "}\njoints:\n  hinge: {type: revolute, from: ground, to: bob, " +
         joint + "}\n" + more;
}

}  // namespace skyhook::io
