import { credentialRow } from '#functions/api/common/credential-row';
import {
  type TestOutcome,
  templateRow,
  testAlertAnswer,
  testEmailAnswer,
  testPushAnswer,
} from '#functions/api/settings/answers';
import type { FunctionEnvironment } from '#functions/api/settings/environment';
import { createPartnerGuard } from '#functions/channels/partner-http';
import { createPushover } from '#functions/channels/pushover';
import { sendOverSmtp } from '#functions/channels/smtp';
import type { PushoverCredential } from '#functions/data/administration/settings';
import { createSettingStore } from '#functions/data/administration/settings-store';
import type { Template } from '#functions/data/administration/template';
import { createTemplateStore } from '#functions/data/administration/template-store';
import { createAlertStore } from '#functions/data/alerts/alert-store';
import { createBuyerStore } from '#functions/data/buyers/buyer-store';
import { createRetentionStore } from '#functions/data/leads/retention-store';
import { createOrderStore } from '#functions/data/orders/order-store';
import { openTable } from '#functions/data/table/open-table';
import { pushText } from '#functions/domain/administration/push-text';
import {
  createCredential,
  createTemplate,
  deleteCredential,
  deleteTemplate,
  newTemplate,
  requireCredential,
  requireTemplate,
  savePushText,
  saveStatusPage,
  saveSwitches,
  updateCredential,
  updateTemplate,
} from '#functions/domain/administration/settings';
import { saveAlertSettings } from '#functions/domain/alerts/settings';
import { sendTestEmail, sendTestPush } from '#functions/domain/deliveries/test-delivery';
import { previewRetention, saveRetention } from '#functions/domain/leads/retention';
import { type ApiHandler, createApi } from '#functions/http/api';
import { createApiDeps } from '#functions/http/deps';
import { createMailer } from '#functions/mail/mailer';
import { createHttp } from '#functions/net/http';
import type { Runtime } from '#functions/runtime';
import { settingSchemas } from '#shared/contract/schemas/settings';

export function create(environment: FunctionEnvironment, runtime: Runtime): ApiHandler {
  const table = openTable(environment, runtime);
  const api = createApiDeps(environment, runtime, table);
  const guard = createPartnerGuard(environment);
  const cipher = async () => (await api.keys()).cipher;
  const deps = {
    table,
    templates: createTemplateStore(table),
    settings: createSettingStore(table),
    buyers: createBuyerStore(table),
    orders: createOrderStore(table),
    retention: createRetentionStore(table),
    alerts: createAlertStore(table),
    cipher,
    runtime,
  };
  const push = createPushover({
    http: createHttp(guard, { connections: 1, timeout: runtime.timeout }),
    baseUrl: environment.PUSHOVER_API_URL.replace(/\/+$/, ''),
    now: runtime.now,
  });

  const sendTestPushes = async (): Promise<TestOutcome[]> => {
    const opened = await cipher();
    const outcomes: TestOutcome[] = [];
    // One after another: Pushover asks for few connections.
    for (const credential of await deps.settings.credentials()) {
      const { ok, detail } = testPushAnswer(await sendTestPush({ push, cipher: opened }, credential));
      outcomes.push({ ok, detail });
    }
    return outcomes;
  };
  const mail = createMailer(environment, runtime.log);
  const sendTestMails = (emails: readonly string[]): Promise<TestOutcome[]> =>
    Promise.all(
      (emails.length > 0 ? emails : [environment.OPERATOR_EMAIL ?? []].flat()).map(async (to) => ({
        ok: await mail(to, 'Test alert', 'Alerts of the lead distribution reach you here.\n'),
        detail: to,
      })),
    );

  const sendTest = async (template: Template, to: string) => {
    const opened = await cipher();
    const report = await sendTestEmail(
      {
        mail: (by, message, signal) => sendOverSmtp({ guard, cipher: opened }, by, message, signal),
        publicBaseUrl: environment.PUBLIC_BASE_URL,
        runtime,
      },
      template,
      to,
    );
    return testEmailAnswer(report, to);
  };

  const shown = async (credential: PushoverCredential) => credentialRow(credential, await cipher());

  return createApi('settings', settingSchemas, api, {
    getVerificationSettings: () => deps.settings.switches(),
    saveVerificationSettings: async ({ body, session }) => ({
      message: 'Settings saved successfully',
      settings: await saveSwitches(deps, session.username, body),
    }),

    getRetention: async () => {
      const [days, pass] = await Promise.all([deps.retention.settings(), deps.retention.progress()]);
      return {
        days,
        pass:
          pass === undefined ? null : { day: pass.day, erased: pass.erased, over: pass.kind === undefined },
      };
    },
    saveRetention: async ({ body: { seen, ...days }, session }) => ({
      message: 'Settings saved successfully',
      days: await saveRetention(deps, session.username, days, seen),
    }),
    previewRetention: async ({ query: { delivered = null, pending = null, rejected = null } }) => ({
      kinds: await previewRetention(deps, { delivered, pending, rejected }),
    }),

    getAlertSettings: async () => {
      const [{ version: _, ...settings }, credentials] = await Promise.all([
        deps.alerts.settings(),
        deps.settings.credentials(),
      ]);
      return {
        settings,
        operator: environment.OPERATOR_EMAIL ?? null,
        sender: environment.SES_FROM !== undefined,
        credentials: credentials.length,
      };
    },
    saveAlertSettings: async ({ body: { seen, ...change }, session }) => ({
      message: 'Settings saved successfully',
      settings: await saveAlertSettings(deps, session.username, change, seen),
    }),
    previewAlerts: async ({ query }) => {
      const { alertsNow } = await import('#functions/api/settings/alerts');
      return { found: await alertsNow(table, runtime, query) };
    },
    sendTestAlert: async ({ body: { medium } }) =>
      testAlertAnswer(
        medium === 'push'
          ? await sendTestPushes()
          : await sendTestMails((await deps.alerts.settings()).emails),
      ),

    getStatusPage: async () => ({ public: await deps.settings.statusPagePublic() }),
    saveStatusPage: async ({ body, session }) => {
      await saveStatusPage(deps, session.username, body);
      return { message: 'Settings saved successfully', public: body.public };
    },

    listEmailTemplates: async () => (await deps.templates.all()).map(templateRow),
    createEmailTemplate: async ({ body, session }) => ({
      message: 'Email template created successfully',
      template: templateRow(await createTemplate(deps, session.username, body)),
    }),
    updateEmailTemplate: async ({ params, body, session }) => ({
      message: 'Email template updated successfully',
      template: templateRow(await updateTemplate(deps, session.username, params.id, body)),
    }),
    deleteEmailTemplate: async ({ params, session }) => {
      await deleteTemplate(deps, session.username, params.id);
      return { message: 'Email template deleted successfully' };
    },
    tryEmailTemplate: async ({ body: { to, ...input } }) => sendTest(await newTemplate(deps, input), to),
    sendTestEmail: async ({ params, body }) => sendTest(await requireTemplate(deps, params.id), body.to),

    getPushoverTemplate: async () => ({ template: await pushText(deps) }),
    savePushoverTemplate: async ({ body, session }) => {
      await savePushText(deps, session.username, body.template, body.seen);
      return { message: 'Template saved successfully', template: body.template };
    },
    listPushoverCredentials: async () => {
      const [credentials, opened] = await Promise.all([deps.settings.credentials(), cipher()]);
      return credentials.map((credential) => credentialRow(credential, opened));
    },
    createPushoverCredential: async ({ body, session }) => ({
      message: 'Pushover credentials added successfully',
      credential: await shown(await createCredential(deps, session.username, body)),
    }),
    updatePushoverCredential: async ({ params, body, session }) => ({
      message: 'Pushover credentials updated successfully',
      credential: await shown(await updateCredential(deps, session.username, params.id, body)),
    }),
    deletePushoverCredential: async ({ params, session }) => {
      await deleteCredential(deps, session.username, params.id);
      return { message: 'Pushover credentials deleted successfully' };
    },
    sendTestPush: async ({ params }) => {
      const [credential, opened] = await Promise.all([requireCredential(deps, params.id), cipher()]);
      return testPushAnswer(await sendTestPush({ push, cipher: opened }, credential));
    },
  });
}
