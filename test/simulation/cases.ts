/** The stored histories, each with the fault that it shows. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Replacement } from '#test/simulation/bundle';
import { PAST_FAULTS } from '#test/simulation/past-faults';
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

/** @returns the replacements that plant the fault */
export function faultOf({ script: { fault } }: Case): readonly Replacement[] {
  const replacements = PAST_FAULTS[fault];
  if (replacements === undefined) throw new Error(`There is no past fault "${fault}"`);
  return replacements;
}
