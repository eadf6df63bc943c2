import { EXPORT_FORMATS, type ExportFormat } from '#shared/rules/constants';
import { DownloadLink } from './DownloadLink';

interface Props {
  /** What is exported, for screen readers. */
  readonly of: string;
  readonly address: (format: ExportFormat) => string;
}

/** Downloads of figures, one button for each format. */
export function ExportLinks({ of, address }: Props) {
  return EXPORT_FORMATS.map((format) => (
    <DownloadLink key={format} href={address(format)} aria-label={`Export ${format.toUpperCase()} of ${of}`}>
      Export {format.toUpperCase()}
    </DownloadLink>
  ));
}
