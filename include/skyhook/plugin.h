/* Force laws of your own in a shared library: the C interface of `type: plugin` (Skyhook), version 2.

   A plug-in is a force and a moment between two frames A (`from`) and B (`to`) of a model. Compile it to a shared library,

     cc -O2 -shared -fPIC -I <folder of skyhook/plugin.h> my_law.c -o my_law.so

   and name it in the model file:

     forces:
       strut: {type: plugin, library: my_law.so, from: car.top, to: wheel.hub, parameters: {stiffness: 20 kN/m}}

   A library must export skyhook_plugin_version and skyhook_plugin_evaluate; the other functions are optional. A law with unknowns
   of its own (see below; since version 2) exports skyhook_plugin_loads in place of skyhook_plugin_evaluate. Libraries of version 1 are
   taken as they are. This header is plain C99 and can be used from C++; other languages export the same symbols with C calling
   convention.

   Threads. Several runs may go on in several threads, also with the same instance: evaluate, loads and the energies may be called at the
   same time and must not change anything but their outputs. create and destroy are called once for each instance; those of two
   instances may overlap.

   No memory. An integrator tries states, rejects some and goes back in time: an answer may depend on the motion, the
   parameters and the unknowns it is given only, never on earlier calls. What a law must remember it declares as an inner state. It must be smooth where that is possible: its derivatives are found by differences
   of about 1e-8 of the size of the variables, so that numbers rounded to single precision are too rough. */
#ifndef SKYHOOK_PLUGIN_H
#define SKYHOOK_PLUGIN_H

#define SKYHOOK_PLUGIN_VERSION 2

/* Bytes of the buffer behind each `char* message`, the final zero included. */
#define SKYHOOK_MESSAGE_SIZE 256

/* What the functions return. With anything but SKYHOOK_OK write into `message` why, in the user's words. */
enum {
  SKYHOOK_OK = 0,
  SKYHOOK_RETRY = 1, /* no answer for this motion, but perhaps for one nearby: a smaller step is tried */
  SKYHOOK_FAIL = 2   /* the run must end */
};

/* A number that the model file may give under `parameters`. Values arrive in SI units. */
typedef struct skyhook_parameter {
  const char* name; /* letters, digits and _; NULL ends the list */
  const char* unit; /* "N/m", "mm", "deg": its dimension is checked; NULL or "-": none */
  double value;     /* taken where the file gives none, in SI units; NAN: the file must give it */
  const char* help; /* a line for messages; may be NULL */
  double low, high; /* range that is allowed, in SI units, ends included; low >= high (both left out): any */
} skyhook_parameter;

/* The motion of frame B seen from frame A, all components in the axes of A. */
typedef struct skyhook_motion {
  double t;       /* s      time */
  double r[3];    /* m      from the origin of A to that of B */
  double R[3][3]; /*        rotation: R[i][j] is component i of axis j of B */
  double v[3];    /* m/s    dr/dt as an observer on A sees it */
  double w[3];    /* rad/s  angular velocity of B relative to A */
} skyhook_motion;

/* What B receives at its origin, in the axes of A. A receives the opposite. Both are zero when evaluate is called. */
typedef struct skyhook_wrench {
  double f[3]; /* N */
  double n[3]; /* N.m */
} skyhook_wrench;

/* An unknown of the law's own. Its value is recorded as a channel of this name. */
typedef struct skyhook_unknown {
  const char* name; /* letters, digits and _; NULL ends the list */
  const char* unit; /* of its value, an SI unit; NULL or "-": none */
  double nominal;   /* its usual size, above zero: for tolerances and differences */
  double start;     /* an inner state at the start of a run; where the search for an algebraic unknown begins */
} skyhook_unknown;

#if defined(__GNUC__)
#define SKYHOOK_EXPORT __attribute__((visibility("default")))
#else
#define SKYHOOK_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Required. Returns SKYHOOK_PLUGIN_VERSION: for which version of this header the library was compiled. */
SKYHOOK_EXPORT int skyhook_plugin_version(void);

/* Optional. The parameters, ended by one without name. Without this function there are none. */
SKYHOOK_EXPORT const skyhook_parameter* skyhook_plugin_parameters(void);

/* Optional. Makes what one element needs, from the values of its parameters in the order of the list. Whatever is stored in
   *instance comes back in the calls below. Without this function `instance` is the array of the values itself. */
SKYHOOK_EXPORT int skyhook_plugin_create(const double* values, void** instance, char* message);

/* Optional. Called once for each instance that create has made. */
SKYHOOK_EXPORT void skyhook_plugin_destroy(void* instance);

/* Required, but for laws with unknowns. The law. No memory needs to be allocated here, and should not be. */
SKYHOOK_EXPORT int skyhook_plugin_evaluate(const void* instance, const skyhook_motion* motion, skyhook_wrench* wrench,
                                           char* message);

/* Optional. Stored energy in J, for the books of energy: what is taken out of it is not counted as loss. */
SKYHOOK_EXPORT double skyhook_plugin_energy(const void* instance, const skyhook_motion* motion);

/* Unknowns of the law's own, since version 2.

   Inner states c follow their rates, c' = d(motion, c, w): a piston in a damper, a pressure, a temperature. Algebraic unknowns w
   follow from as many equations 0 = b(motion, c, w), the matrix db/dw being regular: a point between two springs, a flow through
   two valves. The program finds both together with the motion of the model, whatever the solver; it checks before a run that each has
   its equation. At most 100 of each. */

/* Optional. The inner states c and the algebraic unknowns w of an instance, each list ended by one without name (or NULL: none).
   They live as long as the instance. */
SKYHOOK_EXPORT const skyhook_unknown* skyhook_plugin_states(const void* instance);
SKYHOOK_EXPORT const skyhook_unknown* skyhook_plugin_algebraic(const void* instance);

/* Required where there are unknowns. The law: the wrench, the rate of each state, and b, as many as there are algebraic unknowns. The
   wrench is zero when it is called; rates and b are not numbers, so that one that is not written is found out. */
SKYHOOK_EXPORT int skyhook_plugin_loads(const void* instance, const skyhook_motion* motion, const double* c,
                                        const double* w, skyhook_wrench* wrench, double* rates, double* b,
                                        char* message);

/* Optional. Stored energy in J of a law with unknowns, in place of skyhook_plugin_energy. */
SKYHOOK_EXPORT double skyhook_plugin_stored_energy(const void* instance, const skyhook_motion* motion, const double* c,
                                                   const double* w);

#ifdef __cplusplus
}
#endif

#endif
