import { PlainButton } from '../ui/PlainForm';
import classes from './RecoveryCodes.module.css';

interface Props {
  readonly codes: readonly string[];
  readonly done: () => void;
}

export function RecoveryCodes({ codes, done }: Props) {
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${codes.join('\n')}\n`)}`;
  return (
    <div className={classes.root}>
      <div role="alert" className={classes.warning}>
        <strong>Save these recovery codes</strong>
        <p>
          Each code works once, after your password, if you do not have your passkey. They are shown only now.
          Store them apart from your password.
        </p>
      </div>
      <ol className={classes.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className={classes.buttons}>
        <a href={file} download="recovery-codes.txt">
          Download
        </a>
        <PlainButton onClick={done}>I Have Saved Them</PlainButton>
      </div>
    </div>
  );
}
