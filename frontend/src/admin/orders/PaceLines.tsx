import type { Order } from '../data/orders';
import { SmallText } from '../ui/SmallText';
import { paceTexts, pauseTexts } from './pace-texts';

type Shown = Parameters<typeof paceTexts>[0] & Pick<Order, 'paused_by' | 'paused_until'>;

/** The rest of an order's caps in one line. The tooltip explains it. */
export function PaceLine({ order }: { order: Shown }) {
  const paused = pauseTexts(order);
  const texts = [...(paused ? [paused.text] : []), ...paceTexts(order)];
  if (texts.length === 0) return null;
  const line = texts.join(' · ');
  return (
    <SmallText truncate="end" title={paused ? `${line}. ${paused.why}` : line}>
      {line}
    </SmallText>
  );
}

/** The same on several lines. */
export function PaceLines({ order }: { order: Shown }) {
  const paused = pauseTexts(order);
  return (
    <>
      {paceTexts(order).map((text) => (
        <SmallText key={text}>{text}</SmallText>
      ))}
      {paused && <SmallText title={paused.why}>{paused.text}</SmallText>}
    </>
  );
}
