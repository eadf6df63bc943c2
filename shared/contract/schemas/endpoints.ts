import * as z from 'zod/mini';
import * as field from '#shared/contract/fields';
import { publishedWith } from '#shared/contract/published';
import { CALLBACK_EVENTS, KEY_SLOTS } from '#shared/rules/constants';
import { INVALID } from '#shared/rules/invalid-texts';
import {
  CALLBACK_URL,
  callbackUrlProblem,
  POSTBACK_MACROS,
  POSTBACK_URL,
  postbackProblem,
} from '#shared/rules/postback';

const longest = z.maxLength(2000, 'At most 2000 characters');

const events = field.distinct(
  z
    .array(z.enum(CALLBACK_EVENTS))
    .check(z.minLength(1, INVALID.events), z.maxLength(CALLBACK_EVENTS.length, 'Every event once')),
);

const choices = {
  webhook: z.nullable(
    z.object({ url: field.matching(CALLBACK_URL, callbackUrlProblem).check(longest), events }),
  ),
  postback: z.nullable(
    z.object({
      url: field
        .matching(POSTBACK_URL, postbackProblem)
        .check(longest)
        .register(publishedWith, {
          description: `Can contain ${POSTBACK_MACROS.map((name) => `{${name}}`).join(', ')} after the host name`,
        }),
      events,
    }),
  ),
};

const endpoint = z.nullable(
  z.object({
    url: z.string(),
    events: z.array(z.enum(CALLBACK_EVENTS)),
    /** Since when nothing is sent, because the receiver answered 410. */
    gone_at: z.nullable(z.string()),
  }),
);
const endpoints = z.object({
  webhook: endpoint,
  postback: endpoint,
  secrets: z.array(z.object({ slot: z.enum(KEY_SLOTS), created_at: z.string() })),
});
export type EndpointsRow = z.output<typeof endpoints>;

const params = z.object({ sourceId: field.wholeNumberId });
const one = z.object({ message: z.string(), endpoints });
/** Shown once. */
const secret = z.string();

export const endpointSchemas = {
  getEndpoints: {
    summary: 'Read the callback endpoints of a source',
    params,
    answer: endpoints,
  },
  updateEndpoints: {
    summary: 'Set the callback endpoints of a source; the first webhook gets a secret',

    params,
    body: field.edit(choices),
    answer: z.extend(one, { secret: z.nullable(secret) }),
  },
  createSigningSecret: {
    summary: 'Create a second webhook signing secret, shown once',
    params,
    answer: z.extend(one, { secret }),
  },
  revokeSigningSecret: {
    summary: 'Revoke a webhook signing secret',
    params: z.extend(params, { slot: z.enum(KEY_SLOTS) }),
    answer: one,
  },
} as const;
