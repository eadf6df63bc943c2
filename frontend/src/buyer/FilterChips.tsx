import { formatNumber } from '#shared/rules/formats';
import { CHIPS, type Chip } from './chips';
import classes from './FilterChips.module.css';
import { de } from './messages';

interface Props {
  readonly counts: ReadonlyMap<Chip, number>;
  readonly isOn: (chip: Chip) => boolean;
  readonly onTap: (chip: Chip) => void;
}

/** Narrows the list by a tap. A chip without a lead can only be switched off. */
export function FilterChips({ counts, isOn, onTap }: Props) {
  return (
    <fieldset className={classes.chips} aria-label={de.chips.label}>
      {CHIPS.map((chip) => {
        const count = counts.get(chip) ?? 0;
        if (chip === 'replacement' && count === 0) return null;
        return (
          <button
            key={chip}
            type="button"
            className={classes.chip}
            aria-pressed={isOn(chip)}
            disabled={count === 0 && !isOn(chip)}
            onClick={() => onTap(chip)}
          >
            {de.chips[chip]} <span className={classes.count}>{formatNumber(count)}</span>
          </button>
        );
      })}
    </fieldset>
  );
}
