/** All stored data about a person is disclosed to the person, or this test says why not. */
import { expect, it } from 'vitest';
import { DISCLOSED_FIELDS } from '#functions/api/people/information';
import { TRACED } from '#functions/data/leads/traces';
import { personalFields } from '#functions/data/personal';

it.each(TRACED)(
  'a kind of stored item discloses every personal field of %s, or has a reason not to',
  (kind, { schema }) => {
    const { fields, withheld = {} } = DISCLOSED_FIELDS[kind];
    const known = new Set([...Object.keys(fields), ...Object.keys(withheld)]);
    const personal = kind === 'auditEntry' ? ['changes'] : personalFields(schema);
    expect(personal.filter((name) => !known.has(name))).toEqual([]);
    expect(Object.keys(fields).filter((name) => !(name in schema.shape))).toEqual([]);
  },
);
