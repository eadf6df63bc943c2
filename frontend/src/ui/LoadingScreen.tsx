import classes from './LoadingScreen.module.css';

/** Fills the page while what it will show is not known yet. */
export function LoadingScreen({ text = 'Loading...' }: { text?: string }) {
  return (
    <output className={classes.screen}>
      <span className={classes.dot} aria-hidden="true" />
      {text}
    </output>
  );
}
