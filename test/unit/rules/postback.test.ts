import { expect, it } from 'vitest';
import { callbackUrlProblem, postbackProblem } from '#shared/rules/postback';

it.each([
  ['https://tracker.example/postback?cid={clickId}&status={status}', undefined],
  ['http://tracker.example:8080/{leadId}', undefined],
  ['https://tracker.example/?x={vorname}', /^Unknown macro \{vorname\}\. Available: \{clickId\}/],
  ['https://tracker.example/?x={}', /Unknown macro \{\}/],
  ['https://tracker.example/?x={clickId', /A brace has no counterpart/],
  ['https://{clickId}.example/', /The host name cannot contain a macro/],
  ['https://tracker.example{clickId}/', /The host name cannot contain a macro/],
  ['{clickId}://tracker.example/', /The host name cannot contain a macro/],
  ['ftp://tracker.example/', /starts with https/],
  ['javascript:alert(1)', /starts with https/],
  ['https://user:pass@tracker.example/', /starts with https/],
  ['https://', /starts with https/],
] as const)('a postback to %s is checked', (template, problem) => {
  const found = postbackProblem(template);
  if (problem === undefined) expect(found).toBeUndefined();
  else expect(found).toMatch(problem);
});

it('a webhook has no macros', () => {
  expect(callbackUrlProblem('https://source.example/hook')).toBeUndefined();
  expect(callbackUrlProblem('source.example/hook')).toMatch(/starts with/);
});
