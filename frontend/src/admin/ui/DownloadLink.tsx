import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { ComponentType, ReactNode } from 'react';

interface Props {
  /** Undefined while there is nothing to download. */
  readonly href: string | undefined;
  readonly icon?: ComponentType<{ readonly size: number }>;
  readonly 'aria-label'?: string;
  readonly children: ReactNode;
}

/** A file to download, as a small button. */
export function DownloadLink({ href, icon: Icon = IconDownload, ...props }: Props) {
  return (
    <Button
      component="a"
      {...(href === undefined ? { 'aria-disabled': true, 'data-disabled': true } : { href })}
      download
      size="xs"
      variant="default"
      leftSection={<Icon size={16} />}
      {...props}
    />
  );
}
