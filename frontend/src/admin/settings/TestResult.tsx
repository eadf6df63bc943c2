import { Alert } from '@mantine/core';

interface Props {
  readonly result: { readonly ok: boolean; readonly message: string; readonly detail: string | null };
}

/** What came of a test message. */
export function TestResult({ result: { ok, message, detail } }: Props) {
  return (
    <Alert color={ok ? 'teal' : 'red'} role="status" title={message}>
      {detail}
    </Alert>
  );
}
