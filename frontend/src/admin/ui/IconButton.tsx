import { ActionIcon } from '@mantine/core';
import type { ComponentPropsWithoutRef, ComponentType } from 'react';
import { type RestrictedId } from '#shared/contract/roles';
import { useMay } from '../data/rights';

type Native = Pick<
  ComponentPropsWithoutRef<'button'>,
  'onClick' | 'disabled' | 'popoverTarget' | 'aria-haspopup' | 'aria-expanded'
>;

interface Props extends Native {
  readonly label: string;
  readonly icon: ComponentType<{ readonly size: number }>;
  readonly danger?: boolean;
  readonly loading?: boolean;
  /** The call without which it is not shown. */
  readonly needs?: RestrictedId | undefined;
}

/** A small button whose name is read out and shown on hover. */
export function IconButton({ label, icon: Icon, danger = false, disabled = false, needs, ...rest }: Props) {
  const may = useMay();
  if (needs !== undefined && !may(needs)) return null;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={28}
      c={danger ? 'var(--mantine-color-error)' : 'dimmed'}
      aria-label={label}
      title={label}
      disabled={disabled}
      {...rest}
    >
      <Icon size={16} />
    </ActionIcon>
  );
}
