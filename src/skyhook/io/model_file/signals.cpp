// The section `signals`: formulas of the motion that laws listen to.
#include "skyhook/io/model_file/field_reader.h"
#include "skyhook/io/model_file/output_formula.h"
#include "skyhook/io/model_file/sections.h"
#include "skyhook/model/signal_inputs.h"
#include "skyhook/model/signal_integral.h"

namespace skyhook::io::model_file {
namespace {

class SignalReader {
 public:
  SignalReader(Pending& thing, Reading& reading)
      : reading_(reading),
        thing_(thing),
        what_("signal \"" + thing.name + "\""),
        scalars_(reading.report, reading.parameters, thing.scope) {}

  void read() {
    if (thing_.scope.placement.sign != Vec3d{1, 1, 1})
      reading_.warn("not_mirrored", reading_.report.at(thing_.key),
                    what_ + " stands in a mirrored part, but its formula is not mirrored.",
                    "See that what it reads and moves is the same on both sides, or give it the sign as a parameter.");
    if (thing_.value.is_text()) return add_formula(thing_.name, thing_.value, what_);
    if (!thing_.value.is_map())
      return reading_.report.add(thing_.key,
                                 what_ + " should be a formula or a map, but is " + kind_name(thing_.value) + ".",
                                 "Write \"=200[N/m]*slide.displacement\", or {rate: =formula, unit: rad}.");
    SignalFields given;
    FieldReader reader(reading_, thing_.value, what_, thing_.name, thing_.key, thing_.scope);
    read_described(reader, given);
    if ((given.formula.node != nullptr) == (given.rate.node != nullptr))
      return reading_.report.add(thing_.key,
                                 what_ + (given.rate.node ? " has both a formula and a rate." : " has no formula."),
                                 "Give either `formula`, its value, or `rate`, what it changes by in a second.");
    if (given.rate.node && given.limit.node)
      return reading_.report.add(reader.where("limit"), what_ + " has `limit`, but is given by its rate.",
                                 "Let another signal be the limited one.");
    if (given.rate.node) return add_rate(given, reader);
    for (const char* field : {"start", "unit", "nominal"}) {
      if (find(thing_.value, field))
        reading_.report.add(reader.where(field), what_ + " has `" + field + "`, but no `rate`.",
                            "Remove it: the formula says all.");
    }
    given.limit.node ? add_limited(given) : add_formula(thing_.name, *given.formula.node, what_);
  }

 private:
  void add_formula(const std::string& name, Node& node, const std::string& what) {
    if (!node.is_text() || !is_expression(node.text))
      return reading_.report.add(
          node, what + " is " + (node.is_text() ? "\"" + node.text + "\"" : kind_name(node)) + ", which is no formula.",
          "Write \"=200[N/m]*slide.displacement\", of channels, parameters and t.");
    const auto is_off = [&](const std::string& channel) {
      const Reading::Off* off = reading_.switched_off(channel);
      if (off)
        reading_.report.add(node, what + ": it reads \"" + channel + "\", which is switched off" + off->reason() + ".",
                            "Switch it on, or give the signal an `if` as well.");
      return off != nullptr;
    };
    const auto global = global_formula(node, thing_.scope, reading_, what, is_off);
    if (!global) throw Report::Known{};
    model::ContinuousSignal& signal = reading_.model.continuous.emplace_back();
    signal.name = name;
    signal.where = place_of(node, *global, reading_);
    signal.text = global->substr(1);
    node.text = *global;
  }

  // What is asked for is a signal of its own, so that a run can tell where it is cut.
  void add_limited(const SignalFields& given) {
    const auto limit = scalars_.value(*given.limit.node, {what_ + ": limit"});
    if (!limit) throw Report::Known{};
    if (!(limit->value > 0))
      return reading_.report.add(*given.limit.node, what_ + ": limit is not above 0.", "Give the largest size.");
    const std::string asked = thing_.name + ".asked", size = literal(*limit);
    add_formula(asked, *given.formula.node, what_);
    *given.limit.node = text_node("=" + size, *given.limit.node);
    model::ContinuousSignal& signal = reading_.model.continuous.emplace_back();  // behind it: simulation/table_watch
    signal.name = thing_.name, signal.where = reading_.report.at(thing_.key);
    signal.text = "clamp(" + asked + ", -" + size + ", " + size + ")";
  }

  // The signal is a state: an element without force that listens to its rate.
  void add_rate(const SignalFields& given, const FieldReader& reader) {
    const std::string rate = thing_.name + ".rate";
    const Unit unit = given.unit == "-" ? Unit{} : parse_unit(given.unit, reader.where("unit"));
    if (unit.factor != 1.0)
      return reading_.report.add(reader.where("unit"),
                                 what_ + ": unit is \"" + given.unit + "\", but signals are in SI units.",
                                 "Write " + to_string(unit.dimension) + ".");
    double start = 0;
    if (given.start.node) {
      const auto value = scalars_.number(*given.start.node, {what_ + ": start", given.unit.c_str()});
      if (!value) throw Report::Known{};
      start = *value;
    }
    if (reader.has_failed()) throw Report::Known{};
    add_formula(rate, *given.rate.node, what_ + ": rate");
    model::Model& model = reading_.model;
    const Dimension per_second = unit.dimension / Dimension::of(0, 0, 1);
    model.continuous.back().needs.push_back({to_string(per_second), thing_.name, model.continuous.back().where});
    model::Contribution state;
    state.name = thing_.name, state.type = "signal", state.where = reading_.report.at(thing_.key);
    state.inner = std::make_shared<model::SignalIntegral>(given.unit, given.nominal, start);
    state.signal = {static_cast<int>(model.continuous.size()) - 1, true};
    model.contributions.push_back(std::move(state));
    model::ContinuousSignal& signal = model.continuous.emplace_back();
    signal.name = thing_.name, signal.where = reading_.report.at(thing_.key);
    signal.text = thing_.name + "." + model::SignalIntegral::state_name;
  }

  Reading& reading_;
  Pending& thing_;
  std::string what_;
  ScalarReader scalars_;
};

}  // namespace

Node read_signals(std::vector<Level>& levels, Reading& reading) {
  auto things = things_of(levels, "signal", reading);
  for (Pending& thing : things) {
    try {
      SignalReader(thing, reading).read();
    } catch (const Report::Known&) {
      reading.failed.insert(thing.name);
    } catch (const ModelError& error) {
      reading.report.add(error);
      reading.failed.insert(thing.name);
    }
  }
  return as_section(std::move(things), {});
}

void finish_signals(Reading& reading) {
  if (reading.report.size() > 0) return;  // what is wrong may only follow from that
  try {
    model::resolve_signals(reading.model);
  } catch (const ModelError& error) {
    reading.report.add(error);
  }
}

}  // namespace skyhook::io::model_file
