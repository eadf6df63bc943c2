import * as z from 'zod/mini';
import * as field from '#shared/contract/fields';
import { publishedWith, when } from '#shared/contract/published';
import { weightRefusals } from '#shared/contract/refusals';
import { orderTerms } from '#shared/contract/rows/order-terms';
import { paceRow } from '#shared/contract/rows/pace';
import {
  ADDRESS_STATES,
  NOTIFICATION_KINDS,
  ORDER_STATUSES,
  RENEWALS,
  REORDER_STATES,
} from '#shared/rules/constants';

export const orderRow = z.object({
  order_id: z.number(),
  buyer_id: z.string(),
  buyer_order_number: z.number(),
  lead_limit: z.number(),
  leads_received: z.number(),
  reimbursement_pending: z.number(),
  reimbursement_delivered: z.number(),
  status: z.enum(ORDER_STATUSES),
  order_created_at: z.string(),
  order_created_at_formatted: z.string(),
  price_per_lead: z.nullable(z.number()),
  /** Euro: the price times the original leads. */
  actual_cost: z.nullable(z.number()),
  excel_link: z.nullable(z.string()),
  comments: z.string(),
  ...orderTerms,
  renewal: z.enum(RENEWALS),
  renewed_as: z.nullable(z.number()),
  reorder: z.nullable(
    z.object({ lead_limit: z.number(), requested_at: z.string(), state: z.enum(REORDER_STATES) }),
  ),
  ...paceRow,
});
export type OrderRow = z.output<typeof orderRow>;

const buyerPath = z.object({ buyerId: field.buyerId });
const orderPath = z.object({ orderId: field.wholeNumberId });
const limit = field.integer(1, 1_000_000, 'Invalid lead limit');
const cap = field.integer(1, 1_000_000, 'Must be a whole number from 1');
/** By Berlin days and weeks; null: no cap. */
const caps = {
  daily_cap: z.optional(z.nullable(cap)).register(publishedWith, {
    description: 'Maximum leads per day (Berlin time), including replacements; null for no limit',
  }),
  weekly_cap: z.optional(z.nullable(cap)).register(publishedWith, {
    description: 'Maximum leads from Monday to Sunday, including replacements; null for no limit',
  }),
  ends_on: z.optional(z.nullable(field.day)).register(publishedWith, {
    description:
      'The remaining leads are spread over the working days until this date (days of the buyer’s hours, if set). Leads still open after it are no longer spread',
  }),
};
const orderAnswer = z.object({ message: z.string(), order: orderRow });

const linkPath = z.object({ token: field.token });

const notificationKinds = z.object({
  claim_decided: z.boolean(),
  order_nearly_full: z.boolean(),
  weekly_statement: z.boolean(),
});
const preferencesAnswer = z.object({
  preferences: notificationKinds,
  /** Masked except for its first and last letters. */
  email: z.string(),
  /** Why nothing is sent there; null: it works. */
  closed: z.nullable(z.enum(ADDRESS_STATES)),
});
/** The token of an e-mail: it switches one kind for one buyer only. */
const subscriptionPath = z.object({ subscription: field.unsubscribeToken });
const subscription = z.object({ kind: z.enum(NOTIFICATION_KINDS), on: z.boolean() });

const endDateRefusals = {
  'invalid_input.ends_on': '`ends_on` is not a date, is in the past or is more than two years ahead',
};

export const orderSchemas = {
  /** The answer masks the address: `b…@…de`. */
  sendLinkCode: {
    summary: 'Send the buyer a code to open its links on a device',
    params: linkPath,
    answer: z.object({ message: z.string(), email: z.string() }),
  },
  confirmLinkCode: {
    summary: 'Open the buyer’s links on this device with the code',
    refusals: { wrong_code: 'the code is wrong, expired or already used' },

    params: linkPath,
    body: z.object({ code: z._default(field.line(20), '') }),
    answer: z.object({ message: z.string() }),
  },
  requestNewLink: {
    summary: 'Send the buyer of an expired link a new one',
    body: z.object({ token: field.token }),
    answer: z.object({ message: z.string() }),
  },
  listOrders: {
    summary: 'List all orders',
    answer: z.object({ orders: z.array(orderRow) }),
  },
  listBuyerOrders: {
    summary: 'List the orders of a buyer',
    params: buyerPath,
    answer: z.object({ orders: z.array(orderRow) }),
  },
  createOrder: {
    summary: 'Create an order for a buyer',
    refusals: {
      renewal_needs_postpay: 'a prepay order cannot renew automatically',
      ...endDateRefusals,
      ...weightRefusals,
      invalid_balance: 'the balance has fewer replacements, or the buyer is postpay',
    },

    body: z
      .object({
        buyer_id: field.buyerId,
        lead_limit: limit,
        renewal: z.optional(z.enum(RENEWALS)),
        ...caps,
        use_balance: z.optional(field.flag),
        balance_amount: z.pipe(
          z.optional(z.union([field.integer(0, 1_000_000), z.literal(''), z.null()])),
          z.transform((value) => value || 0),
        ),
      })
      .register(
        publishedWith,
        when(
          { properties: { use_balance: { enum: [true, 1] } }, required: ['use_balance'] },
          { properties: { balance_amount: { type: 'integer', minimum: 1 } }, required: ['balance_amount'] },
        ),
      ),
    answer: z.object({ message: z.string(), order: orderRow, excel_link: z.string() }),
  },
  previewOrder: {
    summary: 'Preview how many pending leads an order would take',
    refusals: endDateRefusals,

    query: z.object({
      buyer_id: field.buyerId,
      lead_limit: limit,
      balance_amount: z._default(field.integer(0, 1_000_000), 0),
      daily_cap: field.filter(cap),
      weekly_cap: field.filter(cap),
      ends_on: field.filter(field.day),
    }),
    answer: z.object({
      original_leads: z.number(),
      replacement_leads: z.number(),
      review_leads: z.number(),
      revenue: z.nullable(z.number()),
      /** More leads are pending than were examined. */
      more: z.boolean(),
    }),
  },
  updateOrderLimit: {
    summary: 'Change the lead limit of a buyer’s order',
    refusals: {
      ...weightRefusals,
      ...endDateRefusals,
      invalid_lead_limit: 'more leads than that have already been received',
    },

    params: buyerPath,
    body: z.object({
      lead_limit: limit,
      ...caps,
      expected: field.expectedFields(z.object({ lead_limit: limit, ...caps })),
    }),
    answer: orderAnswer,
  },
  deleteOrder: {
    summary: 'Delete an order; its leads stay',

    params: z.object({ buyerId: field.buyerId, orderId: field.wholeNumberId }),
    answer: z.object({ message: z.string() }),
  },
  updateOrderRenewal: {
    summary: 'Set what happens when an order is full',
    refusals: { renewal_needs_postpay: 'a prepay order cannot renew automatically' },

    params: orderPath,
    body: z.object({
      renewal: z.enum(RENEWALS),
      expected: field.expectedFields(z.object({ renewal: z.enum(RENEWALS) })),
    }),
    answer: orderAnswer,
  },
  viewNotificationPreferences: {
    summary: 'Read the notification preferences, as the buyer',
    params: linkPath,
    answer: preferencesAnswer,
  },
  changeNotificationPreferences: {
    summary: 'Change the notification preferences, as the buyer',
    params: linkPath,
    body: z.partial(notificationKinds),
    answer: preferencesAnswer,
  },
  openUnsubscription: {
    summary: 'Redirect to the unsubscribe page; changes nothing',
    params: subscriptionPath,
    answer: 'file',
  },
  unsubscribe: {
    summary: 'Unsubscribe from one kind of e-mail by its link (RFC 8058)',
    params: subscriptionPath,
    answer: subscription,
  },
  viewSubscription: {
    summary: 'Read the kind and state of an unsubscribe link',
    params: subscriptionPath,
    answer: subscription,
  },
  subscribeAgain: {
    summary: 'Undo an unsubscribe, by the link in the e-mail',
    params: subscriptionPath,
    answer: subscription,
  },
  requestReorder: {
    summary: 'Request the next order, as the buyer',

    params: linkPath,
    /** As many as this order by default. */
    body: z.object({ lead_limit: z.optional(limit) }),
    answer: z.object({ message: z.string() }),
  },
  decideReorder: {
    summary: 'Confirm or decline a buyer’s request for the next order',

    params: orderPath,
    body: z.object({ decision: z.enum(['confirmed', 'declined']) }),
    answer: z.object({
      message: z.string(),
      order: orderRow,
      next: z.nullable(orderRow),
    }),
  },
  restoreLastDeletedOrder: {
    summary: 'Restore the buyer’s last deleted order',
    refusals: weightRefusals,
    params: buyerPath,
    answer: orderAnswer,
  },
  regenerateOrderToken: {
    summary: 'Replace the link of an order',
    params: orderPath,
    answer: z.object({ excel_link: z.string() }),
  },
  switchOffOrderToken: {
    summary: 'Turn off the link of an order',
    params: orderPath,
    answer: z.object({ message: z.string() }),
  },
  updateOrderComments: {
    summary: 'Replace the comments on an order',

    params: orderPath,
    body: z.object({
      comments: field.text(5000),
      expected: field.expected({ comments: field.text(5000) }),
    }),
    answer: z.object({ message: z.string(), comments: z.string() }),
  },
  sendStatement: {
    summary: 'E-mail a buyer the link to its statement',

    params: buyerPath,
    answer: z.object({
      message: z.string(),
      email: z.string(),
    }),
  },
} as const;
