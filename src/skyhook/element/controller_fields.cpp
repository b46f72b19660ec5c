#include "skyhook/element/controller_fields.h"

#include "skyhook/element/finding.h"

namespace skyhook::element {
namespace {

constexpr double most_on_their_way = 1e6;

void check(const ControllerFields& fields, const SignalNames& outputs, const model::FieldSource& source) {
  const std::size_t given = fields.initial.size(), needed = outputs.names.size();
  if (given > 1 && given != needed) {
    fail(source, "initial",
         "initial has " + std::to_string(given) + " numbers for " + std::to_string(needed) +
             (needed == 1 ? " output." : " outputs."),
         "Give one number for all of them, or a list with one for each.");
  }
  if (fields.delay > most_on_their_way * fields.sample_time) {
    fail(source, "delay", "delay is more than a million sample times.", "Give it a shorter delay.");
  }
}

}  // namespace

std::string signal_unit(const std::string& given, const model::FieldSource& source) {
  if (given == "-") return given;
  const Unit unit = parse_unit(given, source.where("unit"));
  return unit.factor == 1.0 ? given : to_string(unit.dimension);
}

void add_controller(const ControllerFields& fields, std::vector<model::Output> inputs, const SignalNames& outputs,
                    std::shared_ptr<const model::SampledLaw> law, const model::FieldSource& source,
                    model::Model& model) {
  check(fields, outputs, source);
  const std::string unit = signal_unit(outputs.unit, source);
  model::Controller controller;
  controller.name = source.name();
  controller.where = source.where("");
  controller.sample_time = fields.sample_time;
  controller.offset = fields.offset;
  controller.delay = fields.delay;
  controller.starts_on = fields.starts;
  controller.inputs = std::move(inputs);
  controller.first_signal = static_cast<int>(model.signals.size());
  controller.outputs = static_cast<int>(outputs.names.size());
  controller.law = std::move(law);
  for (std::size_t k = 0; k < outputs.names.size(); ++k) {
    const double start = fields.initial.empty() ? 0 : fields.initial[fields.initial.size() == 1 ? 0 : k];
    const std::string end = outputs.names.size() == 1 ? "" : "." + outputs.names[k];
    model.signals.push_back({controller.name + end, unit, start});
  }
  model.controllers.push_back(std::move(controller));
}

void check_unit(const model::SignalRef& signal, const char* needed, const model::FieldSource& source,
                model::Model& model) {
  if (signal.is_continuous) {
    model.continuous[static_cast<std::size_t>(signal.index)].needs.push_back(
        {needed, source.name(), source.where("signal")});
    return;
  }
  const model::Signal& s = model.signals[static_cast<std::size_t>(signal.index)];
  if (s.unit == "-" || parse_unit(s.unit).dimension == parse_unit(needed).dimension) return;
  fail(source, "signal", "signal \"" + s.name + "\" is in " + s.unit + ", but " + needed + " is needed.",
       "Listen to another signal, or correct the `unit` of the controller.");
}

}  // namespace skyhook::element
