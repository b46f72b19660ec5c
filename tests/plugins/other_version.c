/* Written for an interface that this program does not have. */
#include <skyhook/plugin.h>

int skyhook_plugin_version(void) { return SKYHOOK_PLUGIN_VERSION + 1; }
