// The program as a process, in a folder of its own: for the tests of commands.
#pragma once
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "text.testing.h"

namespace skyhook::testing {

inline std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Done {
  int code;
  std::string out, err;
};

// A folder that goes away again.
struct Place {
  std::filesystem::path path;
  explicit Place(const std::string& name = "test")
      : path(std::filesystem::temp_directory_path() / ("skyhook_" + name + "_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path);
  }
  ~Place() { std::filesystem::remove_all(path); }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

  void write(const std::string& name, const std::string& text) const { std::ofstream(path / name) << text; }
  std::string text(const std::string& name) const { return text_of(path / name); }

  // `mechanisms/` may be used as if it stood in the folder. `filter`: "| command" behind the program.
  Done run(const std::string& arguments, const std::string& filter = "") const {
    const std::string in =
        "cd " + path.string() + " && ln -sfn " SKYHOOK_SOURCE_DIR "/models/mechanisms mechanisms && ";
    const int status = std::system((in + SKYHOOK_APP " " + arguments + " >out 2>err" + filter).c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text("out"), text("err")};
  }
  // Whether what the last command printed is JSON and the Python expression on it, called d, holds.
  // NaN and Infinity, which Python reads but JSON has not, are refused.
  bool json(const std::string& condition) const {
    const std::string load = "d = json.load(open('out'), parse_constant=lambda x: 1/0)";
    const std::string command =
        "cd " + path.string() + " && /usr/bin/python3 -c \"import json; " + load + "; assert " + condition + "\"";
    return std::system(command.c_str()) == 0;
  }
};

}  // namespace skyhook::testing
