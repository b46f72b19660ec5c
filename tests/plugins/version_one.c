/* Of the first version, before unknowns: a function that happens to have the name of a newer one is not called. */
#include <skyhook/plugin.h>
#include <stdlib.h>

int skyhook_plugin_version(void) { return 1; }
const skyhook_unknown* skyhook_plugin_states(const void* instance) { (void)instance, abort(); }
int skyhook_plugin_evaluate(const void* instance, const skyhook_motion* m, skyhook_wrench* out, char* message) {
  (void)instance, (void)message;
  out->f[0] = -100 * m->r[0];
  return SKYHOOK_OK;
}
