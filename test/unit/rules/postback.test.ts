import { expect, it } from 'vitest';
import { callbackUrlProblem, postbackProblem } from '#shared/rules/postback';

it.each([
  ['https://tracker.example/postback?cid={clickId}&status={status}', undefined],
  ['http://tracker.example:8080/{leadId}', undefined],
  ['https://tracker.example/?x={vorname}', /^\{vorname\} is not known\. Known are \{clickId\}/],
  ['https://tracker.example/?x={}', /is not known/],
  ['https://tracker.example/?x={clickId', /stands alone/],
  ['https://{clickId}.example/', /name of the server/],
  ['https://tracker.example{clickId}/', /name of the server/],
  ['{clickId}://tracker.example/', /name of the server/],
  ['ftp://tracker.example/', /begins with https/],
  ['javascript:alert(1)', /begins with https/],
  ['https://user:pass@tracker.example/', /begins with https/],
  ['https://', /begins with https/],
] as const)('a postback to %s is checked', (template, problem) => {
  const found = postbackProblem(template);
  if (problem === undefined) expect(found).toBeUndefined();
  else expect(found).toMatch(problem);
});

it('a webhook has no macros', () => {
  expect(callbackUrlProblem('https://source.example/hook')).toBeUndefined();
  expect(callbackUrlProblem('source.example/hook')).toMatch(/begins with/);
});
