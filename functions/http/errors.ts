/** Turns errors into responses: their HTTP status and what they tell the client. */
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type * as z from 'zod/mini';
import { DomainError, type ErrorKind, invalid } from '#functions/domain/common/errors';
import { errorFields, type Logger } from '#functions/platform/logger';
import { fieldLabel } from '#shared/rules/field-labels';

const STATUS: Readonly<Record<ErrorKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  unsupported: 415,
  too_many: 429,
  not_implemented: 501,
};

/** After so many seconds a client may repeat a call that was not answered in time. */
const RETRY_AFTER_SECONDS = 5;

/**
 * `{ error, code, fields? }` with its status; an unexpected error is logged and tells the client only its request id. A call
 * that the function, or the table, had no time to answer is a 503: it may be repeated.
 */
export function errorAnswer(
  error: unknown,
  requestId: string,
  log: Logger,
): APIGatewayProxyStructuredResultV2 {
  if (error instanceof DomainError) {
    const statusCode = STATUS[error.kind];
    log.info('refused', { code: error.code, status: statusCode, requestId });
    return {
      statusCode,
      headers: {
        'content-type': 'application/json',
        ...(error.retryAfter !== undefined && { 'retry-after': String(error.retryAfter) }),
      },
      body: JSON.stringify({
        error: error.message,
        code: error.code,
        ...(error.fields !== undefined && { fields: error.fields }),
      }),
    };
  }
  log.error('failed', { requestId, ...errorFields(error) });
  // The name that both Middy and the AWS SDK give it.
  const timedOut = error instanceof Error && error.name === 'TimeoutError';
  return {
    statusCode: timedOut ? 503 : 500,
    headers: {
      'content-type': 'application/json',
      ...(timedOut && { 'retry-after': String(RETRY_AFTER_SECONDS) }),
    },
    body: JSON.stringify({
      error: `${timedOut ? 'There was no answer in time' : 'Something went wrong'}. Please try again. (${requestId})`,
      code: timedOut ? 'timed_out' : 'internal_error',
      request_id: requestId,
    }),
  };
}

const EXPECTED = new Map([
  ['string', 'Text expected'],
  ['number', 'Number expected'],
  ['int', 'Whole number expected'],
  ['boolean', 'true or false expected'],
  ['array', 'List expected'],
  ['object', 'Object expected'],
]);

const UNITS = new Map([
  ['string', ' characters'],
  ['array', ' entries'],
]);

const OTHERWISE = 'Invalid input';

const oneOf = (values: readonly string[]) =>
  [values.slice(0, -1).join(', '), ...values.slice(-1)].filter(Boolean).join(' or ');

/** The text for an invalid value whose schema has no text of its own. */
export const inPlainWords: z.core.$ZodErrorMap = (issue) => {
  if (issue.input === undefined) return 'Required';
  switch (issue.code) {
    case 'invalid_type':
      return EXPECTED.get(issue.expected) ?? OTHERWISE;
    case 'invalid_value':
      return `Must be ${oneOf(issue.values.map(String))}`;
    case 'too_small':
      return `At least ${issue.minimum}${UNITS.get(issue.origin) ?? ''}`;
    case 'too_big':
      return `At most ${issue.maximum}${UNITS.get(issue.origin) ?? ''}`;
    case 'invalid_format':
    case 'invalid_union':
    case 'invalid_key':
    case 'invalid_element':
    case 'not_multiple_of':
    case 'unrecognized_keys':
    case 'custom':
      return OTHERWISE;
  }
};

/** Texts that are shown after the name of their field; the others are complete sentences. */
const NEEDS_ITS_FIELD =
  /^(Required|Text|Number|List|Object|Must|At (least|most)|Not|Only|Whole|true|Control|Unknown|Invalid input)/;

/** The error (400) for a request that does not fit its schema: the first text as message, all of them in `fields`. */
export function invalidRequest(error: z.core.$ZodError): DomainError {
  const texts = new Map<string, string>();
  for (const issue of error.issues) {
    const name = issue.path.map(String).join('.') || 'request';
    if (!texts.has(name)) texts.set(name, issue.message);
  }
  const [name, text] = [...texts][0] ?? ['request', OTHERWISE];
  return invalid(
    'invalid_input',
    NEEDS_ITS_FIELD.test(text) ? `${fieldLabel(name)}: ${text}` : text,
    Object.fromEntries(texts),
  );
}
