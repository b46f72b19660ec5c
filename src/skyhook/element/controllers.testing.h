// For tests of controllers: a law run by hand, sample by sample.
#pragma once
#include <doctest/doctest.h>

#include "skyhook/element/source.testing.h"

namespace skyhook::element::test {

// As a run does it: the memory lives here, the law is constant.
class SampledRun {
 public:
  template <class Element>
  explicit SampledRun(const Element& element) {
    TestSource source;
    element.add_to(source, model);
    REQUIRE(model.controllers.size() == 1);
    memory = controller().law->memory();
    outputs.resize(static_cast<std::size_t>(controller().outputs));
  }
  const model::Controller& controller() const { return model.controllers[0]; }
  const std::vector<double>& operator()(std::vector<double> inputs, double t = 0) {
    REQUIRE(inputs.size() == controller().inputs.size());
    controller().law->update(t, inputs, memory, outputs);
    return outputs;
  }

  model::Model model = two_bodies();
  std::vector<double> memory, outputs;
};

}  // namespace skyhook::element::test
