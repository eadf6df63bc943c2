import { Alert, Button, Stack, Text } from '@mantine/core';
import classes from './RecoveryCodes.module.css';

interface Props {
  readonly codes: readonly string[];
  readonly done: () => void;
}

export function RecoveryCodes({ codes, done }: Props) {
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${codes.join('\n')}\n`)}`;
  return (
    <Stack gap="sm">
      <Alert color="orange" title="Save these recovery codes" role="alert">
        <Text>
          Each code works once, after your password, if you do not have your passkey. They are shown only now.
          Store them apart from your password.
        </Text>
      </Alert>
      <ol className={classes.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className={classes.buttons}>
        <Button variant="default" component="a" href={file} download="recovery-codes.txt">
          Download
        </Button>
        <Button onClick={done}>I Have Saved Them</Button>
      </div>
    </Stack>
  );
}
