/** Parts of forms where the component library would be too much to load. */
import { type ComponentPropsWithRef, type ReactNode, useId, useState } from 'react';
import classes from './PlainForm.module.css';

export function PlainForm({
  onSubmit,
  children,
}: Pick<ComponentPropsWithRef<'form'>, 'onSubmit' | 'children'>) {
  return (
    <form className={classes.form} onSubmit={onSubmit}>
      {children}
    </form>
  );
}

interface FieldProps extends ComponentPropsWithRef<'input'> {
  readonly label: string;
  readonly description?: string;
}

/** A required field. @param children controls inside it, after what is typed */
export function PlainField({ label, description, children, ...input }: FieldProps) {
  const id = useId();
  return (
    <div className={classes.field}>
      <label htmlFor={id}>{label}</label>
      {description !== undefined && (
        <p id={`${id}-description`} className={classes.muted}>
          {description}
        </p>
      )}
      <div className={classes.input}>
        <input id={id} required aria-describedby={description && `${id}-description`} {...input} />
        {children}
      </div>
    </div>
  );
}

export function PlainPasswordField(props: FieldProps) {
  const [isShown, setShown] = useState(false);
  return (
    <PlainField {...props} type={isShown ? 'text' : 'password'}>
      <button
        type="button"
        className={classes.show}
        aria-label={`${isShown ? 'Hide' : 'Show'} what is typed`}
        onClick={() => setShown(!isShown)}
      >
        {isShown ? 'Hide' : 'Show'}
      </button>
    </PlainField>
  );
}

const LOOKS = { primary: classes.primary, plain: classes.plain, subtle: classes.subtle };

interface ButtonProps extends ComponentPropsWithRef<'button'> {
  readonly look?: keyof typeof LOOKS;
  readonly busy?: boolean;
}

export function PlainButton({ look = 'primary', busy = false, ...button }: ButtonProps) {
  return (
    <button type="button" className={LOOKS[look]} disabled={busy} aria-busy={busy || undefined} {...button} />
  );
}

export function PlainError({ text }: { text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p role="alert" className={classes.error}>
      {text}
    </p>
  );
}

export function Muted({ children }: { children: ReactNode }) {
  return <p className={classes.muted}>{children}</p>;
}
