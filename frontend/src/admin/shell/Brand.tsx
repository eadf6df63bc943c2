import classes from './Shell.module.css';

export function Brand() {
  return (
    <div className={classes.brand}>
      <img src="/favicon.svg" alt="" width={28} height={28} />
      Lead Distribution
    </div>
  );
}
