#include <skyhook/plugin.h>
#include <stdlib.h>

__attribute__((destructor)) static void stumble(void) { abort(); }
int skyhook_plugin_version(void) { return SKYHOOK_PLUGIN_VERSION; }
int skyhook_plugin_evaluate(const void* i, const skyhook_motion* m, skyhook_wrench* w, char* text) {
  return (void)i, (void)m, (void)w, (void)text, SKYHOOK_OK;
}
