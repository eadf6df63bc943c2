import classes from './LoadingScreen.module.css';

export function LoadingScreen({ text = 'Loading...' }: { text?: string }) {
  return (
    <output className={classes.screen}>
      <span className={classes.dot} aria-hidden="true" />
      {text}
    </output>
  );
}
