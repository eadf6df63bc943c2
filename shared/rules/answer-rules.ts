/** What a partner's answer means: the first matching rule decides, else the HTTP status. */
import { PATH_EXPECTED, stepsOf, valueAt } from '#shared/rules/answer-path';
import { readXml } from '#shared/rules/xml';

export const VERDICTS = ['accepted', 'duplicate', 'refused', 'retry'] as const;
export const RULE_SUBJECTS = ['status', 'path', 'text'] as const;

export interface AnswerRule {
  readonly subject: (typeof RULE_SUBJECTS)[number];
  readonly path: string;
  /**
   * Status: `409`, `4xx` or `200-204`, separated by commas. Path: its value, or `*` for any. Text: a part of it. All
   * regardless of case.
   */
  readonly value: string;
  readonly verdict: (typeof VERDICTS)[number];
}

export interface Judgement {
  /**
   * `unclear`: a success that no rule for accepted leads matches, or without such rules an HTML page or broken JSON, as
   * servers in maintenance send.
   */
  readonly verdict: AnswerRule['verdict'] | 'by_status' | 'unclear';
  /** Index; null: none matched. */
  readonly rule: number | null;
}

const STATUS = /^(?:[1-5]xx|[1-5]\d\d(?:\s*-\s*[1-5]\d\d)?)$/i;

export function ruleProblem({ subject, path, value }: AnswerRule): string | undefined {
  if (value.trim() === '') return 'the expected value is missing';
  switch (subject) {
    case 'status':
      return value.split(',').every((part) => STATUS.test(part.trim()))
        ? undefined
        : 'enter a status such as 409, 4xx or 200-204';
    case 'path':
      return stepsOf(path) === undefined ? PATH_EXPECTED : undefined;
    case 'text':
      return undefined;
  }
}

export interface JudgedAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly parsed: () => unknown;
}

export function judge(rules: readonly AnswerRule[], answer: JudgedAnswer): Judgement {
  const index = rules.findIndex((rule) => fits(rule, answer));
  const found = rules[index];
  if (found !== undefined) return { verdict: found.verdict, rule: index };
  const isSuccess = answer.status >= 200 && answer.status < 300;
  const hasAccepting = rules.some(({ verdict }) => verdict === 'accepted');
  return { verdict: isSuccess && (hasAccepting || isBroken(answer)) ? 'unclear' : 'by_status', rule: null };
}

function isBroken({ type, body, parsed }: JudgedAnswer): boolean {
  if (body.trim() === '') return false;
  if (/^\s*(?:<!doctype html|<html)\b/i.test(body)) return true;
  return (
    (/\bjson\b/i.test(type) || /^\s*[{[]/.test(body)) && typeof parsed() === 'string' && !/^\s*"/.test(body)
  );
}

function fits({ subject, path, value }: AnswerRule, answer: JudgedAnswer): boolean {
  switch (subject) {
    case 'status':
      return value.split(',').some((part) => includesStatus(part.trim(), answer.status));
    case 'path': {
      const steps = stepsOf(path);
      return steps !== undefined && isValue(valueAt(answer.parsed(), steps), value.trim());
    }
    case 'text':
      return answer.body.toLowerCase().includes(value.trim().toLowerCase());
  }
}

function includesStatus(part: string, status: number): boolean {
  if (/^\dxx$/i.test(part)) return Math.floor(status / 100) === Number(part[0]);
  const [first, last = first] = part.split('-').map(Number);
  return first !== undefined && last !== undefined && status >= first && status <= last;
}

function isValue(found: unknown, value: string): boolean {
  if (found === undefined || found === null) return false;
  if (typeof found === 'object') return value === '*' && Object.keys(found).length > 0;
  const text = (typeof found === 'string' ? found : JSON.stringify(found)).trim().toLowerCase();
  return value === '*' ? text !== '' && text !== 'false' : text === value.toLowerCase();
}

/** JSON, else XML, else the text. */
export function parsedAnswer(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    const xml = body.trimStart().startsWith('<') ? readXml(body.trim()) : undefined;
    return xml?.ok === true ? xml.value : body.trim();
  }
}
