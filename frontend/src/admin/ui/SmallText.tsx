import { Text, type TextProps } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props extends TextProps {
  readonly title?: string;
  readonly children: ReactNode;
}

/** The second line of a cell, or a note. */
export const SmallText = (props: Props) => <Text size="xs" c="dimmed" {...props} />;
