// The pages of the reference as Markdown: an element's own page and the table of its fields.
#pragma once
#include <string>

#include "skyhook/io/schema/described.h"

namespace skyhook::app {

// Headings start at `level`: 1 for a page of its own.
std::string reference_page(const io::Thing& thing, int level);

}  // namespace skyhook::app
