/** The status, code and text of errors in answers. */
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import {
  conflict,
  DomainError,
  type ErrorKind,
  forbidden,
  invalid,
  notFound,
  secretsRequired,
} from '#functions/domain/common/errors';
import { errorAnswer, inPlainWords, invalidRequest } from '#functions/http/errors';
import type { Logged } from '#test/harness/api';

function answerTo(error: unknown) {
  const logged: Logged[] = [];
  const at = (level: string) => (message: string, fields?: object) => {
    logged.push({ level, message, fields });
  };
  const answer = errorAnswer(error, 'request-1', { info: at('info'), warn: at('warn'), error: at('error') });
  return { ...answer, json: JSON.parse(answer.body ?? '') as object, logged };
}

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

describe('a domain error', () => {
  it.each(Object.entries(STATUS))('of the kind %s has the status %d', (kind, status) => {
    const { statusCode, headers, json, logged } = answerTo(
      new DomainError(kind as ErrorKind, 'some_code', 'Some text'),
    );
    expect(statusCode).toBe(status);
    expect(headers).toEqual({ 'content-type': 'application/json' });
    expect(json).toEqual({ error: 'Some text', code: 'some_code' });
    expect(logged).toEqual([
      { level: 'info', message: 'refused', fields: { code: 'some_code', status, requestId: 'request-1' } },
    ]);
  });

  it('contains the invalid fields, and when to retry', () => {
    expect(answerTo(invalid('bad', 'Bad', { name: 'Required' })).json).toEqual({
      error: 'Bad',
      code: 'bad',
      fields: { name: 'Required' },
    });
    const later = new DomainError('too_many', 'too_many_attempts', 'Later', { retryAfter: 7 });
    expect(answerTo(later).headers).toEqual({ 'content-type': 'application/json', 'retry-after': '7' });
  });

  it.each([
    [notFound('Email template'), 'not_found', 'email_template_not_found', 'Email template not found'],
    [conflict('taken', 'Taken'), 'conflict', 'taken', 'Taken'],
    [forbidden('closed', 'Closed'), 'forbidden', 'closed', 'Closed'],
    [invalid('bad', 'Bad'), 'invalid', 'bad', 'Bad'],
    [
      secretsRequired(['smtp_pass']),
      'invalid',
      'secret_required',
      'The destination has changed. Enter its password or key again.',
    ],
  ])('has a short form: %s', (error, kind, code, message) => {
    expect(error).toMatchObject({ name: 'DomainError', kind, code, message });
  });
});

it('contains only the request ID for an unexpected error', () => {
  const { statusCode, headers, json, logged } = answerTo(new RangeError('of Max Mustermann'));
  expect(statusCode).toBe(500);
  expect(headers).toEqual({ 'content-type': 'application/json' });
  expect(json).toEqual({
    error: 'Something went wrong. Please try again. (request-1)',
    code: 'internal_error',
    request_id: 'request-1',
  });
  expect(logged).toMatchObject([
    { level: 'error', message: 'failed', fields: { requestId: 'request-1', error: 'RangeError' } },
  ]);
  expect(JSON.stringify(logged)).not.toContain('Mustermann');
});

it('says that a timed-out call can be repeated', async () => {
  const never = () => new Promise<never>(() => {});
  const handler = middy<object, object>().handler(never);
  const context = { getRemainingTimeInMillis: () => 6 } as Context;
  const error: unknown = await Promise.resolve(handler({}, context)).catch((failed: unknown) => failed);
  const { statusCode, headers, json, logged } = answerTo(error);
  expect(statusCode).toBe(503);
  expect(headers).toEqual({ 'content-type': 'application/json', 'retry-after': '5' });
  expect(json).toEqual({
    error: 'There was no answer in time. Please try again. (request-1)',
    code: 'timed_out',
    request_id: 'request-1',
  });
  expect(logged).toMatchObject([{ level: 'error', message: 'failed' }]);
});

describe('a value rejected by a schema without its own text', () => {
  const textOf = (schema: z.ZodMiniType, value: unknown) =>
    schema.safeParse(value, { error: inPlainWords }).error?.issues[0]?.message;

  it.each([
    ['Required', z.string(), undefined],
    ['Text expected', z.string(), 1],
    ['Number expected', z.number(), 'x'],
    ['Whole number expected', z.int(), 1.5],
    ['true or false expected', z.boolean(), 'x'],
    ['List expected', z.array(z.string()), 'x'],
    ['Object expected', z.object({}), 'x'],
    ['Invalid input', z.date(), 'x'],
    ['Must be a', z.literal('a'), 'x'],
    ['Must be a or b', z.enum(['a', 'b']), 'x'],
    ['Must be a, b or c', z.enum(['a', 'b', 'c']), 'x'],
    ['At least 2', z.number().check(z.minimum(2)), 1],
    ['At least 2 characters', z.string().check(z.minLength(2)), 'x'],
    ['At least 2 entries', z.array(z.string()).check(z.minLength(2)), ['x']],
    ['At most 2', z.number().check(z.maximum(2)), 3],
    ['At most 2 characters', z.string().check(z.maxLength(2)), 'xxx'],
    ['At most 1 entries', z.array(z.string()).check(z.maxLength(1)), ['x', 'x']],
    ['Invalid input', z.string().check(z.regex(/a/)), 'x'],
    ['Invalid input', z.union([z.string(), z.number()]), true],
    ['Invalid input', z.strictObject({}), { a: 1 }],
    ['Invalid input', z.number().check(z.multipleOf(2)), 3],
    ['Invalid input', z.string().check(z.refine(() => false)), 'x'],
  ] as const)('is called %j', (text, schema, value) => {
    expect(textOf(schema, value)).toBe(text);
  });
});

describe('a request that does not fit its schema', () => {
  const of = (...issues: { path: (string | number)[]; message: string }[]) => {
    const { kind, code, message, fields } = invalidRequest({ issues } as unknown as z.core.$ZodError);
    expect({ kind, code }).toEqual({ kind: 'invalid', code: 'invalid_input' });
    return { message, fields };
  };

  it('is rejected with the first text, and the first text of every field', () => {
    expect(
      of(
        { path: ['b'], message: 'Required' },
        { path: ['a', 0], message: 'Text expected' },
        { path: ['b'], message: 'At least 1' },
      ),
    ).toEqual({ message: 'B: Required', fields: { b: 'Required', 'a.0': 'Text expected' } });
  });

  it('has the field name "request" for errors without a field or reason', () => {
    expect(of({ path: [], message: 'Object expected' })).toEqual({
      message: 'Request: Object expected',
      fields: { request: 'Object expected' },
    });
    expect(of()).toEqual({ message: 'Request: Invalid input', fields: {} });
  });

  const OF_A_FIELD = `Required|Text expected|Number expected|List expected|Object expected|Must be a|At least 1|At most 1
    |Not a telephone number|Only letters|Whole number expected|true or false expected|Control characters|Unknown field
    |Invalid input`;
  it.each(OF_A_FIELD.split(/\s*\|/))('prefixes %j with the field name', (text) => {
    expect(of({ path: ['name'], message: text }).message).toBe(`Name: ${text}`);
  });

  it.each(['Invalid lead limit', 'Total probability cannot exceed 100%', 'Please say Required', 'Atlas'])(
    'has no prefix for %j, which is a sentence',
    (text) => {
      expect(of({ path: ['name'], message: text }).message).toBe(text);
    },
  );
});
