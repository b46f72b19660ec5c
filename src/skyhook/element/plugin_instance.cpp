#include "skyhook/element/plugin_instance.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace skyhook::element::plugin {
namespace {

// Channels that every such element has.
bool is_taken(const std::string& name) {
  constexpr std::array taken{"fx",      "fy",      "fz",      "mx",       "my",       "mz",      "force",
                             "force_x", "force_y", "force_z", "moment_x", "moment_y", "moment_z"};
  return std::ranges::find(taken, name) != taken.end();
}

const char* const advice = "Correct it in the source of the plug-in.";

model::InnerState read_unknown(const skyhook_unknown& given, const std::string& what, const Location& where) {
  model::InnerState u{given.name, given.unit ? given.unit : "-", given.nominal, given.start};
  const std::string it = fmt::format("{}declares the unknown \"{}\"", what, u.name);
  if (!is_name(u.name)) throw ModelError(where, it + ", which is no name: letters, digits and _ are allowed.", advice);
  if (is_taken(u.name)) throw ModelError(where, it + ", but a channel of the element has that name.", advice);
  try {
    const Unit unit = parse_unit(u.unit);
    if (unit.factor != 1) u.unit = to_string(unit.dimension);
  } catch (const ModelError& error) {
    throw ModelError(where, fmt::format("{} in \"{}\": {}", it, u.unit, error.findings().at(0).what), advice);
  }
  if (!(u.nominal > 0) || !std::isfinite(u.nominal))
    throw ModelError(where, fmt::format("{} with the usual size {}, which is not above zero.", it, u.nominal), advice);
  if (!std::isfinite(u.start))
    throw ModelError(where, fmt::format("{} with the start {}, which is no number.", it, u.start), advice);
  return u;
}

}  // namespace

Instance::Instance(std::shared_ptr<const Library> from, std::vector<double> given, const Name& called,
                   const Location& where)
    : library(std::move(from)), values(std::move(given)), name(called) {
  const std::string what = fmt::format("\"{}\": the plug-in \"{}\" ", name.element, name.library);
  create(what, where);
  try {
    read_unknowns(what, where);
  } catch (...) {  // there is no destructor for what is not made
    destroy();
    throw;
  }
}

void Instance::create(const std::string& what, const Location& where) {
  if (!library->create) return;
  char message[SKYHOOK_MESSAGE_SIZE] = "";
  int code = SKYHOOK_FAIL;
  const char* const ask = "Correct the parameters, or ask the author of the plug-in.";
  try {
    const Call call(name);
    code = library->create(values.data(), &made_, message);
  } catch (const std::exception& error) {
    throw ModelError(where, what + "threw an exception when it was created: " + error.what() + ".", ask);
  } catch (...) {
    throw ModelError(where, what + "threw an exception when it was created.", ask);
  }
  if (code == SKYHOOK_OK) return;
  const std::string said = text_in(message);
  throw ModelError(where, what + "refused to start: " + (said.empty() ? fmt::format("code {}", code) : said) + ".",
                   ask);
}

void Instance::read_unknowns(const std::string& what, const Location& where) {
  const Call call(name);
  const auto read = [&](const skyhook_unknown* next, const char* noun, std::vector<model::InnerState>& list) {
    for (; next && next->name; ++next) {
      if (list.size() == most_unknowns)
        throw ModelError(where, fmt::format("{}declares more than {} {}.", what, most_unknowns, noun),
                         "End the list by one without name: {0}.");
      const model::InnerState u = read_unknown(*next, what, where);
      if (std::ranges::count(states, u.name, &model::InnerState::name) +
              std::ranges::count(algebraic, u.name, &model::InnerState::name) >
          0)
        throw ModelError(where, fmt::format("{}declares the unknown \"{}\" twice.", what, u.name),
                         "Rename one in the source of the plug-in.");
      list.push_back(u);
    }
  };
  const auto ask = [&](auto* list_of) -> const skyhook_unknown* {
    try {
      return list_of ? list_of(get()) : nullptr;
    } catch (...) {
      throw ModelError(where, what + "threw an exception when it was asked for its unknowns.", advice);
    }
  };
  read(ask(library->states), "inner states", states);
  read(ask(library->algebraic), "algebraic unknowns", algebraic);
}

Instance::~Instance() { destroy(); }

void Instance::destroy() {
  if (!library->create || !library->destroy) return;
  try {
    const Call call(name);
    library->destroy(made_);
  } catch (...) {  // a destructor has nobody to tell
  }
}

}  // namespace skyhook::element::plugin
