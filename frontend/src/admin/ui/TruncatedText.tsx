import { Text } from '@mantine/core';

interface Props {
  readonly text: string;
  readonly otherwise?: string;
  /** How many lines of it are shown. */
  readonly lines?: 1 | 2;
}

/** A text that ends where its column does, and is whole under the pointer. */
export function TruncatedText({ text, otherwise = '', lines = 1 }: Props) {
  return (
    <Text size="sm" {...(lines === 1 ? { truncate: 'end' } : { lineClamp: lines, lh: 1.3 })} title={text}>
      {text === '' ? otherwise : text}
    </Text>
  );
}
