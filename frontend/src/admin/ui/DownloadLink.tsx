import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { ComponentType, ReactNode } from 'react';

interface Props {
  readonly href: string;
  readonly icon?: ComponentType<{ readonly size: number }>;
  readonly 'aria-label'?: string;
  readonly children: ReactNode;
}

/** A file to download, as a small button. */
export function DownloadLink({ icon: Icon = IconDownload, ...props }: Props) {
  return (
    <Button component="a" download size="xs" variant="default" leftSection={<Icon size={16} />} {...props} />
  );
}
