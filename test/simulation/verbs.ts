/** The context of the verbs in stored histories. */
import type { Api } from '#test/simulation/api-process';
import type { Answered } from '#test/simulation/known';
import type { SimulatedWorld } from '#test/simulation/world';

export interface Given {
  readonly who: string;
  readonly api: Api;
  readonly world: SimulatedWorld;
  /** Answers to clients. */
  readonly answered: Answered[];
  readonly refused: Set<string>;
}

export type Verbs = Readonly<Record<string, (given: Given, ...words: never[]) => Promise<unknown>>>;
