#include "skyhook/io/plot/cairo_library.h"

#include <dlfcn.h>

#include "skyhook/base/error.h"

namespace skyhook::io::plot {
namespace {

constexpr const char* file = "libcairo.so.2";

template <class Function>
void find(void* library, const char* name, Function*& to) {
  to = reinterpret_cast<Function*>(dlsym(library, name));
  if (!to)
    throw ModelError({}, std::string("PNG pictures need cairo, but ") + file + " here has no " + name + ".",
                     "Install a newer libcairo2, or write SVG.");
}

CairoLibrary load() {
  void* library = dlopen(file, RTLD_NOW | RTLD_LOCAL);  // stays to the end of the program
  if (!library)
    throw ModelError({}, std::string("PNG pictures need cairo, which cannot be loaded: ") + dlerror() + ".",
                     "Install libcairo2, or write SVG.");
  CairoLibrary found;
#define SKYHOOK_CALL(name) find(library, "cairo_" #name, found.name);
  SKYHOOK_CAIRO_CALLS(SKYHOOK_CALL)
#undef SKYHOOK_CALL
  return found;
}

}  // namespace

const CairoLibrary& cairo() {
  static const CairoLibrary library = load();
  return library;
}

}  // namespace skyhook::io::plot
