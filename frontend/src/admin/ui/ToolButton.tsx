import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentPropsWithoutRef, ComponentType } from 'react';

type Props = Omit<ButtonProps, 'size' | 'leftSection'> &
  Omit<ComponentPropsWithoutRef<'button'>, keyof ButtonProps> & {
    readonly icon?: ComponentType<{ readonly size: number }>;
  };

/** A small button of a toolbar, a row or a message. */
export function ToolButton({ icon: Icon, ...props }: Props) {
  return <Button size="xs" variant="default" leftSection={Icon && <Icon size={16} />} {...props} />;
}
