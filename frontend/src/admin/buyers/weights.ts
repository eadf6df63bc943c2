import { parseGermanNumber } from '#shared/rules/formats';
import { checkProbability } from '#shared/rules/validation';

/** What a buyer's weight is checked against, in hundredths of a percent. */
export interface Weights {
  /** Those of the other active buyers. */
  readonly others: readonly number[];
  /** The buyer's own stored weight; undefined for a new one. */
  readonly stored: number | undefined;
}

interface WeightedBuyer {
  readonly buyer_id: string;
  /** Percent. */
  readonly probability: number;
}

const hundredths = (percent: number) => Math.round(percent * 100);

/**
 * @param active all buyers that can receive leads;
 * @param buyer the one in the form, undefined for a new one
 */
export function weightsOf(active: readonly WeightedBuyer[], buyer: WeightedBuyer | undefined): Weights {
  return {
    others: active
      .filter(({ buyer_id }) => buyer_id !== buyer?.buyer_id)
      .map(({ probability }) => hundredths(probability)),
    stored: buyer && hundredths(buyer.probability),
  };
}

/** The server's check of a typed probability. It checks only changed ones. */
export function checkTypedProbability(typed: string, { others, stored }: Weights) {
  const percent = parseGermanNumber(typed);
  if (percent === undefined || hundredths(percent) === stored) return 'fits';
  return checkProbability(hundredths(percent), others);
}

/** The sum of the others, in percent. */
export function percentOfOthers({ others }: Weights): number {
  return others.reduce((sum, own) => sum + own, 0) / 100;
}
