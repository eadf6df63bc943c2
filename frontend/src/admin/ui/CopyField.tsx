import { TextInput, type TextInputProps } from '@mantine/core';
import { CopyButton } from './CopyLink';

interface Props extends Pick<TextInputProps, 'ref' | 'className' | 'styles'> {
  readonly label: string;
  readonly value: string;
  /** The name of the button. */
  readonly copy: string;
  /** The name of the copied thing, if it is not a link. */
  readonly what?: string;
}

/** A text to copy, selected on focus. */
export function CopyField({ value, copy, what = 'link', ...props }: Props) {
  return (
    <TextInput
      readOnly
      value={value}
      onFocus={(event) => event.currentTarget.select()}
      rightSection={<CopyButton value={value} label={copy} what={what} />}
      {...props}
    />
  );
}
