/* An air spring with a damper, as a plug-in: the force law of 07_plugin.yaml.
 *
 *   cc -O2 -shared -fPIC -I ../../include 07_plugin.c -o 07_plugin.so -lm
 *
 * The gas is a column of height h = |r| that pushes the ends apart: F = A (p0 (h0/h)^n - p_air) - c dh/dt.
 */
#include <math.h>
#include <skyhook/plugin.h>
#include <stdio.h>

enum { pressure, area, height, exponent, damping };

static const skyhook_parameter parameters[] = {
    [pressure] = {"pressure", "Pa", NAN, "absolute pressure at that height", 1e4, 1e8},
    [area] = {"area", "m^2", NAN, "of the piston", 1e-6, 10},
    [height] = {"height", "m", NAN, "of the gas column at that pressure", 1e-3, 10},
    [exponent] = {"exponent", "-", 1.4, "1 for slow, 1.4 for fast changes", 1.001, 2},
    [damping] = {"damping", "N.s/m", 0, "of the damper beside it", 0, 1e9},
    {0}};

static const double air = 101325; /* Pa */

int skyhook_plugin_version(void) { return SKYHOOK_PLUGIN_VERSION; }

const skyhook_parameter* skyhook_plugin_parameters(void) { return parameters; }

static double length(const double a[3]) { return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }

/* There is no skyhook_plugin_create: the instance is the list of values. */
int skyhook_plugin_evaluate(const void* instance, const skyhook_motion* m, skyhook_wrench* out, char* message) {
  const double* p = instance;
  const double h = length(m->r);
  if (h < 0.05 * p[height]) {
    snprintf(message, SKYHOOK_MESSAGE_SIZE, "the air spring is pressed flat, to %g mm", 1e3 * h);
    return SKYHOOK_RETRY;
  }
  const double rate = (m->r[0] * m->v[0] + m->r[1] * m->v[1] + m->r[2] * m->v[2]) / h;
  const double push = p[area] * (p[pressure] * pow(p[height] / h, p[exponent]) - air) - p[damping] * rate;
  for (int i = 0; i < 3; ++i) out->f[i] = push * m->r[i] / h;
  return SKYHOOK_OK;
}

/* Of the gas, and of the air that it pushes away: -dU/dh is the force without the damper. */
double skyhook_plugin_energy(const void* instance, const skyhook_motion* m) {
  const double* p = instance;
  const double h = length(m->r), n = p[exponent];
  return p[area] * (p[pressure] * p[height] * pow(p[height] / h, n - 1) / (n - 1) + air * h);
}
