import { ActionIcon } from '@mantine/core';
import type { ComponentType } from 'react';

interface Props {
  readonly label: string;
  readonly icon: ComponentType<{ readonly size: number }>;
  readonly iconSize?: number;
  readonly onClick: () => void;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  readonly loading?: boolean;
}

/** A small button whose name is read out and shown on hover. */
export function IconButton({
  label,
  icon: Icon,
  iconSize = 16,
  onClick,
  danger = false,
  disabled = false,
  loading = false,
}: Props) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={28}
      c={danger ? 'var(--mantine-color-error)' : 'dimmed'}
      aria-label={label}
      title={label}
      disabled={disabled}
      loading={loading}
      onClick={onClick}
    >
      <Icon size={iconSize} />
    </ActionIcon>
  );
}
