import { CLAIM_STATUSES } from '#shared/rules/constants';
import { formatNumber } from '#shared/rules/formats';
import { StatusBadge } from './ClaimAction';
import { CHIPS, type Chip, type ChosenChips, isChosen } from './chips';
import classes from './FilterChips.module.css';
import { de } from './messages';

interface Props {
  readonly counts: ReadonlyMap<Chip, number>;
  readonly chosen: ChosenChips;
  readonly onTap: (chip: Chip) => void;
}

/** A chip without leads can only be turned off. */
export function FilterChips({ counts, chosen, onTap }: Props) {
  return (
    <div id="filter" data-screen className={classes.filter}>
      <fieldset className={classes.chips} aria-label={de.chips.label}>
        {CHIPS.map((chip) => {
          const count = counts.get(chip) ?? 0;
          const isOn = isChosen(chosen, chip);
          return (
            <button
              key={chip}
              type="button"
              className={classes.chip}
              aria-pressed={isOn}
              disabled={count === 0 && !isOn}
              onClick={() => onTap(chip)}
            >
              {de.chips[chip]} <span className={classes.count}>{formatNumber(count)}</span>
            </button>
          );
        })}
      </fieldset>
      <section className={classes.legend} aria-label={de.legend}>
        <h2>{de.legend}</h2>
        {CLAIM_STATUSES.map((status) => (
          <StatusBadge key={status} status={status} />
        ))}
      </section>
    </div>
  );
}
