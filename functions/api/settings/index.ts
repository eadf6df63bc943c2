import { credentialRow } from '#functions/api/common/credential-row';
import {
  type TestOutcome,
  templateRow,
  testAlertAnswer,
  testEmailAnswer,
  testPushAnswer,
} from '#functions/api/settings/answers';
import type { FunctionEnvironment } from '#functions/api/settings/environment';
import { webhookHandlers } from '#functions/api/settings/webhooks';
import { createPartnerGuard } from '#functions/channels/partner-http';
import { createPushover } from '#functions/channels/pushover';
import { sendOverSmtp } from '#functions/channels/smtp';
import type { PushoverCredential } from '#functions/data/administration/settings';
import * as settingStore from '#functions/data/administration/settings-store';
import type { Template } from '#functions/data/administration/template';
import * as templateStore from '#functions/data/administration/template-store';
import * as alertStore from '#functions/data/alerts/alert-store';
import * as retentionStore from '#functions/data/leads/retention-store';
import { pushText } from '#functions/domain/administration/push-text';
import {
  createCredential,
  createTemplate,
  deleteCredential,
  deleteTemplate,
  newTemplate,
  requireCredential,
  requireTemplate,
  saveCompany,
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
import { createApiContext } from '#functions/http/context';
import { answered } from '#functions/http/message';
import { createMailer } from '#functions/mail/mailer';
import { createHttp } from '#functions/net/http';
import type { Runtime } from '#functions/platform/runtime';
import { settingSchemas } from '#shared/contract/schemas/settings';

export function create(environment: FunctionEnvironment, runtime: Runtime): ApiHandler {
  const context = createApiContext(environment, runtime);
  const guard = createPartnerGuard(environment);
  const { cipher } = context;
  const push = createPushover({
    http: createHttp(guard, { connections: 1, timeout: runtime.timeout }),
    baseUrl: environment.PUSHOVER_API_URL.replace(/\/+$/, ''),
    now: runtime.now,
  });

  const sendTestPushes = async (): Promise<TestOutcome[]> => {
    const opened = await cipher();
    const outcomes: TestOutcome[] = [];
    // Sequentially, because Pushover allows few connections.
    for (const credential of await settingStore.credentials(context)) {
      const { ok, detail } = testPushAnswer(await sendTestPush({ push, cipher: opened }, credential));
      outcomes.push({ ok, detail });
    }
    return outcomes;
  };
  const mail = createMailer(environment, runtime.log);
  const sendTestMails = (emails: readonly string[]): Promise<TestOutcome[]> =>
    Promise.all(
      (emails.length > 0 ? emails : [environment.OPERATOR_EMAIL ?? []].flat()).map(async (to) => ({
        ok: await mail(to, 'Test alert', 'Alerts from Lead Distribution will arrive here.\n'),
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

  return createApi('settings', settingSchemas, context, {
    getVerificationSettings: () => settingStore.switches(context),
    saveVerificationSettings: async ({ body, who }) => ({
      message: 'Settings saved successfully',
      settings: await saveSwitches(context, who, body),
    }),

    getRetention: async () => {
      const [{ consent_years, ...days }, pass] = await Promise.all([
        retentionStore.settings(context),
        retentionStore.progress(context),
      ]);
      return {
        days,
        consent_years,
        pass:
          pass === undefined ? null : { day: pass.day, erased: pass.erased, over: pass.kind === undefined },
      };
    },
    saveRetention: async ({ body: { expected, ...change }, who }) => {
      const { consent_years, ...days } = await saveRetention(context, who, change, expected);
      return { message: 'Settings saved successfully', days, consent_years };
    },
    previewRetention: async ({ query: { delivered = null, pending = null, rejected = null } }) => ({
      kinds: await previewRetention(context, { delivered, pending, rejected }),
    }),

    getAlertSettings: async () => {
      const [{ version: _, ...settings }, credentials] = await Promise.all([
        alertStore.settings(context),
        settingStore.credentials(context),
      ]);
      return {
        settings,
        operator: environment.OPERATOR_EMAIL ?? null,
        sender: environment.SES_FROM !== undefined,
        credentials: credentials.length,
      };
    },
    saveAlertSettings: async ({ body: { expected, ...change }, who }) => ({
      message: 'Settings saved successfully',
      settings: await saveAlertSettings(context, who, change, expected),
    }),
    previewAlerts: async ({ query }) => {
      const { alertsNow } = await import('#functions/api/settings/alerts');
      return { active_alerts: await alertsNow(context.table, runtime, query) };
    },
    sendTestAlert: async ({ body: { medium } }) =>
      testAlertAnswer(
        medium === 'push'
          ? await sendTestPushes()
          : await sendTestMails((await alertStore.settings(context)).emails),
      ),

    getStatusPage: async () => ({ public: await settingStore.statusPagePublic(context) }),
    saveStatusPage: async ({ body, who }) => {
      await saveStatusPage(context, who, body);
      return { message: 'Settings saved successfully', public: body.public };
    },

    saveCompany: async ({ body, who }) => ({
      message: 'Settings saved successfully',
      company: await saveCompany(context, who, body),
    }),

    ...webhookHandlers(context),

    listEmailTemplates: async () => (await templateStore.all(context)).map(templateRow),
    createEmailTemplate: async ({ body, who }) => ({
      message: 'Email template created successfully',
      template: templateRow(await createTemplate(context, who, body)),
    }),
    updateEmailTemplate: async ({ params, body, who }) => ({
      message: 'Email template updated successfully',
      template: templateRow(await updateTemplate(context, who, params.id, body)),
    }),
    deleteEmailTemplate: ({ params, who }) =>
      answered('Email template deleted successfully', deleteTemplate(context, who, params.id)),
    tryEmailTemplate: async ({ body: { to, ...input } }) => sendTest(await newTemplate(context, input), to),
    sendTestEmail: async ({ params, body }) => sendTest(await requireTemplate(context, params.id), body.to),

    getPushoverTemplate: async () => ({ template: await pushText(context) }),
    savePushoverTemplate: async ({ body, who }) => {
      await savePushText(context, who, body.template, body.expected);
      return { message: 'Template saved successfully', template: body.template };
    },
    listPushoverCredentials: async () => {
      const [credentials, opened] = await Promise.all([settingStore.credentials(context), cipher()]);
      return credentials.map((credential) => credentialRow(credential, opened));
    },
    createPushoverCredential: async ({ body, who }) => ({
      message: 'Pushover credentials added successfully',
      credential: await shown(await createCredential(context, who, body)),
    }),
    updatePushoverCredential: async ({ params, body, who }) => ({
      message: 'Pushover credentials updated successfully',
      credential: await shown(await updateCredential(context, who, params.id, body)),
    }),
    deletePushoverCredential: ({ params, who }) =>
      answered('Pushover credentials deleted successfully', deleteCredential(context, who, params.id)),
    sendTestPush: async ({ params }) => {
      const [credential, opened] = await Promise.all([requireCredential(context, params.id), cipher()]);
      return testPushAnswer(await sendTestPush({ push, cipher: opened }, credential));
    },
  });
}
