// What the user of a template gives, against what the template says of its parameters. What is wrong is told where he wrote it.
#pragma once
#include "skyhook/io/model_file/sections.h"

namespace skyhook::io::model_file {

class TemplateChecks {
 public:
  // `more`: the values under `parameters:`, beside those beside `template`. `own`: all of the part, evaluated.
  TemplateChecks(const Pending& part, const Node& more, const Parameters& own, Reading& reading)
      : part_(part), more_(more), own_(own), reading_(reading) {}

  // A value measures what the default in `known` does, which may be a formula of the others.
  void check_units(const Node& known) const;
  // The conditions of `require`, by what they say in words.
  void check_required(const Node& conditions) const;

 private:
  const Node* given_value(const std::string& name) const;
  void add(const Node* where, const std::string& what, const std::string& advice) const;

  const Pending& part_;
  const Node& more_;
  const Parameters& own_;
  Reading& reading_;
};

}  // namespace skyhook::io::model_file
