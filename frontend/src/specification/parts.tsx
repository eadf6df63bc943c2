import { type ReactNode, useState } from 'react';
import type { Specification } from './examples';
import classes from './specification.module.css';

export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

interface GridProps {
  readonly label: string;
  readonly heads: readonly string[];
  readonly children: ReactNode;
}

export function Grid({ label, heads, children }: GridProps) {
  return (
    // A region that scrolls sideways can be reached by the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above
    <div className={classes.scroll} role="region" aria-label={`${label}, table`} tabIndex={0}>
      <table aria-label={label}>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

interface MeaningsProps {
  readonly label: string;
  readonly head: string;
  readonly rows: Specification['outcomes'];
}

export function Meanings({ label, head, rows }: MeaningsProps) {
  return (
    <Grid label={label} heads={[head, 'Meaning']}>
      {rows.map(({ value, meaning }) => (
        <tr key={value}>
          <th scope="row">
            <code>{value}</code>
          </th>
          <td>{meaning}</td>
        </tr>
      ))}
    </Grid>
  );
}

export function Code({ label, children }: { readonly label: string; readonly children: string }) {
  const [copied, setCopied] = useState<boolean>();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(children);
      setCopied(true);
    } catch {
      setCopied(false);
    }
  };
  return (
    <div className={classes.code}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- long lines scroll sideways */}
      <pre tabIndex={0} role="group" aria-label={label}>
        {children}
      </pre>
      <button type="button" className={classes.copy} onClick={() => void copy()}>
        Copy
        <span className={classes.hidden}> {label}</span>
      </button>
      <output className={classes.copied}>
        {copied === true && 'Copied'}
        {copied === false && 'The browser does not allow copying. Select the text.'}
      </output>
    </div>
  );
}
