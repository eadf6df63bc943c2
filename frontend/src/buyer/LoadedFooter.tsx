import classes from './dialog.module.css';
import { de } from './messages';

interface Props {
  readonly failed: boolean;
  readonly retry: () => void;
  readonly onClose: () => void;
}

/** The buttons of a dialog that shows what it loads. */
export function LoadedFooter({ failed, retry, onClose }: Props) {
  return (
    <footer className={classes.buttons}>
      {failed && (
        <button type="button" className={classes.primary} onClick={retry}>
          {de.loadFailed.retry}
        </button>
      )}
      <button type="button" className={classes.plain} onClick={onClose}>
        {de.dialog.close}
      </button>
    </footer>
  );
}
