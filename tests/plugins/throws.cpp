// C++ that lets an exception out through the C interface.
#include <skyhook/plugin.h>

#include <stdexcept>

int skyhook_plugin_version(void) { return SKYHOOK_PLUGIN_VERSION; }

int skyhook_plugin_evaluate(const void*, const skyhook_motion* motion, skyhook_wrench*, char*) {
  if (motion->t > 0.1) throw std::runtime_error("vector is empty");
  return SKYHOOK_OK;
}
