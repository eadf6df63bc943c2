import { isPaused } from '../buyers/pausing';
import type { Buyer } from '../data/buyers';
import type { Tone } from '../ui/Tag';

/** A buyer's state in one word. */
export function stateOf(buyer: Buyer): { readonly tone: Tone; readonly text: string } {
  if (buyer.deleted) return { tone: 'bad', text: 'Deleted' };
  if (isPaused(buyer)) return { tone: 'wait', text: 'Paused' };
  if (buyer.order_status === 'Active') return { tone: 'good', text: 'Active' };
  if (buyer.order_status === 'Completed') return { tone: 'info', text: 'Order full' };
  return { tone: 'neutral', text: 'No order' };
}
