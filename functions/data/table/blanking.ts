import { blanked } from '#functions/data/personal';
import { equationsAndGaps } from '#functions/data/table/table';

/** Removes the personal values from an item. @param schema of the item */
export function blanking(schema: Parameters<typeof blanked>[0]) {
  const { texts, gaps, names, values } = equationsAndGaps(blanked(schema), 'blank');
  return { sets: texts, removes: gaps, names, values };
}
