import { formatNumber } from '#shared/rules/formats';
import { CHIPS, type Chip } from './chips';
import classes from './FilterChips.module.css';
import { de } from './messages';

interface Props {
  readonly counts: ReadonlyMap<Chip, number>;
  readonly isOn: (chip: Chip) => boolean;
  readonly onTap: (chip: Chip) => void;
}

/** A chip without leads can only be turned off. */
export function FilterChips({ counts, isOn, onTap }: Props) {
  return (
    <fieldset data-screen className={classes.chips} aria-label={de.chips.label}>
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
