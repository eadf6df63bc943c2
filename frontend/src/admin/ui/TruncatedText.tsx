import { Text } from '@mantine/core';

/** A text that ends where its column does, and is whole under the pointer. */
export function TruncatedText({ text, otherwise = '' }: { text: string; otherwise?: string }) {
  return (
    <Text size="sm" truncate="end" title={text}>
      {text === '' ? otherwise : text}
    </Text>
  );
}
