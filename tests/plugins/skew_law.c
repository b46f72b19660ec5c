/* A law without any symmetry that uses all that it is told, smooth and with known derivatives. The instance is the list of
   values: there is no create. */
#include <math.h>
#include <skyhook/plugin.h>

static const skyhook_parameter parameters[] = {{"scale", "N", 1, "of all of it", 0, 0}, {0}};

int skyhook_plugin_version(void) { return SKYHOOK_PLUGIN_VERSION; }
const skyhook_parameter* skyhook_plugin_parameters(void) { return parameters; }

int skyhook_plugin_evaluate(const void* instance, const skyhook_motion* m, skyhook_wrench* out, char* message) {
  const double s = *(const double*)instance;
  (void)message;
  out->f[0] = s * (3 - 2 * m->r[1] + m->w[2]);
  out->f[1] = s * (m->v[2] * m->r[0] - 2 + sin(m->t));
  out->f[2] = s * (1 + m->r[0] * m->r[1] - 0.5 * m->v[2]);
  out->n[0] = s * (0.1 + 0.2 * m->w[1] - m->R[2][1]);
  out->n[1] = s * (m->R[0][2] * m->r[1] - 0.1 * m->w[1]);
  out->n[2] = s * (-0.1 * m->w[0] * m->w[2] + m->R[1][0]);
  return SKYHOOK_OK;
}
