import { isDeepStrictEqual } from 'node:util';
import { type Company, companyChanged, companyDetails } from '#functions/data/administration/company';
import type { PushoverCredential, VerificationSwitches } from '#functions/data/administration/settings';
import * as settingStore from '#functions/data/administration/settings-store';
import type { Template } from '#functions/data/administration/template';
import * as templateStore from '#functions/data/administration/template-store';
import type { Buyer } from '#functions/data/buyers/buyer';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import type { Context, DataContext } from '#functions/data/context';
import * as sourceStore from '#functions/data/sources/source-store';
import type { TransactionItem } from '#functions/data/table/table';
import { DEFAULT_PUSH_TEXT } from '#functions/domain/administration/push-text';
import { aboutSetting, auditEntry, editEntry } from '#functions/domain/common/audit';
import { requireUnchanged } from '#functions/domain/common/edited-meanwhile';
import { conflict, invalid, notFound, secretsRequired } from '#functions/domain/common/errors';
import { changedMeanwhile, committed, retryOnConflict } from '#functions/domain/common/retry-on-conflict';
import type { Cipher } from '#functions/keys/cipher';
import { CONFLICT } from '#functions/platform/retry';
import { TEMPLATE_NAMES } from '#shared/channels/channels';
import { SECRET_MASK } from '#shared/rules/constants';
import { isSentElsewhere, SMTP_PASSWORD_SENT_TO } from '#shared/rules/destinations';
import { templateErrors } from '#shared/rules/template-errors';

export interface SettingContext extends Context {
  readonly cipher: () => Promise<Cipher>;
}

type Change<T> = { readonly [Field in keyof T]?: T[Field] | undefined };

export interface TemplateInput
  extends Pick<Template, 'name' | 'smtp_host' | 'smtp_port' | 'smtp_user'>,
    Change<Pick<Template, 'smtp_subject' | 'smtp_body' | 'smtp_html_body'>> {
  /** Plain text. `SECRET_MASK` keeps the stored password. */
  readonly smtp_pass: string;
  readonly smtp_from?: string | null | undefined;
}

type CredentialFlags = Pick<PushoverCredential, 'notify_lead_assignment' | 'notify_lead_claims'>;

/** Changes the given switches. @throws DomainError 409 if one has changed since it was read */
export async function saveSwitches(
  context: SettingContext,
  who: string,
  change: Change<VerificationSwitches> & { readonly expected?: Change<VerificationSwitches> | undefined },
): Promise<VerificationSwitches> {
  const { expected, ...switches } = change;
  return retryOnConflict(context.runtime, async () => {
    const before = await settingStore.switches(context);
    requireUnchanged(expected, before);
    const after: VerificationSwitches = {
      email_verification: switches.email_verification ?? before.email_verification,
      phone_verification: switches.phone_verification ?? before.phone_verification,
      name_verification: switches.name_verification ?? before.name_verification,
    };
    if (isDeepStrictEqual(before, after)) return before;
    const written = await context.table.transact([
      settingStore.switchesChanged(before, switches),
      auditEntry(context, { who, action: 'updated', ...aboutSetting('verification'), before, after }),
    ]);
    return written.ok ? settingStore.switches(context) : CONFLICT;
  });
}

interface StatusPage {
  readonly public: boolean;
}

export async function saveStatusPage(
  context: SettingContext,
  who: string,
  { expected, ...after }: StatusPage & { readonly expected?: Change<StatusPage> | undefined },
): Promise<void> {
  return retryOnConflict(context.runtime, async () => {
    const before = { public: await settingStore.statusPagePublic(context) };
    requireUnchanged(expected, before);
    return committed(context, undefined, [
      settingStore.statusPageChanged(before.public, after.public),
      ...editEntry(context, { who, action: 'updated', ...aboutSetting('status-page'), before, after }),
    ]);
  });
}

/** Changes the given details. @throws DomainError 409 if one has changed since it was read */
export async function saveCompany(
  context: SettingContext,
  who: string,
  { expected, ...change }: Change<Company> & { readonly expected?: Change<Company> | undefined },
): Promise<Company> {
  return retryOnConflict(context.runtime, async () => {
    const before = await companyDetails(context);
    requireUnchanged(expected, before);
    const after: Company = {
      name: change.name ?? before.name,
      address: change.address ?? before.address,
      imprint_url: change.imprint_url ?? before.imprint_url,
      privacy_url: change.privacy_url ?? before.privacy_url,
      privacy_contact: change.privacy_contact ?? before.privacy_contact,
      version: before.version,
    };
    if (isDeepStrictEqual(before, after)) return before;
    return committed(context, after, [
      companyChanged(before, after),
      auditEntry(context, { who, action: 'updated', ...aboutSetting('company'), before, after }),
    ]);
  });
}

type NewTemplate = TemplateInput & {
  /** The template whose password is copied if `smtp_pass` is a mask. */
  readonly copy_of?: string | undefined;
};

/** @throws DomainError 400 if it cannot send, or needs a password; 404 without the template to copy */
export async function newTemplate(context: SettingContext, input: NewTemplate): Promise<Template> {
  return requireUsable({
    id: context.runtime.newId(),
    name: input.name,
    smtp_host: input.smtp_host,
    smtp_port: input.smtp_port,
    smtp_user: input.smtp_user,
    smtp_pass: await passwordOf(context, input),
    smtp_from: input.smtp_from ?? '',
    smtp_subject: input.smtp_subject ?? '',
    smtp_body: input.smtp_body ?? '',
    smtp_html_body: input.smtp_html_body ?? '',
    created_at: context.runtime.now().toISOString(),
    version: 1,
  });
}

export async function createTemplate(
  context: SettingContext,
  who: string,
  input: NewTemplate,
): Promise<Template> {
  const template = await newTemplate(context, input);
  await context.table.transact([
    templateStore.created(template),
    ...templateEntry(context, who, 'created', undefined, template),
  ]);
  return template;
}

function requireUsable(template: Template): Template {
  const errors = templateErrors(template);
  const [first] = Object.values(errors);
  if (first !== undefined) throw invalid('unusable_template', first, errors);
  return template;
}

async function passwordOf(context: SettingContext, input: NewTemplate): Promise<Template['smtp_pass']> {
  if (input.smtp_pass !== SECRET_MASK) return (await context.cipher()).encrypt(input.smtp_pass);
  if (input.copy_of === undefined)
    throw invalid('password_required', 'Enter the SMTP password', { smtp_pass: 'Required' });
  const original = await templateStore.get(context, input.copy_of);
  if (original === undefined) throw notFound('Email template');
  if (isSentElsewhere(SMTP_PASSWORD_SENT_TO, original, input)) throw secretsRequired(['smtp_pass']);
  return original.smtp_pass;
}

/** @throws DomainError 404; 400 if it could not send, or needs its password again; 409 if a field has changed since it was read */
export async function updateTemplate(
  context: SettingContext,
  who: string,
  id: string,
  change: Change<TemplateInput> & { readonly expected?: Change<TemplateInput> | undefined },
): Promise<Template> {
  return retryOnConflict(context.runtime, async () => {
    const before = await requireTemplate(context, id);
    const { smtp_pass: password, expected } = change;
    requireUnchanged<object>(
      expected && { ...expected, ...('smtp_from' in expected && { smtp_from: expected.smtp_from ?? '' }) },
      before,
    );
    const after = requireUsable({
      ...before,
      name: change.name ?? before.name,
      smtp_host: change.smtp_host ?? before.smtp_host,
      smtp_port: change.smtp_port ?? before.smtp_port,
      smtp_user: change.smtp_user ?? before.smtp_user,
      smtp_pass:
        password === undefined || password === SECRET_MASK
          ? before.smtp_pass
          : (await context.cipher()).encrypt(password),
      smtp_from: change.smtp_from === undefined ? before.smtp_from : (change.smtp_from ?? ''),
      smtp_subject: change.smtp_subject ?? before.smtp_subject,
      smtp_body: change.smtp_body ?? before.smtp_body,
      smtp_html_body: change.smtp_html_body ?? before.smtp_html_body,
    });
    if (after.smtp_pass === before.smtp_pass && isSentElsewhere(SMTP_PASSWORD_SENT_TO, before, after))
      throw secretsRequired(['smtp_pass']);
    return committed(context, after, [
      templateStore.changed(before, after),
      ...templateEntry(context, who, 'updated', before, after),
    ]);
  });
}

/** @throws DomainError 404, 409 while buyers use it, or if it is the last one and a source needs its mail server */
export async function deleteTemplate(context: SettingContext, who: string, id: string): Promise<void> {
  const template = await requireTemplate(context, id);
  const isUsedBy = (buyer: Buyer) =>
    buyer.deleted_at === null && TEMPLATE_NAMES.some((name) => buyer[name] === id);
  const users = namesOf((await buyerStore.all(context)).filter(isUsedBy).map(({ buyer_id }) => buyer_id));
  if (users !== '')
    throw conflict(
      'template_in_use',
      `This email template is used by ${users}. Choose another one there first.`,
    );
  const written = await context.table.transact([
    templateStore.removed(template),
    ...(await mailServerKept(context, id)),
    ...templateEntry(context, who, 'deleted', template, undefined),
  ]);
  if (!written.ok) throw changedMeanwhile();
}

/** The e-mails by which people confirm their consent go over any template. */
async function mailServerKept(context: DataContext, deleted: string): Promise<TransactionItem[]> {
  const [sources, templates] = await Promise.all([sourceStore.all(context), templateStore.all(context)]);
  const users = namesOf(sources.filter((source) => source.double_opt_in).map(({ name }) => name));
  if (users === '') return [];
  const other = templates.find((template) => template.id !== deleted);
  if (other !== undefined) return [templateStore.chosen(other.id)];
  throw conflict(
    'template_in_use',
    `This is the last email template, and people confirm their consent by its mail server (${users}). Add another template first, or turn the confirmation off in the source.`,
  );
}

const MAX_NAMES = 10;

function namesOf(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  return `${names.slice(0, MAX_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

export async function requireTemplate(context: DataContext, id: string): Promise<Template> {
  const template = await templateStore.get(context, id);
  if (template === undefined) throw notFound('Email template');
  return template;
}

function templateEntry(
  context: SettingContext,
  who: string,
  action: string,
  before: Template | undefined,
  after: Template | undefined,
) {
  return editEntry(context, {
    who,
    action,
    entity: 'template',
    entityId: after?.id ?? before?.id ?? '',
    label: after?.name ?? before?.name ?? '',
    before,
    after,
  });
}

export async function savePushText(
  context: SettingContext,
  who: string,
  template: string,
  expected?: { readonly template?: string | undefined },
): Promise<void> {
  const after = { template };
  return retryOnConflict(context.runtime, async () => {
    const stored = await settingStore.pushText(context);
    const before = { template: stored ?? DEFAULT_PUSH_TEXT };
    requireUnchanged(expected, before);
    return committed(context, undefined, [
      settingStore.pushTextChanged(stored, template),
      ...editEntry(context, { who, action: 'updated', ...aboutSetting('pushover'), before, after }),
    ]);
  });
}

export async function createCredential(
  context: SettingContext,
  who: string,
  input: CredentialFlags & { readonly user_key: string; readonly app_key: string },
): Promise<PushoverCredential> {
  const cipher = await context.cipher();
  const credential: PushoverCredential = {
    id: context.runtime.newId(),
    user_key: cipher.encrypt(input.user_key),
    app_key: cipher.encrypt(input.app_key),
    notify_lead_assignment: input.notify_lead_assignment,
    notify_lead_claims: input.notify_lead_claims,
    created_at: context.runtime.now().toISOString(),
  };
  await context.table.transact([
    settingStore.credentialCreated(credential),
    ...credentialEntry(context, who, 'created', undefined, credential),
  ]);
  return credential;
}

export async function updateCredential(
  context: SettingContext,
  who: string,
  id: string,
  change: Change<CredentialFlags>,
): Promise<PushoverCredential> {
  const before = await requireCredential(context, id);
  const after: PushoverCredential = {
    ...before,
    notify_lead_assignment: change.notify_lead_assignment ?? before.notify_lead_assignment,
    notify_lead_claims: change.notify_lead_claims ?? before.notify_lead_claims,
  };
  if (!isDeepStrictEqual(before, after)) {
    const written = await context.table.transact([
      settingStore.credentialChanged(id, change),
      ...credentialEntry(context, who, 'updated', before, after),
    ]);
    if (!written.ok) throw notFound('Pushover credential');
  }
  return requireCredential(context, id);
}

export async function deleteCredential(context: SettingContext, who: string, id: string): Promise<void> {
  const before = await requireCredential(context, id);
  const written = await context.table.transact([
    settingStore.credentialRemoved(id),
    ...credentialEntry(context, who, 'deleted', before, undefined),
  ]);
  if (!written.ok) throw notFound('Pushover credential');
}

export async function requireCredential(context: DataContext, id: string): Promise<PushoverCredential> {
  const credential = await settingStore.credential(context, id);
  if (credential === undefined) throw notFound('Pushover credential');
  return credential;
}

function credentialEntry(
  context: SettingContext,
  who: string,
  action: string,
  before: PushoverCredential | undefined,
  after: PushoverCredential | undefined,
) {
  return editEntry(context, { who, action, ...aboutSetting('pushover'), before, after });
}
