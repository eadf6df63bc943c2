/** Fields above tables: native, because those of the component library are a fifth of what a table would load first. */
import { type ComponentPropsWithoutRef, type ReactNode, useId } from 'react';
import classes from './FilterFields.module.css';

interface SearchProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly search: (text: string) => void;
}

export function SearchField({ label, placeholder, value, search }: SearchProps) {
  return (
    <input
      type="search"
      className={classes.search}
      aria-label={label}
      placeholder={placeholder}
      value={value}
      onChange={(event) => search(event.currentTarget.value)}
    />
  );
}

export type Option = readonly [value: string, text: string];

interface SelectProps {
  readonly label: string;
  /** For screen readers only. */
  readonly hidesLabel?: boolean;
  readonly value: string;
  readonly options: readonly Option[];
  /** Without it a field becomes wider when its options arrive. */
  readonly widthPx?: number;
  readonly choose: (value: string) => void;
}

export function SelectField({ label, hidesLabel = false, value, options, widthPx, choose }: SelectProps) {
  const id = useId();
  const field = (
    <select
      id={id}
      className={classes.select}
      style={{ width: widthPx }}
      aria-label={hidesLabel ? label : undefined}
      value={value}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      {options.map(([of, text]) => (
        <option key={of} value={of}>
          {text}
        </option>
      ))}
    </select>
  );
  return (
    <Labelled label={hidesLabel ? undefined : label} of={id}>
      {field}
    </Labelled>
  );
}

type InputProps = ComponentPropsWithoutRef<'input'> & { readonly label: string };

export function FilterField({ label, ...input }: InputProps) {
  const id = useId();
  return (
    <Labelled label={label} of={id}>
      <input id={id} className={classes.input} {...input} />
    </Labelled>
  );
}

export function FilterSwitch({ label, ...input }: InputProps & { readonly checked: boolean }) {
  return (
    <label className={classes.switch}>
      <input type="checkbox" role="switch" aria-checked={input.checked} {...input} />
      {label}
    </label>
  );
}

interface LabelledProps {
  readonly label: string | undefined;
  readonly of: string;
  readonly children: ReactNode;
}

function Labelled({ label, of, children }: LabelledProps) {
  if (label === undefined) return children;
  return (
    <div className={classes.labelled}>
      <label htmlFor={of}>{label}</label>
      {children}
    </div>
  );
}
