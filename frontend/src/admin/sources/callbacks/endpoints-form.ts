import { CALLBACK_EVENTS, type CallbackEvent, type Endpoint } from '#shared/rules/constants';
import { callbackUrlProblem, postbackProblem } from '#shared/rules/postback';
import type { Endpoints } from '../../data/callbacks';
import { INVALID } from '../../invalid-texts';

/** Without an address the endpoint does not exist. */
interface EndpointValues {
  url: string;
  events: string[];
}

/** What the form holds. */
export type EndpointsValues = Record<Endpoint, EndpointValues>;

export function endpointsValuesOf({ webhook, postback }: Endpoints): EndpointsValues {
  return { webhook: valuesOf(webhook), postback: valuesOf(postback) };
}

const valuesOf = (stored: Endpoints[Endpoint]): EndpointValues =>
  stored === null
    ? { url: '', events: [...CALLBACK_EVENTS] }
    : { url: stored.url, events: [...stored.events] };

export const endpointsOf = ({ webhook, postback }: EndpointsValues) => ({
  webhook: choiceOf(webhook),
  postback: choiceOf(postback),
});

/** In the order of the contract. */
function choiceOf({ url, events }: EndpointValues): { url: string; events: CallbackEvent[] } | null {
  if (url.trim() === '') return null;
  return { url: url.trim(), events: CALLBACK_EVENTS.filter((event) => events.includes(event)) };
}

export function validateEndpoints(values: EndpointsValues): Record<string, string> {
  const { webhook, postback } = endpointsOf(values);
  return {
    ...problemsOf('webhook', webhook, callbackUrlProblem),
    ...problemsOf('postback', postback, postbackProblem),
  };
}

function problemsOf(
  name: Endpoint,
  choice: ReturnType<typeof choiceOf>,
  problemOf: (url: string) => string | undefined,
): Record<string, string> {
  if (choice === null) return {};
  const problem = problemOf(choice.url);
  return {
    ...(problem !== undefined && { [`${name}.url`]: problem }),
    ...(choice.events.length === 0 && { [`${name}.events`]: INVALID.events }),
  };
}
