import { Alert } from '@mantine/core';

interface Props {
  readonly result: { readonly ok: boolean; readonly message: string; readonly detail: string | null };
}

export function TestResult({ result: { ok, message, detail } }: Props) {
  return (
    <Alert color={ok ? 'teal' : 'red'} role="status" title={message}>
      {detail}
    </Alert>
  );
}
