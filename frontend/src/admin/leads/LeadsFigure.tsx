import { formatNumber } from '#shared/rules/formats';
import { TextLink } from '../ui/TextLink';
import { type LeadFilter, leadsPath } from './leads-path';

interface Props {
  readonly figure: number;
  readonly filter: Partial<LeadFilter>;
  /** Whose leads they are, for screen readers. */
  readonly of?: string;
}

/** A figure that opens the leads that it counts. */
export function LeadsFigure({ figure, filter, of }: Props) {
  const text = formatNumber(figure);
  const label = `${text}, show the leads${of === undefined ? '' : ` of ${of}`}`;
  return (
    <TextLink to={leadsPath(filter)} aria-label={label} inherit>
      {text}
    </TextLink>
  );
}
