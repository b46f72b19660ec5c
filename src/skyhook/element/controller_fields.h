// What all sampled controllers share: their times, and the signals they hold.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "skyhook/model/field_source.h"

namespace skyhook::element {

// Shorter ones would not end, and in the end not tell one time from the next.
constexpr double shortest_sample_time = 1e-9;

struct ControllerFields {
  double sample_time = 0, offset = 0, delay = 0;
  bool starts = true;
  std::vector<double> initial;

  static constexpr auto fields = describe(
      field(&ControllerFields::sample_time, "sample_time", "s", at_least(shortest_sample_time),
            "time from one sample to the next: it reads at offset + k sample_time")
          .required(),
      field(&ControllerFields::offset, "offset", "s", any(), "time of the first sample"),
      field(&ControllerFields::delay, "delay", "s", at_least(0.0), "from a sample to the output that it gives"),
      field(&ControllerFields::starts, "starts", "-", any(), "on or off at the start; events may switch it"),
      field(&ControllerFields::initial, "initial", model::any_unit, any(),
            "what the outputs hold until the first one comes, and while it is off; default 0"));
};

// The unit of outputs that no formula tells; as text of the file.
struct OutputUnitField {
  std::string unit = "-";

  static constexpr auto fields = describe(field(&OutputUnitField::unit, "unit", "-", any(),
                                                "of the outputs, such as N; default: not said and not checked"));
};

struct SignalNames {
  std::vector<std::string> names;  // of the outputs; a single one has the name of the controller
  std::string unit = "-";
};

// As the file has it where that is SI: "N.s/m" rather than "kg/s". Signals are. ModelError where it is none.
std::string signal_unit(const std::string& unit, const model::FieldSource& source);

// Adds the controller and its signals. ModelError where `initial` has not one number or one for each output, or the unit is
// none.
void add_controller(const ControllerFields& fields, std::vector<model::Output> inputs, const SignalNames& outputs,
                    std::shared_ptr<const model::SampledLaw> law, const model::FieldSource& source,
                    model::Model& model);

// A law that listens takes signals whose unit is not said, or the one that it needs; otherwise ModelError at the field
// `signal`. That of a continuous signal is known when all that it may read has been read: what it needs is noted there.
void check_unit(const model::SignalRef& signal, const char* needed, const model::FieldSource& source,
                model::Model& model);

// Variables of a law stand on the stack: nothing is allocated while it is updated.
constexpr std::size_t most_variables = 64;

}  // namespace skyhook::element
