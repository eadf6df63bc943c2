import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { errorFields } from '#functions/platform/logger';

describe('an unexpected error is logged', () => {
  it('with its class and the first frame of our own code', async () => {
    const client = DynamoDBDocumentClient.from(
      new DynamoDBClient({ region: 'eu-central-1', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } }),
    );
    const error: unknown = await client
      .send(new PutCommand({ TableName: 't', Item: { a: new URL('https://leads.example') } }))
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ stack: expect.stringContaining('node_modules') });
    const { error: name, at } = errorFields(error);
    expect(name).toBe('Error');
    expect(at).toMatch(/^at /);
    const own = (() => {
      try {
        return JSON.parse('no json');
      } catch (thrown) {
        return errorFields(thrown);
      }
    })();
    expect(own).toMatchObject({ error: 'SyntaxError', at: expect.stringContaining('logger.test') });
  });

  it.each([
    ['connect ECONNREFUSED 10.0.0.7:587', 'connect ECONNREFUSED …'],
    [
      "Cannot read properties of undefined (reading 'vorname')",
      'Cannot read properties of undefined (reading …',
    ],
    ['Unexpected token \'M\', "Müller, Er"... is not valid JSON', 'Unexpected token … is not valid JSON'],
    ['550 Erika Mustermann <erika@example.org> unknown', '… unknown'],
    ['call +49 170 1234567 for iban DE02120300000000202051', 'call … for iban …'],
    ['bad key sk_live_abcdefghijklmnopqrstuvwxyz', 'bad key …'],
    ["The item doesn't fit: ValidationException", "The item doesn't fit: ValidationException"],
  ])('with its message, without data: %s', (message, reason) => {
    expect(errorFields(new Error(message)).reason).toBe(reason);
  });

  it('with a short message, even if the thrown value is not an error', () => {
    expect(errorFields(new Error('word '.repeat(5000))).reason?.length).toBeLessThanOrEqual(300);
    expect(errorFields('text with Erika')).toEqual({ error: 'string' });
  });
});
