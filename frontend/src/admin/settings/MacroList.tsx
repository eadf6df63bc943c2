import '@mantine/core/styles/Code.css';
import { Code, Text } from '@mantine/core';
import { Fragment } from 'react';

/** The macros that a text may contain. */
export function MacroList({ label, macros }: { readonly label: string; readonly macros: readonly string[] }) {
  return (
    <Text c="dimmed">
      {label}
      {macros.map((macro) => (
        // The space lets the line break; a margin would not.
        <Fragment key={macro}>
          {' '}
          <Code>{`$$${macro}$$`}</Code>
        </Fragment>
      ))}
    </Text>
  );
}
