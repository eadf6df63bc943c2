import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { EXPORT_FORMATS, type ExportFormat } from '#shared/rules/constants';

interface Props {
  /** What is exported, for those who only hear the buttons. */
  readonly of: string;
  readonly address: (format: ExportFormat) => string;
  readonly disabled?: boolean;
}

/** Downloads of figures, one button for each format. */
export function ExportLinks({ of, address, disabled = false }: Props) {
  return EXPORT_FORMATS.map((format) => (
    <Button
      key={format}
      component="a"
      {...(disabled ? { 'aria-disabled': true, 'data-disabled': true } : { href: address(format) })}
      download
      size="xs"
      variant="default"
      aria-label={`Export ${format.toUpperCase()} of ${of}`}
      leftSection={<IconDownload size={16} />}
    >
      Export {format.toUpperCase()}
    </Button>
  ));
}
