/** Settings: verification, e-mail templates and push notifications. Every change adds an entry to the audit trail. */
import { isDeepStrictEqual } from 'node:util';
import type { PushoverCredential, VerificationSwitches } from '#functions/data/administration/settings';
import type { SettingStore } from '#functions/data/administration/settings-store';
import type { Template } from '#functions/data/administration/template';
import type { TemplateStore } from '#functions/data/administration/template-store';
import type { Buyer } from '#functions/data/buyers/buyer';
import type { Table } from '#functions/data/table/table';
import { DEFAULT_PUSH_TEXT } from '#functions/domain/administration/push-text';
import { auditEntry, editEntry } from '#functions/domain/common/audit';
import { requireAsSeen } from '#functions/domain/common/edited-meanwhile';
import { conflict, invalid, notFound, secretsRequired } from '#functions/domain/common/errors';
import { changedMeanwhile, retryOnConflict } from '#functions/domain/common/retry-on-conflict';
import type { Cipher } from '#functions/keys/cipher';
import { CONFLICT } from '#functions/retry';
import type { Runtime } from '#functions/runtime';
import { TEMPLATE_NAMES } from '#shared/channels/channels';
import { SECRET_MASK } from '#shared/rules/constants';
import { isSentElsewhere, SMTP_PASSWORD_SENT_TO } from '#shared/rules/destinations';
import { templateErrors } from '#shared/rules/template-errors';

export interface SettingDeps {
  readonly table: Pick<Table, 'transact'>;
  readonly templates: TemplateStore;
  readonly settings: SettingStore;
  readonly buyers: { all(): Promise<Buyer[]> };
  readonly cipher: () => Promise<Cipher>;
  readonly runtime: Runtime;
}

/** Only the given fields are changed. */
type Change<T> = { readonly [Field in keyof T]?: T[Field] | undefined };

/** An e-mail template as an admin writes it. */
export interface TemplateInput
  extends Pick<Template, 'name' | 'smtp_host' | 'smtp_port' | 'smtp_user'>,
    Change<Pick<Template, 'smtp_subject' | 'smtp_body' | 'smtp_html_body'>> {
  /** In plain text; `SECRET_MASK` stands for the stored one. */
  readonly smtp_pass: string;
  /** Null clears it. */
  readonly smtp_from?: string | null | undefined;
}

type CredentialFlags = Pick<PushoverCredential, 'notify_lead_assignment' | 'notify_lead_claims'>;

/** Changes the switches that are given. @throws DomainError 409 when one of them is not as it was seen */
export async function saveSwitches(
  deps: SettingDeps,
  who: string,
  change: Change<VerificationSwitches> & { readonly seen?: Change<VerificationSwitches> | undefined },
): Promise<VerificationSwitches> {
  const { seen, ...switches } = change;
  return retryOnConflict(deps.runtime, async () => {
    const before = await deps.settings.switches();
    requireAsSeen(seen, before);
    const after: VerificationSwitches = {
      email_verification: switches.email_verification ?? before.email_verification,
      phone_verification: switches.phone_verification ?? before.phone_verification,
      name_verification: switches.name_verification ?? before.name_verification,
    };
    if (isDeepStrictEqual(before, after)) return before;
    const written = await deps.table.transact([
      deps.settings.switchesChanged(before, switches),
      auditEntry(deps, {
        who,
        action: 'updated',
        entity: 'setting',
        entityId: 'verification',
        before,
        after,
      }),
    ]);
    return written.ok ? deps.settings.switches() : CONFLICT;
  });
}

/** Opens the status page to everybody, or closes it. @throws DomainError 409 when it is not as it was seen */
export async function saveStatusPage(
  deps: SettingDeps,
  who: string,
  {
    public: isPublic,
    seen,
  }: { readonly public: boolean; readonly seen?: { readonly public?: boolean | undefined } | undefined },
): Promise<void> {
  return retryOnConflict(deps.runtime, async () => {
    const before = { public: await deps.settings.statusPagePublic() };
    requireAsSeen(seen, before);
    const written = await deps.table.transact([
      deps.settings.statusPageChanged(before.public, isPublic),
      ...editEntry(deps, {
        who,
        action: 'updated',
        entity: 'setting',
        entityId: 'status-page',
        before,
        after: { public: isPublic },
      }),
    ]);
    return written.ok ? undefined : CONFLICT;
  });
}

type NewTemplate = TemplateInput & {
  /** The template whose password a masked one means. */
  readonly copy_of?: string | undefined;
};

/**
 * A template that is not stored.
 * @throws DomainError 400 for one that cannot send, without a password or to copy it to another server, 404 when the template
 *   to copy is gone
 */
export async function newTemplate(
  deps: Pick<SettingDeps, 'templates' | 'cipher' | 'runtime'>,
  input: NewTemplate,
): Promise<Template> {
  return requireUsable({
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
  });
}

/** @throws DomainError as `newTemplate` */
export async function createTemplate(deps: SettingDeps, who: string, input: NewTemplate): Promise<Template> {
  const template = await newTemplate(deps, input);
  await deps.table.transact([
    deps.templates.created(template),
    ...templateEntry(deps, who, 'created', undefined, template),
  ]);
  return template;
}

/** @throws DomainError 400 */
function requireUsable(template: Template): Template {
  const errors = templateErrors(template);
  const [first] = Object.values(errors);
  if (first !== undefined) throw invalid('unusable_template', first, errors);
  return template;
}

async function passwordOf(
  deps: Pick<SettingDeps, 'templates' | 'cipher'>,
  input: NewTemplate,
): Promise<Template['smtp_pass']> {
  if (input.smtp_pass !== SECRET_MASK) return (await deps.cipher()).encrypt(input.smtp_pass);
  if (input.copy_of === undefined)
    throw invalid('password_required', 'Please enter the SMTP password', { smtp_pass: 'Required' });
  const original = await deps.templates.get(input.copy_of);
  if (original === undefined) throw notFound('Email template');
  if (isSentElsewhere(SMTP_PASSWORD_SENT_TO, original, input)) throw secretsRequired(['smtp_pass']);
  return original.smtp_pass;
}

/**
 * Changes the fields that are given.
 * @throws DomainError 404, 400 when it could not send or the stored password would go to another server, 409 when a field is not as it was seen
 */
export async function updateTemplate(
  deps: SettingDeps,
  who: string,
  id: string,
  change: Change<TemplateInput> & { readonly seen?: Change<TemplateInput> | undefined },
): Promise<Template> {
  return retryOnConflict(deps.runtime, async () => {
    const before = await requireTemplate(deps, id);
    const { smtp_pass: password, seen } = change;
    requireAsSeen<object>(
      seen && { ...seen, ...('smtp_from' in seen && { smtp_from: seen.smtp_from ?? '' }) },
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
          : (await deps.cipher()).encrypt(password),
      smtp_from: change.smtp_from === undefined ? before.smtp_from : (change.smtp_from ?? ''),
      smtp_subject: change.smtp_subject ?? before.smtp_subject,
      smtp_body: change.smtp_body ?? before.smtp_body,
      smtp_html_body: change.smtp_html_body ?? before.smtp_html_body,
    });
    if (after.smtp_pass === before.smtp_pass && isSentElsewhere(SMTP_PASSWORD_SENT_TO, before, after))
      throw secretsRequired(['smtp_pass']);
    const written = await deps.table.transact([
      deps.templates.changed(before, after),
      ...templateEntry(deps, who, 'updated', before, after),
    ]);
    return written.ok ? after : CONFLICT;
  });
}

/** @throws DomainError 404, 409 while buyers use it, naming them */
export async function deleteTemplate(deps: SettingDeps, who: string, id: string): Promise<void> {
  const template = await requireTemplate(deps, id);
  const users = (await deps.buyers.all()).filter(
    (buyer) => buyer.deleted_at === null && TEMPLATE_NAMES.some((name) => buyer[name] === id),
  );
  if (users.length > 0)
    throw conflict(
      'template_in_use',
      `This email template is used by ${namesOf(users)}. Please choose another one there first.`,
    );
  const written = await deps.table.transact([
    deps.templates.removed(template),
    ...templateEntry(deps, who, 'deleted', template, undefined),
  ]);
  if (!written.ok) throw changedMeanwhile();
}

const MAX_NAMES = 10;

function namesOf(buyers: readonly Buyer[]): string {
  const names = buyers.map(({ buyer_id }) => buyer_id);
  const more = names.length - MAX_NAMES;
  return `${names.slice(0, MAX_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
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
  return editEntry(deps, {
    who,
    action,
    entity: 'template',
    entityId: after?.id ?? before?.id ?? '',
    label: after?.name ?? before?.name ?? '',
    before,
    after,
  });
}

/** @throws DomainError 409 when the text is not as it was seen */
export async function savePushText(
  deps: SettingDeps,
  who: string,
  template: string,
  seen?: { readonly template?: string | undefined },
): Promise<void> {
  return retryOnConflict(deps.runtime, async () => {
    const stored = await deps.settings.pushText();
    const before = { template: stored ?? DEFAULT_PUSH_TEXT };
    requireAsSeen(seen, before);
    const written = await deps.table.transact([
      deps.settings.pushTextChanged(stored, template),
      ...editEntry(deps, {
        who,
        action: 'updated',
        entity: 'setting',
        entityId: 'pushover',
        before,
        after: { template },
      }),
    ]);
    return written.ok ? undefined : CONFLICT;
  });
}

export async function createCredential(
  deps: SettingDeps,
  who: string,
  input: CredentialFlags & { readonly user_key: string; readonly app_key: string },
): Promise<PushoverCredential> {
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
    ...credentialEntry(deps, who, 'created', undefined, credential),
  ]);
  return credential;
}

/** Switches one flag or both. @throws DomainError 404 */
export async function updateCredential(
  deps: SettingDeps,
  who: string,
  id: string,
  change: Change<CredentialFlags>,
): Promise<PushoverCredential> {
  const before = await requireCredential(deps, id);
  const after: PushoverCredential = {
    ...before,
    notify_lead_assignment: change.notify_lead_assignment ?? before.notify_lead_assignment,
    notify_lead_claims: change.notify_lead_claims ?? before.notify_lead_claims,
  };
  if (!isDeepStrictEqual(before, after)) {
    const written = await deps.table.transact([
      deps.settings.credentialChanged(id, change),
      ...credentialEntry(deps, who, 'updated', before, after),
    ]);
    if (!written.ok) throw notFound('Pushover credential');
  }
  return requireCredential(deps, id);
}

/** @throws DomainError 404 */
export async function deleteCredential(deps: SettingDeps, who: string, id: string): Promise<void> {
  const before = await requireCredential(deps, id);
  const written = await deps.table.transact([
    deps.settings.credentialRemoved(id),
    ...credentialEntry(deps, who, 'deleted', before, undefined),
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
  return editEntry(deps, {
    who,
    action,
    entity: 'setting',
    entityId: 'pushover',
    before,
    after,
  });
}
