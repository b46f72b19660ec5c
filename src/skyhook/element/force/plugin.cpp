#include "skyhook/element/force/plugin.h"

#include <cmath>
#include <filesystem>

#include "skyhook/base/utf8.h"
#include "skyhook/element/finding.h"
#include "skyhook/element/plugin_law.h"

namespace skyhook::element {

// Nothing is loaded here: reading a model runs no code of others. See plugin_law.h.
void Plugin::add_to(model::FieldSource& source, model::Model& model) const {
  const Pair pair = place(source);
  if (std::abs(signs.x) != 1 || std::abs(signs.y) != 1 || std::abs(signs.z) != 1)
    fail(source, "signs", "signs are not all 1 or -1.", "Write for example [1, -1, 1] for a mirror across y.");
  model::Contribution added = begin_contribution(pair, source);
  added.wrench = std::make_shared<plugin::Law>(plugin::Wish{
      .library = library,
      .parameters = parameters,
      .signs = signs,
      .name = {printable(std::filesystem::path(library.name).filename().string()), printable(source.name())},
      .library_where = source.where("library"),
      .parameters_where = source.where("parameters")});
  model.contributions.push_back(std::move(added));
}

}  // namespace skyhook::element
