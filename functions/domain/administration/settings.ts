/** Settings: what is verified, the e-mail templates, and who is pushed what. Every change leaves an entry in the trail. */
import { isDeepStrictEqual } from 'node:util';
import type { SettingStore } from '#functions/data/administration/settings-store';
import type {
  PushoverCredential,
  Template,
  VerificationSwitches,
} from '#functions/data/administration/template';
import type { TemplateStore } from '#functions/data/administration/template-store';
import type { Buyer } from '#functions/data/buyers/buyer';
import type { Table } from '#functions/data/table/table';
import { auditEntry } from '#functions/domain/common/audit';
import { conflict, invalid, notFound } from '#functions/domain/common/errors';
import { DEFAULT_PUSH_TEXT } from '#functions/domain/deliveries/notifications';
import type { Cipher } from '#functions/keys/cipher';
import type { Runtime } from '#functions/runtime';
import { SECRET_MASK } from '#shared/contract/constants';
import type { Answer, Parsed } from '#shared/contract/schemas';
import type { EmailTemplateRow } from '#shared/contract/schemas/settings';

export interface SettingDeps {
  readonly table: Pick<Table, 'transact'>;
  readonly templates: TemplateStore;
  readonly settings: SettingStore;
  readonly buyers: { all(): Promise<Buyer[]> };
  readonly cipher: () => Promise<Cipher>;
  readonly runtime: Runtime;
}

type CredentialRow = Answer<'listPushoverCredentials'>[number];

/** Changes the switches that are given. */
export async function saveSwitches(
  deps: SettingDeps,
  who: string,
  change: Parsed<'saveVerificationSettings', 'body'>,
): Promise<VerificationSwitches> {
  const before = await deps.settings.switches();
  const after: VerificationSwitches = {
    email_verification: change.email_verification ?? before.email_verification,
    phone_verification: change.phone_verification ?? before.phone_verification,
    name_verification: change.name_verification ?? before.name_verification,
  };
  if (isDeepStrictEqual(before, after)) return before;
  await deps.table.transact([
    deps.settings.switchesChanged(change),
    auditEntry(deps, {
      who,
      action: 'updated',
      entity: 'setting',
      entityId: 'verification',
      before,
      after,
    }),
  ]);
  return deps.settings.switches();
}

/** A template as the API shows it: everything but the password. */
export function templateRow(template: Template): EmailTemplateRow {
  return { ...template, smtp_pass: SECRET_MASK };
}

/** @throws DomainError 400 without a password, 404 when the template to copy is gone */
export async function createTemplate(
  deps: SettingDeps,
  who: string,
  input: Parsed<'createEmailTemplate', 'body'>,
): Promise<Template> {
  const template: Template = {
    id: deps.runtime.newId(),
    name: input.name,
    smtp_host: input.smtp_host,
    smtp_port: input.smtp_port,
    smtp_user: input.smtp_user,
    smtp_pass: await passwordOf(deps, input),
    smtp_from: input.smtp_from ?? '',
    smtp_subject: input.smtp_subject ?? '',
    smtp_body: input.smtp_body ?? '',
    smtp_html_body: input.smtp_html_body ?? '',
    created_at: deps.runtime.now().toISOString(),
    version: 1,
  };
  await deps.table.transact([
    deps.templates.created(template),
    templateEntry(deps, who, 'created', undefined, template),
  ]);
  return template;
}

async function passwordOf(
  deps: SettingDeps,
  input: Parsed<'createEmailTemplate', 'body'>,
): Promise<Template['smtp_pass']> {
  if (input.smtp_pass !== SECRET_MASK) return (await deps.cipher()).encrypt(input.smtp_pass);
  if (input.copy_of === undefined)
    throw invalid('password_required', 'Please enter the SMTP password', { smtp_pass: 'Required' });
  const original = await deps.templates.get(input.copy_of);
  if (original === undefined) throw notFound('Email template');
  return original.smtp_pass;
}

/** Changes the fields that are given. @throws DomainError 404, 409 when somebody else changed it meanwhile */
export async function updateTemplate(
  deps: SettingDeps,
  who: string,
  id: string,
  change: Parsed<'updateEmailTemplate', 'body'>,
): Promise<Template> {
  const before = await requireTemplate(deps, id);
  const { smtp_pass: password } = change;
  const after: Template = {
    ...before,
    name: change.name ?? before.name,
    smtp_host: change.smtp_host ?? before.smtp_host,
    smtp_port: change.smtp_port ?? before.smtp_port,
    smtp_user: change.smtp_user ?? before.smtp_user,
    smtp_pass:
      password === undefined || password === SECRET_MASK
        ? before.smtp_pass
        : (await deps.cipher()).encrypt(password),
    smtp_from: change.smtp_from === undefined ? before.smtp_from : (change.smtp_from ?? ''),
    smtp_subject: change.smtp_subject ?? before.smtp_subject,
    smtp_body: change.smtp_body ?? before.smtp_body,
    smtp_html_body: change.smtp_html_body ?? before.smtp_html_body,
  };
  const written = await deps.table.transact([
    deps.templates.changed(before, after),
    templateEntry(deps, who, 'updated', before, after),
  ]);
  if (!written.ok) throw changedMeanwhile();
  return after;
}

/** @throws DomainError 404, 409 while buyers use it, naming them */
export async function deleteTemplate(deps: SettingDeps, who: string, id: string): Promise<void> {
  const template = await requireTemplate(deps, id);
  const users = (await deps.buyers.all()).filter(
    (buyer) =>
      buyer.deleted_at === null &&
      (buyer.email_template_id === id || buyer.reimbursement_email_template_id === id),
  );
  if (users.length > 0) throw conflict('template_in_use', `This email template is used by ${namesOf(users)}`);
  const written = await deps.table.transact([
    deps.templates.removed(template),
    templateEntry(deps, who, 'deleted', template, undefined),
  ]);
  if (!written.ok) throw changedMeanwhile();
}

const MOST_NAMES = 10;

function namesOf(buyers: readonly Buyer[]): string {
  const names = buyers.map(({ buyer_id }) => buyer_id);
  const more = names.length - MOST_NAMES;
  return `${names.slice(0, MOST_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

export async function requireTemplate(
  deps: { readonly templates: Pick<TemplateStore, 'get'> },
  id: string,
): Promise<Template> {
  const template = await deps.templates.get(id);
  if (template === undefined) throw notFound('Email template');
  return template;
}

function templateEntry(
  deps: SettingDeps,
  who: string,
  action: string,
  before: Template | undefined,
  after: Template | undefined,
) {
  return auditEntry(deps, {
    who,
    action,
    entity: 'template',
    entityId: after?.id ?? before?.id ?? '',
    label: after?.name ?? before?.name ?? '',
    before,
    after,
  });
}

/** The text as saved, or the built-in one. */
export async function pushText(deps: { readonly settings: Pick<SettingStore, 'pushText'> }): Promise<string> {
  return (await deps.settings.pushText()) ?? DEFAULT_PUSH_TEXT;
}

export async function savePushText(deps: SettingDeps, who: string, template: string): Promise<void> {
  const before = await pushText(deps);
  await deps.table.transact([
    deps.settings.pushTextChanged(template),
    auditEntry(deps, {
      who,
      action: 'updated',
      entity: 'setting',
      entityId: 'pushover',
      before: { template: before },
      after: { template },
    }),
  ]);
}

/** Keys show their last four characters, by which an admin knows which is which. */
export function credentialRow(
  credential: PushoverCredential,
  cipher: Pick<Cipher, 'decrypt'>,
): CredentialRow {
  const masked = (key: PushoverCredential['user_key']) => {
    try {
      return `${SECRET_MASK}${cipher.decrypt(key).slice(-4)}`;
    } catch {
      return SECRET_MASK;
    }
  };
  return { ...credential, user_key: masked(credential.user_key), app_key: masked(credential.app_key) };
}

export async function listCredentials(
  deps: Pick<SettingDeps, 'settings' | 'cipher'>,
): Promise<CredentialRow[]> {
  const [credentials, cipher] = await Promise.all([deps.settings.credentials(), deps.cipher()]);
  return credentials.map((credential) => credentialRow(credential, cipher));
}

export async function createCredential(
  deps: SettingDeps,
  who: string,
  input: Parsed<'createPushoverCredential', 'body'>,
): Promise<CredentialRow> {
  const cipher = await deps.cipher();
  const credential: PushoverCredential = {
    id: deps.runtime.newId(),
    user_key: cipher.encrypt(input.user_key),
    app_key: cipher.encrypt(input.app_key),
    notify_lead_assignment: input.notify_lead_assignment,
    notify_lead_claims: input.notify_lead_claims,
    created_at: deps.runtime.now().toISOString(),
  };
  await deps.table.transact([
    deps.settings.credentialCreated(credential),
    credentialEntry(deps, who, 'created', undefined, credential),
  ]);
  return credentialRow(credential, cipher);
}

/** Switches one flag or both. @throws DomainError 404 */
export async function updateCredential(
  deps: SettingDeps,
  who: string,
  id: string,
  change: Parsed<'updatePushoverCredential', 'body'>,
): Promise<CredentialRow> {
  const before = await requireCredential(deps, id);
  const after: PushoverCredential = {
    ...before,
    notify_lead_assignment: change.notify_lead_assignment ?? before.notify_lead_assignment,
    notify_lead_claims: change.notify_lead_claims ?? before.notify_lead_claims,
  };
  if (!isDeepStrictEqual(before, after)) {
    const written = await deps.table.transact([
      deps.settings.credentialChanged(id, change),
      credentialEntry(deps, who, 'updated', before, after),
    ]);
    if (!written.ok) throw notFound('Pushover credential');
  }
  return credentialRow(await requireCredential(deps, id), await deps.cipher());
}

/** @throws DomainError 404 */
export async function deleteCredential(deps: SettingDeps, who: string, id: string): Promise<void> {
  const before = await requireCredential(deps, id);
  const written = await deps.table.transact([
    deps.settings.credentialRemoved(id),
    credentialEntry(deps, who, 'deleted', before, undefined),
  ]);
  if (!written.ok) throw notFound('Pushover credential');
}

export async function requireCredential(
  deps: { readonly settings: Pick<SettingStore, 'credential'> },
  id: string,
): Promise<PushoverCredential> {
  const credential = await deps.settings.credential(id);
  if (credential === undefined) throw notFound('Pushover credential');
  return credential;
}

function credentialEntry(
  deps: SettingDeps,
  who: string,
  action: string,
  before: PushoverCredential | undefined,
  after: PushoverCredential | undefined,
) {
  return auditEntry(deps, {
    who,
    action,
    entity: 'setting',
    entityId: 'pushover',
    before,
    after,
  });
}

function changedMeanwhile() {
  return conflict('changed_meanwhile', 'Somebody else has changed this meanwhile. Please load it again.');
}
