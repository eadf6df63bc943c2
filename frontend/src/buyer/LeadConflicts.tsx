import { useEffect, useRef } from 'react';
import classes from './dialog.module.css';

export interface Conflict {
  readonly name: string;
  readonly label: string;
  readonly mine: string;
  readonly theirs: string;
}

interface Props {
  readonly conflicts: readonly Conflict[];
  readonly keepMine: (name: string) => void;
  readonly takeTheirs: (name: string) => void;
}

/** Asks which value stays. */
export function LeadConflicts({ conflicts, keepMine, takeTheirs }: Props) {
  // It would be out of sight at the end of a long form.
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.querySelector('button')?.focus();
    place.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div ref={place} role="alert" className={classes.conflicts}>
      <p className={classes.error}>
        Jemand anderes hat diesen Lead inzwischen geändert. Bitte wählen Sie, was gelten soll.
      </p>
      {conflicts.map(({ name, label, mine, theirs }) => (
        <fieldset key={name} className={classes.choices}>
          <legend>{label}</legend>
          <dl className={classes.details}>
            <dt>Ihre Eingabe</dt>
            <dd>{mine}</dd>
            <dt>Aktuell gespeichert</dt>
            <dd>{theirs}</dd>
          </dl>
          <div className={classes.sides}>
            <button type="button" className={classes.choice} onClick={() => keepMine(name)}>
              Eigene behalten
            </button>
            <button type="button" className={classes.choice} onClick={() => takeTheirs(name)}>
              Gespeicherte übernehmen
            </button>
          </div>
        </fieldset>
      ))}
      <p className={classes.hint}>Noch nichts gespeichert. Bitte wählen Sie und speichern Sie erneut.</p>
    </div>
  );
}
