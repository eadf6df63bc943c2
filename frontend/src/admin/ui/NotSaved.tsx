import { Alert } from '@mantine/core';
import { useLayoutEffect, useRef, useState } from 'react';
import classes from './NotSaved.module.css';

const ENTERED = 'input:not([readonly]), select, textarea';

/** In a dialog or form whose save did not reach the server, or whose answer was lost. */
export function NotSaved({ text }: { readonly text: string }) {
  const notice = useRef<HTMLDivElement>(null);
  const [hasFields, setHasFields] = useState(false);
  useLayoutEffect(() => {
    setHasFields(Boolean(notice.current?.closest('.dialog-content, form')?.querySelector(ENTERED)));
  }, []);
  return (
    <Alert ref={notice} className={classes.notSaved} color="red" role="alert" title={text}>
      The server did not answer.{' '}
      {hasFields
        ? 'Everything you entered is still here: save again once it answers.'
        : 'Try again once it answers.'}
    </Alert>
  );
}
