// The tables of the benchmark, one file each.
#pragma once
#include "report.h"

namespace skyhook::bench {

void tree_dynamics(Report& report);     // residual and forward dynamics per body, and how they grow with the bodies
void jacobian(Report& report);          // the exact Jacobian in residuals
void accelerations(Report& report);     // the explicit formulations' right-hand sides in residuals
void time_to_accuracy(Report& report);  // mechanisms with loops: work over precision
void projection(Report& report);        // the five-link suspension: table 1 of [Simeon 1996]
void jacobians(Report& report);         // Jacobian strategies of bdf: table 2 of [Arnold 2006] and Fig. 7, and models
void bdf(Report& report);               // bdf beside ida: work over precision, overhead
void chain(Report& report);             // the chain of pendulums of [Arnold 2006]: errors and steps
void restarts(Report& report);          // what a sample of a controller costs each integrator
void sampled_models(Report& report);    // the same of whole models, and what an event costs
void runs(Report& report);              // whole runs beside their integration, and where their time goes
void index_study(
    Report& report);          // [Arnold 2004] §4 on a bead with a contact variable: kappa, drift, disturbed equations
void growth(Report& report);  // time and memory over the size of the model
void linear(Report& report);  // linearisation and modes
void tyre(Report& report);    // one tyre with relaxation, evaluated and with derivatives
void wheelset_study(Report& report);  // hunting, errors and drift of the IVP test set's wheelset
void rail(Report& report);  // one wheel on a rail, each contact with each law of creep; a wheelset against real time
void rail_vehicles(Report& report);          // rail vehicles against real time, and their errors
void flexible(Report& report);               // a body that bends beside a rigid one, over the number of its modes
void shapes_study(Report& report);           // a slider-crank with an elastic rod, over the shapes that the rod has
void flexible_vehicles(Report& report);      // vehicles with such bodies against real time, and their errors
void falling_beam(Report& report);           // all methods on a beam of nodal coordinates
void coordinates_of_models(Report& report);  // every experiment in the coordinates of joints and in absolute ones
void equilibria(Report& report);             // every model from disturbed starts, long chains
struct Seeds {
  unsigned first = 1, last = 300;
};
void random_models(Report& report, Seeds seeds);  // every pair on random models, and changes that must not matter
void random_coordinates(Report& report,
                        Seeds seeds);  // random models in the coordinates of joints and in absolute ones

}  // namespace skyhook::bench
