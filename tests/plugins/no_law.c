/* Without the function that counts. */
#include <skyhook/plugin.h>

int skyhook_plugin_version(void) { return SKYHOOK_PLUGIN_VERSION; }
