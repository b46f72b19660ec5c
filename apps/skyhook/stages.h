// What is being done before anything can be said of it, on standard error: on a terminal one line that goes away again, elsewhere a line for what took longer than a second.
#pragma once
#include <string>

#include "skyhook/base/progress.h"

namespace skyhook::app {

class Stages {
 public:
  explicit Stages(bool quiet);
  Stages(const Stages&) = delete;
  Stages& operator=(const Stages&) = delete;
  ~Stages() { done(); }
  void say(const std::string& text);
  void done();

 private:
  Progress::Style style_;
  Progress::Clock clock_;
  std::string now_;
  double begun_ = 0;
};

}  // namespace skyhook::app
