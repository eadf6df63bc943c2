import { Text, type TextProps } from '@mantine/core';

interface Props extends TextProps {
  readonly text: string;
  readonly otherwise?: string;
  /** How many lines are shown. */
  readonly lines?: 1 | 2;
}

/** Truncated to its column; the tooltip shows the whole text. */
export function TruncatedText({ text, otherwise = '', lines = 1, ...props }: Props) {
  return (
    <Text {...(lines === 1 ? { truncate: 'end' } : { lineClamp: lines, lh: 1.3 })} title={text} {...props}>
      {text === '' ? otherwise : text}
    </Text>
  );
}
