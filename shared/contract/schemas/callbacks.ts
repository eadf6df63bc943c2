import * as z from 'zod/mini';
import * as field from '#shared/contract/fields';
import { cursorRefusals } from '#shared/contract/refusals';
import { callbackRow } from '#shared/contract/rows/callback';
import { ENDPOINTS } from '#shared/rules/constants';

const CALLBACK_ID =
  /^(?:webhook|postback)_(?:lead_(?:assigned|pending|discarded|feedback)|claim_(?:approved|rejected))_\d{1,9}(?:_\d{1,2})?$/;

const source = z.object({ sourceId: field.wholeNumberId });

export const callbackSchemas = {
  listCallbacks: {
    summary: 'List the callbacks of a source, newest first',
    refusals: cursorRefusals,

    params: source,
    query: z.object({ limit: z._default(field.integer(1, 200), 50), cursor: field.cursor }),
    answer: z.object({ callbacks: z.array(callbackRow), next_cursor: z.nullable(z.string()) }),
  },
  resendCallback: {
    summary: 'Resend a callback with the same ID',

    params: z.object({
      leadId: field.leadId,
      callbackId: z.string().check(z.regex(CALLBACK_ID, 'Not a callback')),
    }),
    answer: z.object({ message: z.string() }),
  },
  sendTestCallback: {
    summary: 'Send a test event to an endpoint of a source',

    params: z.extend(source, { endpoint: z.enum(ENDPOINTS) }),
    answer: z.object({
      outcome: z.enum(['delivered', 'transient', 'permanent', 'unknown']),
      status_code: z.nullable(z.number()),
      answer: z.nullable(z.string()),
    }),
  },
} as const;
