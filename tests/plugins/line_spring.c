/* The law of spring_damper between two points, for comparison: with create, destroy and energy. */
#include <math.h>
#include <skyhook/plugin.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Spring {
  double stiffness, damping, free_length;
} Spring;

static const skyhook_parameter parameters[] = {{"stiffness", "N/m", NAN, "linear rate", 0, 1e12},
                                               {"damping", "N.s/m", 0, "viscous rate", 0, 1e12},
                                               {"free_length", "m", NAN, "length without force", 0, 0},
                                               {0}};

int skyhook_plugin_version(void) { return SKYHOOK_PLUGIN_VERSION; }
const skyhook_parameter* skyhook_plugin_parameters(void) { return parameters; }

int skyhook_plugin_create(const double* values, void** instance, char* message) {
  if (values[2] < 0) {
    snprintf(message, SKYHOOK_MESSAGE_SIZE, "a free length of %g m is below zero", values[2]);
    return SKYHOOK_FAIL;
  }
  Spring* spring = malloc(sizeof *spring);
  if (!spring) return SKYHOOK_FAIL;
  *spring = (Spring){values[0], values[1], values[2]};
  *instance = spring;
  return SKYHOOK_OK;
}

void skyhook_plugin_destroy(void* instance) { free(instance); }

static double length(const double a[3]) { return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }

int skyhook_plugin_evaluate(const void* instance, const skyhook_motion* m, skyhook_wrench* out, char* message) {
  const Spring* s = instance;
  const double l = length(m->r);
  (void)message;
  if (l == 0) return SKYHOOK_OK;
  const double rate = (m->r[0] * m->v[0] + m->r[1] * m->v[1] + m->r[2] * m->v[2]) / l;
  const double pull = s->stiffness * (l - s->free_length) + s->damping * rate;
  for (int i = 0; i < 3; ++i) out->f[i] = -pull * m->r[i] / l;
  return SKYHOOK_OK;
}

double skyhook_plugin_energy(const void* instance, const skyhook_motion* m) {
  const Spring* s = instance;
  const double d = length(m->r) - s->free_length;
  return 0.5 * s->stiffness * d * d;
}
