/* An air spring with a side chamber, as a plug-in with unknowns of its own: the force law of 11_plugin_unknowns.yaml.
 *
 *   cc -O2 -shared -fPIC -I ../../include 11_plugin_unknowns.c -o 11_plugin_unknowns.so -lm
 *
 * Gas at constant temperature flows between the spring, a column of height h = |r|, and a chamber of constant volume V. Amounts of
 * gas are told as pressure times volume (J), their flow in W.
 *
 *   inner state         taken   gas that the chamber has taken:   taken' = flow
 *   algebraic unknown   flow    through the orifice:              0 = p - p_chamber - linear flow - turbulent flow |flow|
 *   force                       p A h = p0 A h0 - taken,  p_chamber = p0 + taken / V,  F = A (p - p_air)
 */
#include <math.h>
#include <skyhook/plugin.h>
#include <stdio.h>

enum { pressure, area, height, volume, linear, turbulent };

static const skyhook_parameter parameters[] = {
    [pressure] = {"pressure", "Pa", NAN, "absolute pressure at that height, in both", 1e4, 1e8},
    [area] = {"area", "m^2", NAN, "of the piston", 1e-6, 10},
    [height] = {"height", "m", NAN, "of the gas column at that pressure", 1e-3, 10},
    [volume] = {"volume", "m^3", NAN, "of the side chamber", 1e-9, 10},
    [linear] = {"linear", "Pa/W", NAN, "pressure lost in the orifice, of the flow", 1e-6, 1e12},
    [turbulent] = {"turbulent", "Pa/W^2", 0, "the same, of its square", 0, 1e12},
    {0}};

/* name, unit, usual size, start. An algebraic unknown starts where the search for it begins. */
static const skyhook_unknown states[] = {{"taken", "J", 100, 0}, {0}};
static const skyhook_unknown algebraic[] = {{"flow", "W", 100, 0}, {0}};

static const double air = 101325; /* Pa */

int skyhook_plugin_version(void) { return SKYHOOK_PLUGIN_VERSION; }
const skyhook_parameter* skyhook_plugin_parameters(void) { return parameters; }
const skyhook_unknown* skyhook_plugin_states(const void* instance) { return (void)instance, states; }
const skyhook_unknown* skyhook_plugin_algebraic(const void* instance) { return (void)instance, algebraic; }

static double length(const double a[3]) { return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }

/* Of the gas in the spring and in the chamber, which have `taken` between them. */
static double pressure_in_spring(const double* p, double h, double taken) {
  return (p[pressure] * p[area] * p[height] - taken) / (p[area] * h);
}
static double pressure_in_chamber(const double* p, double taken) { return p[pressure] + taken / p[volume]; }

/* Every rate and every b must be written: they are not numbers before. */
int skyhook_plugin_loads(const void* instance, const skyhook_motion* m, const double* c, const double* w,
                         skyhook_wrench* out, double* rates, double* b, char* message) {
  const double* p = instance;
  const double h = length(m->r), taken = c[0], flow = w[0];
  if (h < 0.05 * p[height]) {
    snprintf(message, SKYHOOK_MESSAGE_SIZE, "the air spring is pressed flat, to %g mm", 1e3 * h);
    return SKYHOOK_RETRY;
  }
  const double inside = pressure_in_spring(p, h, taken);
  rates[0] = flow;
  b[0] = inside - pressure_in_chamber(p, taken) - p[linear] * flow - p[turbulent] * flow * fabs(flow);
  for (int i = 0; i < 3; ++i) out->f[i] = p[area] * (inside - air) * m->r[i] / h;
  return SKYHOOK_OK;
}

/* The free energy of both amounts of gas, pV log p, and of the air that the piston pushes away. What the orifice takes is lost. */
double skyhook_plugin_stored_energy(const void* instance, const skyhook_motion* m, const double* c, const double* w) {
  const double* p = instance;
  const double h = length(m->r), inside = pressure_in_spring(p, h, c[0]), chamber = pressure_in_chamber(p, c[0]);
  (void)w;
  return p[area] * h * inside * log(inside / p[pressure]) + p[volume] * chamber * log(chamber / p[pressure]) +
         air * p[area] * h;
}
