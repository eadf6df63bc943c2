import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { createPartnerGuard } from '#functions/channels/partner-http';
import { createPushover } from '#functions/channels/pushover';
import { longestCallMs, sendOverSmtp } from '#functions/channels/smtp';
import { companyDetails } from '#functions/data/administration/company';
import * as alertStore from '#functions/data/alerts/alert-store';
import { openTable } from '#functions/data/table/open-table';
import { noteReport } from '#functions/domain/common/addresses';
import { type NotifyContext, notify } from '#functions/domain/deliveries/notifications';
import { personToken } from '#functions/domain/leads/person-links';
import { linkCode } from '#functions/domain/orders/link-access';
import { unsubscribeToken } from '#functions/domain/orders/notification-preferences';
import { createKeyLoader } from '#functions/keys/keys';
import { createMailer } from '#functions/mail/mailer';
import { createHttp } from '#functions/net/http';
import { createOperator } from '#functions/operator/operator';
import type { Runtime } from '#functions/platform/runtime';
import { notifyMessage } from '#functions/queues/messages';
import { forEachMessage } from '#functions/queues/worker';
import type { FunctionEnvironment } from '#functions/workers/notify/environment';
import { createTexts } from '#functions/workers/notify/texts';
import { lazy } from '#shared/rules/lazy';

export type QueueHandler = (event: SQSEvent) => Promise<SQSBatchResponse>;

/** Pushover allows two connections, and at most two workers run at the same time. */
const PUSHOVER_CONNECTIONS = 1;
/** Shorter than for a lead: pushes wait for the same worker, and the list shows the decision anyway. */
const EMAIL_TIMEOUTS_MS = {
  connect: 10_000,
  greeting: 10_000,
  handOver: 20_000,
  confirmation: 60_000,
} as const;

export function create(environment: FunctionEnvironment, runtime: Runtime): QueueHandler {
  const table = openTable(environment, runtime);
  const loadKeys = createKeyLoader(environment, runtime.log);
  const guard = createPartnerGuard(environment);
  const platform = createMailer(environment, runtime.log);
  const review = lazy(async () => {
    const { createClaimReview } = await import('#functions/platform/claim-review');
    return createClaimReview(environment, runtime, table, async () => (await loadKeys()).person);
  });
  const withoutKeys = {
    table,
    alertAddresses: async () => {
      const { emails } = await alertStore.settings({ table });
      return emails.length > 0 ? emails : [environment.OPERATOR_EMAIL ?? []].flat();
    },
    push: createPushover({
      http:
        runtime.externalServices?.http ??
        createHttp(guard, { connections: PUSHOVER_CONNECTIONS, timeout: runtime.timeout }),
      baseUrl: environment.PUSHOVER_API_URL.replace(/\/+$/, ''),
      now: runtime.now,
    }),
    notifyOperator: createOperator(environment, runtime.log),
    reviewClaim: async (leadId: string) => (await review())(leadId),
    runtime,
  };

  return async (event) => {
    const [{ cipher, link, unsubscription, consentLink, person }, company] = await Promise.all([
      loadKeys(),
      companyDetails({ table }),
    ]);
    const personKey = async () => person;
    const context: NotifyContext = {
      ...withoutKeys,
      cipher,
      personKey,
      texts: createTexts(environment.PUBLIC_BASE_URL, company),
      platformMail: ({ to, subject, text, unsubscribe }) => platform(to, subject, text, unsubscribe),
      unsubscribeToken: (buyer, kind) => unsubscribeToken(unsubscription, buyer, kind),
      linkCode: (orderId, request) => linkCode(link, orderId, request),
      personToken: (leadId, purpose) => personToken(consentLink, leadId, purpose),
      mail: async (template, message) => {
        const report = await sendOverSmtp(
          { guard, cipher, timeouts: EMAIL_TIMEOUTS_MS, mail: runtime.externalServices?.mail },
          template,
          message,
          runtime.timeout(longestCallMs(EMAIL_TIMEOUTS_MS)),
        );
        await noteReport({ table, personKey, runtime }, message.to, `smtp#${message.messageId}`, report);
        return report;
      },
    };
    return forEachMessage(event, notifyMessage, runtime.log, (message) => notify(context, message));
  };
}
