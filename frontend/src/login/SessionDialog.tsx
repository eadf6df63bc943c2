import { type SyntheticEvent, useId, useLayoutEffect, useRef } from 'react';
import { useAuth } from '../app/auth';
import { PlainButton } from '../ui/PlainForm';
import { LoginForm } from './LoginForm';
import classes from './SessionDialog.module.css';

/**
 * Over the screen whose session has ended, so that nothing typed is lost. Its code is public, because the admin app's needs a
 * session.
 */
export function SessionDialog() {
  const { leave } = useAuth();
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    // Closing first returns the focus.
    return () => opened?.close();
  }, []);

  // Browsers close it at the second Escape.
  const stayOpen = (event: SyntheticEvent) => {
    event.preventDefault();
    if (dialog.current?.isConnected && !dialog.current.open) dialog.current.showModal();
  };

  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className={classes.dialog}
      onCancel={stayOpen}
      onClose={stayOpen}
    >
      <LoginForm>
        <div>
          <h2 id={titleId}>Your session has ended</h2>
          <p>
            Log in to continue where you were. What you typed is still there. If you were saving, save again.
          </p>
        </div>
      </LoginForm>
      <div className={classes.leave}>
        <PlainButton look="subtle" onClick={leave}>
          Leave this screen
        </PlainButton>
      </div>
    </dialog>
  );
}
