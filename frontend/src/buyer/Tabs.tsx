import type { KeyboardEvent } from 'react';
import { formatNumber } from '#shared/rules/formats';
import classes from './Tabs.module.css';

interface Props<Tab extends string> {
  readonly label: string;
  /** The id of their panel. */
  readonly panel: string;
  readonly tabs: readonly Tab[];
  /** None is open if undefined. */
  readonly tab: Tab | undefined;
  readonly titleOf: (tab: Tab) => string;
  readonly countOf?: (tab: Tab) => number;
  readonly onTab: (tab: Tab) => void;
}

export const tabId = (tab: string): string => `tab-${tab}`;

export function Tabs<Tab extends string>({ label, panel, tabs, tab, titleOf, countOf, onTab }: Props<Tab>) {
  const move = (event: KeyboardEvent, from: number) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const other = tabs[(from + step + tabs.length) % tabs.length];
    if (step === 0 || other === undefined) return;
    onTab(other);
    document.getElementById(tabId(other))?.focus();
  };
  return (
    <div role="tablist" aria-label={label} className={classes.tabs} data-screen>
      {tabs.map((each, index) => (
        <button
          key={each}
          type="button"
          role="tab"
          id={tabId(each)}
          aria-selected={each === tab}
          aria-controls={each === tab ? panel : undefined}
          tabIndex={each === (tab ?? tabs[0]) ? 0 : -1}
          onClick={() => onTab(each)}
          onKeyDown={(event) => move(event, index)}
        >
          {titleOf(each)} {countOf && <span className={classes.count}>{formatNumber(countOf(each))}</span>}
        </button>
      ))}
    </div>
  );
}
