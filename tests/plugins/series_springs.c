/* Two springs in series along x: the point between them is an algebraic unknown, k1 (x - middle) = k2 middle. With cubic > 0 the first is
   k1 d + cubic d^3, so that the equation is not linear. */
#include <math.h>
#include <skyhook/plugin.h>

static const skyhook_parameter parameters[] = {{"first", "N/m", NAN, "", 0, 1e12},
                                               {"second", "N/m", NAN, "", 0, 1e12},
                                               {"cubic", "N/m^3", 0, "", 0, 1e12},
                                               {0}};
static const skyhook_unknown middle[] = {{"middle", "mm", 0.1, 0}, {0}};

int skyhook_plugin_version(void) { return SKYHOOK_PLUGIN_VERSION; }
const skyhook_parameter* skyhook_plugin_parameters(void) { return parameters; }
const skyhook_unknown* skyhook_plugin_algebraic(const void* instance) { return (void)instance, middle; }

int skyhook_plugin_loads(const void* instance, const skyhook_motion* m, const double* c, const double* w,
                         skyhook_wrench* out, double* rates, double* b, char* message) {
  const double* p = instance;
  const double d = m->r[0] - w[0];
  (void)c, (void)rates, (void)message;
  b[0] = p[0] * d + p[2] * d * d * d - p[1] * w[0];
  out->f[0] = -p[1] * w[0];
  return SKYHOOK_OK;
}

double skyhook_plugin_stored_energy(const void* instance, const skyhook_motion* m, const double* c, const double* w) {
  const double* p = instance;
  const double d = m->r[0] - w[0];
  return (void)c, 0.5 * p[0] * d * d + 0.25 * p[2] * d * d * d * d + 0.5 * p[1] * w[0] * w[0];
}
