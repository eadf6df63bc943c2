/** What admins do besides to templates, sources and links, and buyers who enter codes, ask for links and answer letters. */
import * as sourceStore from '#functions/data/sources/source-store';
import type { Item } from '#functions/data/table/table';
import {
  createTemplate,
  deleteTemplate,
  saveStatusPage,
  updateTemplate,
} from '#functions/domain/administration/settings';
import { updateBuyer } from '#functions/domain/buyers/buyers';
import { DomainError } from '#functions/domain/common/errors';
import { confirmByToken } from '#functions/domain/leads/erasures';
import {
  confirmLinkCode,
  linkCode,
  requestNewLink,
  sendLinkCode,
} from '#functions/domain/orders/link-access';
import { sendStatement } from '#functions/domain/orders/statement-letter';
import {
  createSigningSecret,
  revokeSigningSecret,
  updateEndpoints,
} from '#functions/domain/sources/endpoints';
import { takeInPosted } from '#functions/domain/sources/intake';
import { countImported } from '#functions/domain/sources/source-access';
import { createSource, createSourceKey, revokeSourceKey } from '#functions/domain/sources/sources';
import {
  renewSpecification,
  sourceOfSpecification,
  switchOffSpecification,
} from '#functions/domain/sources/specification';
import { createKeyLoader } from '#functions/keys/keys';
import { createErasures } from '#functions/platform/erasure';
import { CALLBACK_EVENTS, KEY_SLOTS } from '#shared/rules/constants';
import type { Api } from '#test/simulation/api-process';
import { Violation } from '#test/simulation/kernel';
import { type Action, buyers, type Deed, ofBuyer, orders, pickFrom } from '#test/simulation/picks';
import { posted } from '#test/simulation/sources';
import { ENVIRONMENT, type SimulatedWorld } from '#test/simulation/world';

const loadKeys = createKeyLoader(ENVIRONMENT);

const ofTemplate = (act: (id: string, world: SimulatedWorld) => Deed) => (world: SimulatedWorld) => {
  const template = pickFrom(world, 'template', world.table.partition('TEMPLATES'));
  return template && act(String(template.id), world);
};

export const SETTING_ACTIONS: readonly Action[] = [
  {
    name: 'create template',
    weight: 2,
    choose: () => (api, who) =>
      createTemplate(api, who, {
        name: 'More',
        smtp_host: 'mail.example',
        smtp_port: 587,
        smtp_user: 'u@mail.example',
        smtp_pass: 'p',
        smtp_subject: 'A lead',
        smtp_body: 'Hello',
      }),
  },
  {
    name: 'change template',
    weight: 2,
    choose: ofTemplate((id, { draws }) => {
      const smtp_subject = draws.pick('subject', ['One', 'Two']);
      return (api, who) => updateTemplate(api, who, id, { smtp_subject });
    }),
  },
  {
    name: 'delete template',
    weight: 3,
    choose: ofTemplate((id) => (api, who) => deleteTemplate(api, who, id)),
  },
  {
    name: 'choose template',
    weight: 4,
    choose: ofTemplate((template, world) => {
      const send_email = world.draws.chance('mails', 0.7);
      const choose = ofBuyer(
        (id) => (api, who) => updateBuyer(api, who, id, { email_template_id: template, send_email }),
      );
      return choose(world) ?? (async () => undefined);
    }),
  },
  {
    name: 'open or close the status page',
    weight: 1,
    choose: ({ draws }) => {
      const isPublic = draws.chance('status page', 0.5);
      return (api, who) => saveStatusPage(api, who, { public: isPublic });
    },
  },
];

const linkDeps = (api: Api) => api;
const ADDRESS = '192.0.2.9';

/** An order of which the link asks for a code. */
const ofLink = (act: (order: Item, world: SimulatedWorld) => Deed | undefined) => (world: SimulatedWorld) => {
  const asking = new Set(
    buyers(world).flatMap(({ buyer, link_code }) => (link_code === true ? [buyer] : [])),
  );
  const order = pickFrom(
    world,
    'order',
    orders(world).filter(({ token, buyer }) => token !== '' && asking.has(buyer)),
  );
  return order && act(order, world);
};

export const asksForCode =
  ({ token }: Item): Deed =>
  (api) =>
    sendLinkCode(linkDeps(api), String(token), ADDRESS);

/** @param asked the request for a code */
export function entersCode(world: SimulatedWorld, asked: Item, isWrong: boolean): Deed | undefined {
  const order = orders(world).find(({ order_id }) => `LINKCODE#${String(order_id)}` === asked.pk);
  const request = String(asked.request);
  return (
    order &&
    (async (api) => {
      const { link } = await loadKeys();
      const code = isWrong ? 'wrong' : linkCode(link, Number(order.order_id), request);
      await confirmLinkCode(linkDeps(api), link, { token: String(order.token), code, address: ADDRESS });
      if (isWrong || world.known.codesUsed.has(request))
        world.scheduler.violation ??= new Violation('a code of a link is wrong or was used before');
      world.known.codesUsed.add(request);
    })
  );
}

export const LINK_ACTIONS: readonly Action[] = [
  {
    name: 'protect links',
    weight: 4,
    choose: ofBuyer((id, { draws }) => {
      const link_code = draws.chance('code', 0.7);
      const link_days = draws.chance('expires', 0.3) ? 30 : null;
      return (api, who) => updateBuyer(api, who, id, { link_code, link_days });
    }),
  },
  { name: 'send statement', weight: 2, choose: ofBuyer((id) => (api, who) => sendStatement(api, who, id)) },
  {
    name: 'ask for a code',
    weight: 7,
    choose: ofLink(asksForCode),
  },
  {
    name: 'enter a code',
    weight: 12,
    choose: (world) => {
      const asked = pickFrom(
        world,
        'code',
        [...world.table.items()].filter(({ sk }) => sk === 'LINKCODE'),
      );
      return asked && entersCode(world, asked, world.draws.chance('wrong code', 0.2));
    },
  },
  {
    name: 'ask for a new link',
    weight: 3,
    choose: ofLink(
      ({ token }) =>
        (api) =>
          requestNewLink(linkDeps(api), String(token), ADDRESS),
    ),
  },
  {
    name: 'answer the letter about an erasure',
    weight: 4,
    choose: (world) => {
      const token =
        world.known.erasureTokens.length === 0
          ? undefined
          : world.draws.pick('letter', world.known.erasureTokens);
      return token === undefined
        ? undefined
        : (api) => confirmByToken(createErasures(ENVIRONMENT, api.runtime, api.table), token);
    },
  },
];

const ofSource = (act: (source: number, world: SimulatedWorld) => Deed) => (world: SimulatedWorld) => {
  const source = pickFrom(world, 'source', world.table.partition('SOURCES'));
  return source && act(Number(source.source), world);
};
const withCipher = async (api: Api) => ({ ...api, cipher: await api.cipher() });

/** What admins do besides where there are sources. */
export const SOURCE_SETTING_ACTIONS: readonly Action[] = [
  {
    name: 'create source',
    weight: 1,
    choose: () => (api, who) => createSource(api, who, { name: 'Another', src: 'another' }),
  },
  { name: 'create key', weight: 2, choose: ofSource((id) => (api, who) => createSourceKey(api, who, id)) },
  {
    name: 'revoke key',
    weight: 2,
    choose: ofSource((id, { draws }) => {
      const slot = draws.pick('slot', KEY_SLOTS);
      return (api, who) => revokeSourceKey(api, who, id, slot);
    }),
  },
  {
    name: 'renew specification',
    weight: 2,
    choose: ofSource((id) => (api, who) => renewSpecification(api, who, id)),
  },
  {
    name: 'switch off specification',
    weight: 1,
    choose: ofSource((id) => (api, who) => switchOffSpecification(api, who, id)),
  },
  {
    name: 'open a former specification',
    weight: 2,
    choose: (world) => {
      const { formerSpecifications } = world.known;
      if (formerSpecifications.length === 0) return undefined;
      const token = world.draws.pick('former specification', formerSpecifications);
      return async (api) => {
        try {
          await sourceOfSpecification(api, token);
        } catch (error) {
          if (error instanceof DomainError) return;
          throw error;
        }
        world.scheduler.violation ??= new Violation('a former link opens the page of a source');
      };
    },
  },
  {
    name: 'set or remove the postback',
    weight: 2,
    choose: ofSource((id, world) => {
      const isSet = world.draws.chance('postback', 0.5);
      const postback = isSet
        ? { url: `https://track${id}.example/?id={eventId}`, events: [...CALLBACK_EVENTS] }
        : null;
      return async (api, who) => {
        world.known.hasMovedPostbacks = true;
        return updateEndpoints(await withCipher(api), who, id, { postback });
      };
    }),
  },
  {
    name: 'create signing secret',
    weight: 1,
    choose: ofSource((id) => async (api, who) => createSigningSecret(await withCipher(api), who, id)),
  },
  {
    name: 'revoke signing secret',
    weight: 1,
    choose: ofSource((id, { draws }) => {
      const slot = draws.pick('slot', KEY_SLOTS);
      return async (api, who) => revokeSigningSecret(await withCipher(api), who, id, slot);
    }),
  },
  {
    name: 'import leads',
    weight: 3,
    choose: ofSource((id, world) => {
      const leads = Array.from({ length: 1 + world.draws.below('imported', 2) }, () => posted(world, id));
      return async (api) => {
        const source = await sourceStore.get(api, id);
        if (source?.state !== 'live') return undefined;
        world.known.imported.set(id, (world.known.imported.get(id) ?? 0) + leads.length);
        return takeInPosted(api, await countImported(api, source, leads.length), leads, leads.length);
      };
    }),
  },
];

/** What is wrong with settings in a world at rest, as sentences. */
export function wrongWithSettings(world: SimulatedWorld): string[] {
  const templates = new Set(world.table.partition('TEMPLATES').map(({ id }) => id));
  return buyers(world).flatMap(({ buyer_id, email_template_id: id }) =>
    typeof id === 'string' && !templates.has(id)
      ? [`${String(buyer_id)} has a template that was deleted`]
      : [],
  );
}
