/* Describes a parameter in a unit that nobody knows. */
#include <skyhook/plugin.h>

static const skyhook_parameter parameters[] = {{"stiffness", "furlong", 1, "", 0, 0}, {0}};

int skyhook_plugin_version(void) { return SKYHOOK_PLUGIN_VERSION; }
const skyhook_parameter* skyhook_plugin_parameters(void) { return parameters; }
int skyhook_plugin_evaluate(const void* instance, const skyhook_motion* m, skyhook_wrench* out, char* message) {
  (void)instance, (void)m, (void)out, (void)message;
  return SKYHOOK_OK;
}
