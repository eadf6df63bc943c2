import classes from './BuyerForm.module.css';

/** Machine-readable text in a box that scrolls. */
export function CodeBox({ label, children }: { readonly label: string; readonly children: string }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <pre className={classes.box} role="group" aria-label={label} tabIndex={0}>
      {children}
    </pre>
  );
}
