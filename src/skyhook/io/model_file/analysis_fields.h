// The fields of an experiment with `analysis: equilibrium, modes, linearize, response` or `nominal`, and what is evaluated of a run.
#pragma once
#include "skyhook/base/field.h"
#include "skyhook/model/analysis_options.h"

namespace skyhook::io::model_file {

// PartOfFile: Part of fields.h, which includes this.
template <class PartOfFile>
struct AnalysisFieldsOf : model::AnalysisOptions {
  PartOfFile rolling_part, inputs_part, also_part, beside_part, vary_part, weights_part, evaluations_part;

  static constexpr auto fields = describe(
      field(&AnalysisFieldsOf::steer, "steer", "-", any(),
            "equilibrium in steady motion: joint coordinate to find, with the sideslip, so that no side force is left"),
      field(&AnalysisFieldsOf::rolling_part, "rolling", "-", any(),
            "equilibrium in steady motion: of the coordinates of `spin` those whose rates are found, nothing drives "
            "them"),
      field(&AnalysisFieldsOf::way, "way", "m", any(),
            "equilibrium in steady motion: by which what runs on a track stands further on than at the start"),
      field(&AnalysisFieldsOf::at, "at", "s", any(),
            "modes, linearize, response: at this time of the run instead of the equilibrium"),
      field(&AnalysisFieldsOf::at_start, "at_start", "-", any(),
            "modes, linearize, response: as the experiment starts instead of the equilibrium"),
      field(&AnalysisFieldsOf::sweep, "sweep", "-", any(), "modes: root locus over a parameter, speed=10..100/19"),
      field(&AnalysisFieldsOf::crossing, "crossing", "-", any(), "modes: find where one begins to grow in the sweep"),
      field(&AnalysisFieldsOf::lowest, "lowest", "-", at_least(0), "modes: so many, on sparse matrices; 0: all"),
      field(&AnalysisFieldsOf::inputs_part, "inputs", "-", any(),
            "linearize: names or patterns, default all; response: the input that excites"),
      field(&AnalysisFieldsOf::low, "low", "Hz", Range{.low = 0, .low_excluded = true}, "response: lowest frequency"),
      field(&AnalysisFieldsOf::high, "high", "Hz", Range{.low = 0, .low_excluded = true},
            "response: highest frequency"),
      field(&AnalysisFieldsOf::per_octave, "per_octave", "-", between(0, 200),
            "response: points in an octave; 0: the usual 24"),
      field(&AnalysisFieldsOf::psd, "psd", "-", any(), "response: density of the input, a formula of f in Hz"),
      field(&AnalysisFieldsOf::also_part, "also", "-", any(),
            "response: further inputs of the same track, input: delay in s"),
      field(&AnalysisFieldsOf::beside_part, "beside", "-", any(), "response: inputs of another track, input: delay"),
      field(&AnalysisFieldsOf::coherence, "coherence", "-", between(0, 1), "response: of the two tracks"),
      field(&AnalysisFieldsOf::vary_part, "vary", "-", any(),
            "nominal: parameters and fields of elements, or patterns, or none; default: preloads of springs, loads of "
            "tyres"),
      field(&AnalysisFieldsOf::weights_part, "weights", "-", any(), "nominal: of deviations, name: number"),
      field(&AnalysisFieldsOf::alpha, "alpha", "-", at_least(0.0), "nominal: weight of all deviations"),
      field(&AnalysisFieldsOf::rho_infinity, "rho_infinity", "-", between(0, 1),
            "solver generalised_alpha: what a step leaves of vibrations far above 1/step; 1: no damping"),
      field(&AnalysisFieldsOf::hht_alpha, "hht_alpha", "-", between(-1.0 / 3, 0),
            "solver hht, and two_loop with `formula: hht`: numerical damping, none at 0, most at -1/3"),
      field(&AnalysisFieldsOf::formula, "formula", "-", any(), "solver two_loop: formula that makes a step")
          .one_of("park bdf2 trapezoidal hht"),
      field(&AnalysisFieldsOf::outer_loop, "outer_loop", "-", any(),
            "solver two_loop: how the outer loop is solved; automatic: simple iteration where it converges, else "
            "preconditioned Newton-Krylov")
          .one_of("automatic simple newton_krylov preconditioned"),
      field(&AnalysisFieldsOf::krylov_depth, "krylov_depth", "-", at_least(0),
            "solver two_loop: incomplete orthogonalisation against so many vectors; 0: all (Arnoldi)"),
      field(&AnalysisFieldsOf::step_exponent, "step_exponent", "-", between(0.2, 1),
            "solver two_loop: exponent of the step rule; 1/3 fits the error, 1/2 is Aboubakr and Shabana's"),
      field(&AnalysisFieldsOf::samples, "samples", "-", any(),
            "simulate: curve: where they lie closer than steps need some are taken from the curve through the others, "
            "as far as that "
            "tells them to three tolerances; solved: none")
          .one_of("solved curve"),
      field(&AnalysisFieldsOf::evaluations_part, "evaluations", "-", any(),
            "simulate: numbers at the end of the run, [{standard: iso2631, vertical_acceleration: car.az}, ...]; see "
            "`skyhook "
            "evaluate --help`"));
};

}  // namespace skyhook::io::model_file
