#include "quantity_option.h"

#include <fmt/format.h>

#include "skyhook/base/units.h"

namespace skyhook::app {

double quantity_option(const std::string& option, const std::string& text, const std::string& unit) {
  const Location where{"command line"};
  const std::string advice = fmt::format("Write a number in {}, or with its unit: {} \"{}\".", unit, option,
                                         unit == "s" ? "2 min" : "2 k" + unit);
  Quantity quantity;
  try {
    quantity = parse_quantity(text);
  } catch (const ModelError& error) {
    const Finding& f = error.findings().front();
    throw ModelError(where, fmt::format("{} is \"{}\": {}", option, text, f.what),
                     (f.advice.starts_with("Did you mean") ? f.advice + " " : "") + advice);
  }
  const Dimension needed = parse_unit(unit).dimension;
  if (quantity.unit && quantity.unit->dimension != needed)
    throw ModelError(where,
                     fmt::format("{} is \"{}\", a quantity in {}, but needs {}.", option, text,
                                 to_string(quantity.unit->dimension), unit),
                     advice);
  return quantity.si();
}

}  // namespace skyhook::app
