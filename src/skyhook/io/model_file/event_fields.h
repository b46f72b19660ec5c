// The described fields of the events of the user.
#pragma once
#include "skyhook/io/model_file/fields.h"

namespace skyhook::io::model_file {

struct EventFields {
  Part inputs, when, actions;
  std::string direction = "both";
  std::optional<double> at, every;

  static constexpr auto fields = describe(
      field(&EventFields::inputs, "inputs", "-", any(), "variables of the formulas: name: channel; t is the time"),
      field(&EventFields::when, "when", "-", any(),
            "=formula of the inputs: the event is where it crosses zero. All values are in SI units"),
      field(&EventFields::direction, "direction", "-", any(), "which crossings count: upwards, downwards or all")
          .one_of("rising falling both"),
      field(&EventFields::at, "at", "s", any(), "time of the event, instead of `when`"),
      field(&EventFields::every, "every", "s", at_least(1e-9), "time to the next one, again and again; default: once"),
      field(&EventFields::actions, "do", "-", any(), "what happens: a list of actions, or one").required());
};

// An item of `do`; the word `stop` may stand alone.
struct ActionFields {
  Part set, state, stop, switch_on, switch_off;

  static constexpr auto fields = describe(
      field(&ActionFields::set, "set", "-", any(), "parameters of the model changed from here on: name: value"),
      field(&ActionFields::state, "state", "-", any(),
            "states set: joint.coordinate, joint.coordinate_rate or element.state: =formula of the inputs"),
      field(&ActionFields::stop, "stop", "-", any(), "the run ends here"),
      field(&ActionFields::switch_on, "switch_on", "-", any(), "a controller samples from here on"),
      field(&ActionFields::switch_off, "switch_off", "-", any(), "a controller no longer samples, its outputs stay"));
};

}  // namespace skyhook::io::model_file
