/* The law of `maxwell` between two points, with its damper's length as inner state, for comparison. */
#include <math.h>
#include <skyhook/plugin.h>

enum { stiffness, damping, parallel, free_length };

static const skyhook_parameter parameters[] = {{"stiffness", "N/m", NAN, "of the spring in series", 0, 1e12},
                                               {"damping", "N.s/m", NAN, "of the damper", 1e-9, 1e12},
                                               {"parallel", "N/m", 0, "of the spring beside", 0, 1e12},
                                               {"free_length", "m", NAN, "length without force", 0, 1e3},
                                               {0}};
static const skyhook_unknown states[] = {{"damper_length", "m", 1, 0}, {0}};

int skyhook_plugin_version(void) { return SKYHOOK_PLUGIN_VERSION; }
const skyhook_parameter* skyhook_plugin_parameters(void) { return parameters; }
const skyhook_unknown* skyhook_plugin_states(const void* instance) { return (void)instance, states; }

static double length(const double a[3]) { return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }

int skyhook_plugin_loads(const void* instance, const skyhook_motion* m, const double* c, const double* w,
                         skyhook_wrench* out, double* rates, double* b, char* message) {
  const double* p = instance;
  const double l = length(m->r), d = l - p[free_length], branch = p[stiffness] * (d - c[0]);
  (void)w, (void)b, (void)message;
  rates[0] = branch / p[damping];
  for (int i = 0; i < 3; ++i) out->f[i] = -(branch + p[parallel] * d) * m->r[i] / l;
  return SKYHOOK_OK;
}

double skyhook_plugin_stored_energy(const void* instance, const skyhook_motion* m, const double* c, const double* w) {
  const double* p = instance;
  const double d = length(m->r) - p[free_length], spring = d - c[0];
  return (void)w, 0.5 * (p[stiffness] * spring * spring + p[parallel] * d * d);
}
