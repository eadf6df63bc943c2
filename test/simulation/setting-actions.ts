/** Actions of admins on templates, sources and links, and of buyers who enter codes, request links and answer e-mails. */
import * as sourceStore from '#functions/data/sources/source-store';
import type { Item } from '#functions/data/table/table';
import {
  createTemplate,
  deleteTemplate,
  saveStatusPage,
  updateTemplate,
} from '#functions/domain/administration/settings';
import { confirmByToken } from '#functions/domain/leads/erasures';
import {
  confirmLinkCode,
  linkCode,
  requestNewLink,
  sendLinkCode,
} from '#functions/domain/orders/link-access';
import { sendStatement } from '#functions/domain/orders/statement-email';
import {
  createSigningSecret,
  revokeSigningSecret,
  updateEndpoints,
} from '#functions/domain/sources/endpoints';
import { ingestPosted } from '#functions/domain/sources/intake';
import { countImported } from '#functions/domain/sources/source-access';
import { createSource, createSourceKey, revokeSourceKey } from '#functions/domain/sources/sources';
import {
  regenerateSpecification,
  sourceOfSpecification,
  switchOffSpecification,
} from '#functions/domain/sources/specification';
import { createKeyLoader } from '#functions/keys/keys';
import { CALLBACK_EVENTS, KEY_SLOTS } from '#shared/rules/constants';
import type { Api } from '#test/simulation/api-process';
import { Violation } from '#test/simulation/kernel';
import { erasuresOf } from '#test/simulation/people-actions';
import {
  type Actions,
  buyers,
  by,
  changesBuyer,
  type Deed,
  itemsLike,
  ofBuyer,
  ofFormer,
  ofOne,
  ofSource,
  orders,
  TEMPLATE,
} from '#test/simulation/picks';
import { posted } from '#test/simulation/sources';
import { ENVIRONMENT, type SimulatedWorld } from '#test/simulation/world';

const loadKeys = createKeyLoader(ENVIRONMENT);

const ofTemplate = (weight: number, act: (id: string, world: SimulatedWorld) => Deed | undefined) =>
  ofOne(
    weight,
    'template',
    ({ table }) => table.partition('TEMPLATES'),
    ({ id }, world) => act(String(id), world),
  );

export const SETTING_ACTIONS: Actions = {
  'create template': by(2, () => (api, who) => createTemplate(api, who, TEMPLATE)),
  'change template': ofTemplate(2, (id, { draws }) => {
    const smtp_subject = draws.pick('subject', ['One', 'Two']);
    return (api, who) => updateTemplate(api, who, id, { smtp_subject });
  }),
  'delete template': ofTemplate(3, (id) => (api, who) => deleteTemplate(api, who, id)),
  'choose template': ofTemplate(4, (email_template_id, world) => {
    const send_email = world.draws.chance('mails', 0.7);
    return changesBuyer(0, () => ({ email_template_id, send_email })).choose(world);
  }),
  'open or close the status page': by(1, ({ draws }) => {
    const isPublic = draws.chance('status page', 0.5);
    return (api, who) => saveStatusPage(api, who, { public: isPublic });
  }),
};

const ADDRESS = '192.0.2.9';

/** Orders whose link requires a code. */
function withCode(world: SimulatedWorld): Item[] {
  const those = buyers(world).filter(({ link_code }) => link_code === true);
  const asking = new Set(those.map(({ buyer }) => buyer));
  return orders(world).filter(({ token, buyer }) => token !== '' && asking.has(buyer));
}

export const asksForCode =
  ({ token }: Item): Deed =>
  (api) =>
    sendLinkCode(api, String(token), ADDRESS);

/** @param asked the request for a code */
export function entersCode(world: SimulatedWorld, asked: Item, isWrong: boolean): Deed | undefined {
  const order = orders(world).find(({ order_id }) => `LINKCODE#${String(order_id)}` === asked.pk);
  const request = String(asked.request);
  return (
    order &&
    (async (api) => {
      const { link } = await loadKeys();
      const code = isWrong ? 'wrong' : linkCode(link, Number(order.order_id), request);
      await confirmLinkCode(api, link, { token: String(order.token), code, address: ADDRESS });
      if (isWrong || world.known.codesUsed.has(request))
        world.scheduler.violation ??= new Violation('a code of a link is wrong or was used before');
      world.known.codesUsed.add(request);
    })
  );
}

export const LINK_ACTIONS: Actions = {
  'protect links': changesBuyer(4, ({ draws }) => ({
    link_code: draws.chance('code', 0.7),
    link_days: draws.chance('expires', 0.3) ? 30 : null,
  })),
  'send statement': ofBuyer(2, (id) => (api, who) => sendStatement(api, who, id)),
  'ask for a code': ofOne(7, 'order', withCode, asksForCode),
  'enter a code': ofOne(
    12,
    'code',
    (world) => itemsLike(world, 'LINKCODE'),
    (asked, world) => entersCode(world, asked, world.draws.chance('wrong code', 0.2)),
  ),
  'ask for a new link': ofOne(
    3,
    'order',
    withCode,
    ({ token }) =>
      (api) =>
        requestNewLink(api, String(token), ADDRESS),
  ),
  'answer the letter about an erasure': by(4, ({ draws, known: { erasureTokens } }) => {
    const token = erasureTokens.length === 0 ? undefined : draws.pick('letter', erasureTokens);
    return token === undefined ? undefined : (api) => confirmByToken(erasuresOf(api), token);
  }),
};

const withCipher = async (api: Api) => ({ ...api, cipher: await api.cipher() });

/** Further actions of admins if there are sources. */
export const SOURCE_SETTING_ACTIONS: Actions = {
  'create source': by(1, () => (api, who) => createSource(api, who, { name: 'Another', src: 'another' })),
  'create key': ofSource(2, (id) => (api, who) => createSourceKey(api, who, id)),
  'revoke key': ofSource(2, (id, { draws }) => {
    const slot = draws.pick('slot', KEY_SLOTS);
    return (api, who) => revokeSourceKey(api, who, id, slot);
  }),
  'renew specification': ofSource(2, (id) => (api, who) => regenerateSpecification(api, who, id)),
  'switch off specification': ofSource(1, (id) => (api, who) => switchOffSpecification(api, who, id)),
  'open a former specification': ofFormer(
    2,
    ({ formerSpecifications }) => formerSpecifications,
    'former link opens the page of a source',
    sourceOfSpecification,
  ),
  'set or remove the postback': ofSource(2, (id, world) => {
    const isSet = world.draws.chance('postback', 0.5);
    const postback = isSet
      ? { url: `https://track${id}.example/?id={eventId}`, events: [...CALLBACK_EVENTS] }
      : null;
    return async (api, who) => {
      world.known.hasMovedPostbacks = true;
      return updateEndpoints(await withCipher(api), who, id, { postback });
    };
  }),
  'create signing secret': ofSource(
    1,
    (id) => async (api, who) => createSigningSecret(await withCipher(api), who, id),
  ),
  'revoke signing secret': ofSource(1, (id, { draws }) => {
    const slot = draws.pick('slot', KEY_SLOTS);
    return async (api, who) => revokeSigningSecret(await withCipher(api), who, id, slot);
  }),
  'import leads': ofSource(3, (id, world) => {
    const leads = Array.from({ length: 1 + world.draws.below('imported', 2) }, () => posted(world, id));
    return async (api) => {
      const source = await sourceStore.get(api, id);
      if (source?.state !== 'live') return undefined;
      world.known.imported.set(id, (world.known.imported.get(id) ?? 0) + leads.length);
      return ingestPosted(api, await countImported(api, source, leads.length), leads, leads.length);
    };
  }),
};

/** Violations of settings in a world at rest, as sentences. */
export function wrongWithSettings(world: SimulatedWorld): string[] {
  const templates = new Set(world.table.partition('TEMPLATES').map(({ id }) => id));
  return buyers(world).flatMap(({ buyer_id, email_template_id: id }) =>
    typeof id === 'string' && !templates.has(id)
      ? [`${String(buyer_id)} has a template that was deleted`]
      : [],
  );
}
