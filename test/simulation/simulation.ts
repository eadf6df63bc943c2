/** The entry point that is bundled (`bundle.ts`) and run, with the product's code or with a planted fault. */
import { enumerate } from '#test/simulation/enumerate';
import { MUTANTS } from '#test/simulation/mutants';
import { runScript } from '#test/simulation/run-script';
import { shrunk } from '#test/simulation/shrink';
import { simulate } from '#test/simulation/simulate-one';
import { SMALL_WORLDS } from '#test/simulation/small-worlds';

export const simulation = { enumerate, MUTANTS, runScript, shrunk, simulate, SMALL_WORLDS };
export type Simulation = typeof simulation;
