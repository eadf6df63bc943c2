import type { APIGatewayProxyStructuredResultV2 as Result } from 'aws-lambda';
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
};

const RETRY_AFTER_SECONDS = 5;

/** An unexpected error is logged, and the client gets only its request ID. A timeout becomes 503. */
export function errorAnswer(error: unknown, requestId: string, log: Logger): Result {
  if (error instanceof DomainError) {
    const statusCode = STATUS[error.kind];
    log.info('refused', { code: error.code, status: statusCode, requestId });
    return {
      statusCode,
      headers: {
        'content-type': 'application/json',
        ...(error.retryAfter !== undefined && { 'retry-after': String(error.retryAfter) }),
      },
      body: JSON.stringify({ error: error.message, code: error.code, fields: error.fields }),
    };
  }
  log.error('failed', { requestId, ...errorFields(error) });
  // Both Middy and the AWS SDK use this name.
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

/** Shown after the name of their field; other texts are complete sentences. */
const NEEDS_ITS_FIELD =
  /^(Required|Text|Number|List|Object|Must|At (least|most)|Not|Only|Whole|true|Control|Unknown|Invalid input)/;

/** The first text is the message, `fields` has all of them. */
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
