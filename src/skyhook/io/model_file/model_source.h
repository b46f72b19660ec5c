// A model file that is read again and again with other settings, as by sweeps and events: what it and its includes hold is kept from the second
// time on that it is asked for.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "skyhook/io/model_file/model_reader.h"

namespace skyhook::io {

// Copies share what they know, and may be used by several threads.
class ModelSource {
 public:
  ModelSource();
  // As read_model(). What was parsed is used again where `options.open` gives the same bytes for each of the files.
  model::Model read(const std::string& path, const std::vector<Setting>& settings = {},
                    const std::string& experiment = "", ReadOptions options = {}) const;
  // The name of the first experiment that says it has this analysis, or says none where it is "simulate". Empty: there is none, or the
  // file has faults, which read() tells.
  std::string first_experiment(const std::string& path, const std::string& analysis, ReadOptions options = {}) const;

 private:
  struct Known;
  std::shared_ptr<Known> known_;
};

}  // namespace skyhook::io
