#include "skyhook/simulation/channels.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "model_commands.h"
#include "skyhook/base/table.h"
#include "skyhook/base/utf8.h"
#include "skyhook/element/plugin_law.h"
#include "skyhook/formalism/topology.h"

namespace skyhook::app {
namespace {

bool is_wanted(const std::string& name, const std::vector<std::string>& patterns) {
  return patterns.empty() || std::ranges::any_of(patterns, [&](const std::string& p) { return matches(p, name); });
}

void refuse_unknown(const std::vector<std::string>& patterns, const std::vector<simulation::Channel>& all) {
  Findings findings;
  for (const std::string& pattern : patterns) {
    const auto fits = [&](const auto& channel) { return matches(pattern, channel.name); };
    if (std::ranges::none_of(all, fits))
      findings.add({"command line"}, "\"" + shortened(pattern, 80) + "\" matches no channel.",
                   simulation::advice_on_channel(pattern, all));
  }
  findings.throw_if_any();
}

}  // namespace

// Of the equations as they stand, plug-ins loaded, which may have channels of their own: neither initial values nor the rank of the constraints are looked for.
int channels(const ChannelsCommand& options) {
  model::Experiment experiment;
  const auto m =
      element::plugin::load_plugins(std::make_shared<const model::Model>(load(options, "simulate", experiment)));
  const simulation::Equations equations(m, formalism::choose_tree(*m, experiment.independent));
  const auto all = simulation::all_channels(equations);
  refuse_unknown(options.patterns, all);
  Table table;
  for (const char* column : {"channel", "unit", "meaning"}) table.add_column(column);
  for (const auto& c : all) {
    if (is_wanted(c.name, options.patterns)) table.add_row({c.name, c.unit, std::string(c.meaning)});
  }
  print_warnings(m->warnings);
  fmt::print("{}", options.json ? table.to_json() + "\n" : table.to_text());
  return success;
}

}  // namespace skyhook::app
