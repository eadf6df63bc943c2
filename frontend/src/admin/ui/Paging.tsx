import { Group, Text } from '@mantine/core';
import { formatNumber } from '#shared/rules/formats';
import { ToolButton } from './ToolButton';

interface Props {
  /** From 1. */
  readonly page: number;
  readonly pages: number;
  readonly go: (page: number) => void;
}

export function Paging({ page, pages, go }: Props) {
  if (pages <= 1) return null;
  const isFirst = page <= 1;
  const isLast = page >= pages;
  return (
    <Group component="nav" aria-label="Pages" gap={6}>
      <ToolButton disabled={isFirst} onClick={() => go(1)}>
        First
      </ToolButton>
      <ToolButton disabled={isFirst} onClick={() => go(page - 1)}>
        Previous
      </ToolButton>
      <Text role="status">{`Page ${formatNumber(page)} of ${formatNumber(pages)}`}</Text>
      <ToolButton disabled={isLast} onClick={() => go(page + 1)}>
        Next
      </ToolButton>
      <ToolButton disabled={isLast} onClick={() => go(pages)}>
        Last
      </ToolButton>
    </Group>
  );
}
