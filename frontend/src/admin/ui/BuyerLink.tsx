import type { TextProps } from '@mantine/core';
import { NameText } from './NameText';
import { TextLink } from './TextLink';

/** The address of the screen of a buyer, or of one of its sections. */
export const buyerPath = (buyerId: string, section = '') =>
  `/dashboard/buyers/${encodeURIComponent(buyerId)}${section && `/${section}`}`;

interface Props extends TextProps {
  readonly buyerId: string;
  /** If it is not the ID. */
  readonly text?: string;
  readonly inSentence?: boolean;
}

/** A buyer's name that leads to its screen; on a line of its own unless it is in a sentence. */
export function BuyerLink({ buyerId, text = buyerId, inSentence = false, ...props }: Props) {
  return (
    <TextLink
      to={buyerPath(buyerId)}
      underline={inSentence ? 'always' : 'hover'}
      style={{ overflowWrap: 'anywhere' }}
    >
      {inSentence ? text : <NameText text={text} {...props} />}
    </TextLink>
  );
}
