/** The stored histories, each with the fault that it shows: run on the code as it is, and with the fault put back. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { bundle, type Replacement } from '#test/simulation/bundle';
import { PAST_FAULTS } from '#test/simulation/past-faults';
import type { Ran, RunOptions } from '#test/simulation/run-script';
import type { Script } from '#test/simulation/script';

const CORPUS = new URL('./corpus/', import.meta.url);

export interface Case {
  /** Of its file. */
  readonly name: string;
  readonly script: Script;
}

export const fileOf = (name: string) => new URL(`${name}.json`, CORPUS);

export const readCases = (): readonly Case[] =>
  readdirSync(CORPUS)
    .map((file) => file.replace(/\.json$/, ''))
    .map((name) => ({ name, script: JSON.parse(readFileSync(fileOf(name), 'utf8')) as Script }));

export type Run = (script: Script, options?: RunOptions) => Promise<Ran>;

/** @returns what runs scripts, with the product's code as it is or with these texts in it */
export async function runnerOf(name: string, replacements: readonly Replacement[] = []): Promise<Run> {
  const address = await bundle('test/simulation/run-script.ts', name, replacements);
  const loaded: { runScript: Run } = await import(address);
  rmSync(new URL(address));
  return loaded.runScript;
}

/** @returns the same with the fault put back that the script shows */
export function faultyRunnerOf({ name, script: { fault } }: Case): Promise<Run> {
  const replacements = PAST_FAULTS[fault];
  if (replacements === undefined) throw new Error(`Nobody knows how to put back "${fault}"`);
  return runnerOf(name, replacements);
}
