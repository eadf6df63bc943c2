import { reportDetail } from '#functions/api/common/report-detail';
import type { Report } from '#functions/channels/channel';
import type { PushResult } from '#functions/channels/pushover';
import type { Template } from '#functions/data/administration/template';
import type { Answer } from '#shared/contract/schemas';
import type { EmailTemplateRow } from '#shared/contract/schemas/settings';
import { SECRET_MASK } from '#shared/rules/constants';

export function templateRow(template: Template): EmailTemplateRow {
  return { ...template, smtp_pass: SECRET_MASK };
}

export function testEmailAnswer(report: Report, to: string): Answer<'sendTestEmail'> {
  const detail = reportDetail(report);
  return report.outcome === 'delivered'
    ? { ok: true, message: `Test email sent to ${to}`, detail }
    : { ok: false, message: 'The test email could not be sent', detail };
}

export function testPushAnswer(result: PushResult): Answer<'sendTestPush'> {
  return result.outcome === 'sent'
    ? { ok: true, message: 'Test notification sent', detail: null }
    : { ok: false, message: 'The test notification could not be sent', detail: result.detail };
}

export interface TestOutcome {
  readonly ok: boolean;
  readonly detail: string | null;
}

export function testAlertAnswer(outcomes: readonly TestOutcome[]): Answer<'sendTestAlert'> {
  if (outcomes.length === 0)
    return { ok: false, message: 'No recipient is configured for the test alert', detail: null };
  const failed = outcomes.filter(({ ok }) => !ok);
  const detailOf = (some: readonly TestOutcome[]) =>
    some.flatMap(({ detail }) => detail ?? []).join(', ') || null;
  return failed.length === 0
    ? { ok: true, message: 'Test alert sent', detail: detailOf(outcomes) }
    : { ok: false, message: 'The test alert could not be sent to every recipient', detail: detailOf(failed) };
}
