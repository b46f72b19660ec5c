/* Declares a state, but no law that gives its rate. */
#include <skyhook/plugin.h>

static const skyhook_unknown states[] = {{"x", "m", 1, 0}, {0}};

int skyhook_plugin_version(void) { return SKYHOOK_PLUGIN_VERSION; }
const skyhook_unknown* skyhook_plugin_states(const void* instance) { return (void)instance, states; }
int skyhook_plugin_evaluate(const void* instance, const skyhook_motion* m, skyhook_wrench* out, char* message) {
  return (void)instance, (void)m, (void)out, (void)message, SKYHOOK_OK;
}
