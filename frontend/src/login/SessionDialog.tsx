import { Button, Text, Title } from '@mantine/core';
import { type SyntheticEvent, useId, useLayoutEffect, useRef } from 'react';
import { useAuth } from '../app/auth';
import { MantineRoot } from '../app/MantineRoot';
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
    <MantineRoot>
      <dialog
        ref={dialog}
        aria-labelledby={titleId}
        className={classes.dialog}
        onCancel={stayOpen}
        onClose={stayOpen}
      >
        <LoginForm>
          <div>
            <Title order={2} size="h3" id={titleId}>
              Your session has ended
            </Title>
            <Text mt={4}>
              Log in to continue where you were. What you typed is still there. If you were saving, save
              again.
            </Text>
          </div>
        </LoginForm>
        <Button fullWidth mt="xs" variant="subtle" onClick={leave}>
          Leave this screen
        </Button>
      </dialog>
    </MantineRoot>
  );
}
