import { Alert } from '@mantine/core';
import classes from './NotSaved.module.css';

/** In a form whose save did not reach the server, or whose answer was lost. */
export function NotSaved({ text }: { readonly text: string }) {
  return (
    <Alert className={classes.notSaved} color="red" role="alert" title={text}>
      The server did not answer. Everything you entered is still here: save again once it answers.
    </Alert>
  );
}
