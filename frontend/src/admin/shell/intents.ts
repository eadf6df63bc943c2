/** Commands that act on a buyer, typed into the box of Ctrl+K. Pure functions. */
import type { RestrictedId } from '#shared/contract/roles';
import type { BuyerRow } from '#shared/contract/schemas/buyers';

export type Intent =
  | {
      readonly kind: 'limit';
      readonly buyer: string;
      /** As typed; empty while it is missing. */
      readonly limit: string;
    }
  | { readonly kind: 'pause' | 'resume' | 'resend' | 'order' | 'why'; readonly buyer: string };

/** The text that the box suggests, and the call that it leads to. */
export const VERBS: readonly Verb[] = [
  {
    kind: 'limit',
    needs: 'updateOrderLimit',
    start: 'limit of',
    title: 'Change a lead limit',
    example: 'limit of x to 50',
  },
  { kind: 'pause', needs: 'updateBuyer', start: 'pause', title: 'Pause a buyer', example: 'pause x' },
  { kind: 'resume', needs: 'updateBuyer', start: 'resume', title: 'Resume a buyer', example: 'resume x' },
  {
    kind: 'resend',
    needs: 'resendFailedDeliveries',
    start: 'resend failed of',
    title: 'Send failed deliveries again',
    example: 'resend failed of x',
  },
  {
    kind: 'why',
    start: 'why no leads for',
    title: 'Why a buyer gets no leads',
    example: 'why no leads for x',
  },
  {
    kind: 'order',
    needs: 'createOrder',
    start: 'new order for',
    title: 'Create a buyer’s order',
    example: 'new order for x',
  },
];

interface Verb {
  readonly kind: Intent['kind'];
  readonly needs?: RestrictedId;
  readonly start: string;
  readonly title: string;
  readonly example: string;
}

const LIMIT = /^limit(?:\s+(?:of|for))?(?:\s+(.+?))?(?:\s+(?:to\s*)?([\d.]*))?$/i;
const OTHERS = [
  { kind: 'pause', pattern: /^pause(?:\s+(.+))?$/i },
  { kind: 'resume', pattern: /^resume(?:\s+(.+))?$/i },
  { kind: 'resend', pattern: /^resend(?:\s+failed)?(?:\s+(?:of|for))?(?:\s+(.+))?$/i },
  { kind: 'why', pattern: /^why(?:\s+no\s+leads)?(?:\s+for)?(?:\s+(.+))?$/i },
  // "Create order" alone opens the dialog without a buyer.
  { kind: 'order', pattern: /^(?:new|create)\s+order\s+(?:(?:for|of)(?:\s+(.+))?|(.+))$/i },
] as const;

/** The command in a text, whose buyer may be missing or incomplete; undefined if there is none. */
export function intentOf(text: string): Intent | undefined {
  const typed = text.trim();
  const limit = LIMIT.exec(typed);
  if (limit) return { kind: 'limit', buyer: limit[1] ?? '', limit: limit[2] ?? '' };
  for (const { kind, pattern } of OTHERS) {
    const match = pattern.exec(typed);
    if (match) return { kind, buyer: (match[1] ?? match[2])?.trim() ?? '' };
  }
  return undefined;
}

const MAX_ADDRESSEES = 5;

/** The buyers that the command can apply to, most likely first. */
export function addressees(intent: Intent, buyers: readonly BuyerRow[]): BuyerRow[] {
  const wanted = intent.buyer.toLowerCase();
  return buyers
    .filter((buyer) => isPossible(intent, buyer))
    .map((buyer) => ({ buyer, rank: rankOf(buyer, wanted) }))
    .filter(({ rank }) => rank < NO_MATCH)
    .toSorted((a, b) => a.rank - b.rank || a.buyer.buyer_id.localeCompare(b.buyer.buyer_id, 'de'))
    .slice(0, MAX_ADDRESSEES)
    .map(({ buyer }) => buyer);
}

function isPossible({ kind }: Intent, buyer: BuyerRow): boolean {
  // A deleted buyer's failed deliveries can be sent again.
  if (buyer.deleted) return kind === 'resend';
  switch (kind) {
    case 'limit':
      return buyer.order_id !== null;
    case 'pause':
      return buyer.active === 1;
    case 'resume':
      return buyer.active === 0 && buyer.order_id !== null;
    case 'resend':
    case 'order':
    case 'why':
      return true;
  }
}

const NO_MATCH = 4;

function rankOf(buyer: BuyerRow, wanted: string): number {
  const id = buyer.buyer_id.toLowerCase();
  if (id === wanted) return 0;
  if (id.startsWith(wanted)) return 1;
  if (id.includes(wanted)) return 2;
  return buyer.buyer_email.toLowerCase().includes(wanted) ? 3 : NO_MATCH;
}
