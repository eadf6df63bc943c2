import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentPropsWithoutRef, ComponentType } from 'react';
import { type RestrictedId } from '#shared/contract/roles';
import { useMay } from '../data/rights';

type Props = Omit<ButtonProps, 'size' | 'leftSection'> &
  Omit<ComponentPropsWithoutRef<'button'>, keyof ButtonProps> & {
    readonly icon?: ComponentType<{ readonly size: number }>;
    /** The call without which it is not shown. */
    readonly needs?: RestrictedId | undefined;
  };

/** A small button of a toolbar, a row or a message. */
export function ToolButton({ icon: Icon, needs, ...props }: Props) {
  const may = useMay();
  if (needs !== undefined && !may(needs)) return null;
  return <Button size="xs" variant="default" leftSection={Icon && <Icon size={16} />} {...props} />;
}
