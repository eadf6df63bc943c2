/** Admins who erase people and say what is kept for how long and who is told of what; buyers who use their links and letters. */
import type { Item } from '#functions/data/table/table';
import { saveAlertSettings } from '#functions/domain/alerts/settings';
import { confirmAddress } from '#functions/domain/buyers/confirm-address';
import { DomainError } from '#functions/domain/common/errors';
import {
  beginErasure,
  confirmForRecipient,
  continueErasure,
  remindRecipient,
} from '#functions/domain/leads/erasures';
import { saveFeedback } from '#functions/domain/leads/feedback';
import { saveRetention } from '#functions/domain/leads/retention';
import { bySubscriptionToken, changeNews, newsToken } from '#functions/domain/orders/news';
import { createKeyLoader } from '#functions/keys/keys';
import { createErasures } from '#functions/platform/erasure';
import {
  ALERT_THRESHOLDS,
  FEEDBACKS,
  mapAlertKinds,
  NEWS_KINDS,
  RETENTION_KINDS,
} from '#shared/rules/constants';
import { aVisitor } from '#test/factories/links';
import type { Api } from '#test/simulation/api-process';
import { Violation } from '#test/simulation/kernel';
import { type Action, buyers, leads, ofBuyer, orders, pickFrom } from '#test/simulation/picks';
import { ENVIRONMENT, type SimulatedWorld } from '#test/simulation/world';

const loadKeys = createKeyLoader(ENVIRONMENT);

/** As its call does: what cannot be done now, the reconciliation continues. */
export async function erasePerson(api: Api, who: string, lead: string): Promise<void> {
  const erasures = createErasures(ENVIRONMENT, api.runtime, api.table);
  const begun = await beginErasure(erasures, who, [lead]);
  try {
    await continueErasure(erasures, begun);
  } catch (error) {
    api.runtime.log.warn('erasure interrupted', { error: String(error) });
  }
}

const recipients = (world: SimulatedWorld): Item[] =>
  [...world.table.items()].filter(({ sk }) => String(sk).startsWith('RECIPIENT#'));

/** What is done where people are erased. */
export const ERASURE_ACTIONS: readonly Action[] = [
  {
    name: 'erase a person',
    weight: 8,
    choose: (world) => {
      const status = world.draws.pick('erased', [
        'received',
        'pending',
        'assigned',
        'assigned',
        'deleted',
        'discarded',
      ]);
      const there = leads(world, status).filter(({ erased_at }) => erased_at === undefined);
      const lead = pickFrom(world, 'erased lead', there);
      return lead && ((api, who) => erasePerson(api, who, String(lead.lead_id)));
    },
  },
  {
    name: 'keep leads for a day',
    weight: 2,
    choose: ({ draws }) => {
      const kind = draws.pick('kept', RETENTION_KINDS);
      const days = draws.chance('not kept', 0.8) ? 1 : null;
      return (api, who) => saveRetention(api, who, { [kind]: days }, undefined);
    },
  },
  {
    name: 'remind of an erasure',
    weight: 1,
    choose: (world) => {
      const to = pickFrom(world, 'reminded', recipients(world));
      return (
        to &&
        ((api) =>
          remindRecipient(
            createErasures(ENVIRONMENT, api.runtime, api.table),
            String(to.erasure_id),
            Number(to.buyer),
          ))
      );
    },
  },
  {
    name: 'confirm an erasure',
    weight: 2,
    choose: (world) => {
      const by = pickFrom(world, 'confirmed', recipients(world));
      return (
        by &&
        ((api, who) =>
          confirmForRecipient(
            createErasures(ENVIRONMENT, api.runtime, api.table),
            who,
            String(by.erasure_id),
            Number(by.buyer),
          ))
      );
    },
  },
];

/** What is done where admins are alerted and buyers get news. */
export const NEWS_ACTIONS: readonly Action[] = [
  {
    name: 'switch alerts',
    weight: 3,
    choose: ({ draws }) => {
      const isOn = draws.chance('alerts', 0.7);
      const rules = mapAlertKinds((kind) => ({
        // Failing deliveries are always told, which is watched.
        email: isOn || kind === 'delivery_failing',
        push: isOn,
        threshold: ALERT_THRESHOLDS[kind]?.preset ?? null,
      }));
      return (api, who) => saveAlertSettings(api, who, rules, undefined);
    },
  },
  {
    name: 'choose news',
    weight: 2,
    choose: (world) => {
      const order = pickFrom(world, 'order', orders(world));
      const wanted = { [world.draws.pick('news', NEWS_KINDS)]: world.draws.chance('news', 0.7) };
      return order && ((api) => changeNews(api, 'link', aVisitor(), String(order.token), wanted));
    },
  },
  {
    name: 'unsubscribe',
    weight: 2,
    choose: (world) => {
      const { draws } = world;
      const buyer = pickFrom(world, 'buyer', buyers(world));
      const kind = draws.pick('news', NEWS_KINDS);
      const on = draws.chance('again', 0.3);
      return (
        buyer &&
        (async (api) => {
          const { news } = await loadKeys();
          const token = newsToken(
            news,
            { buyer: Number(buyer.buyer), buyer_email: String(buyer.buyer_email) },
            kind,
          );
          return bySubscriptionToken(api, news, { token, address: '192.0.2.7', on });
        })
      );
    },
  },
  {
    name: 'say something of a lead',
    weight: 4,
    choose: (world) => {
      const lead = pickFrom(world, 'lead said', leads(world, 'assigned'));
      const order = orders(world).find(({ order_id }) => order_id === lead?.order_id);
      const feedback = world.draws.pick('feedback', [...FEEDBACKS, null]);
      return (
        lead &&
        order &&
        ((api) =>
          saveFeedback(api, String(order.token), aVisitor(), {
            leadId: String(lead.lead_id),
            feedback,
            who: 'link',
          }))
      );
    },
  },
  {
    name: 'open a former link',
    weight: 3,
    choose: (world) => {
      const { formerTokens } = world.known;
      const token = formerTokens.length === 0 ? undefined : world.draws.pick('former', formerTokens);
      return token !== undefined
        ? async (api) => {
            try {
              await changeNews(api, 'link', aVisitor(), token, {});
            } catch (error) {
              if (error instanceof DomainError) return;
              throw error;
            }
            world.scheduler.violation ??= new Violation(
              `the former link ${token.slice(0, 6)} opens an order`,
            );
          }
        : undefined;
    },
  },
  {
    name: 'address works again',
    weight: 1,
    choose: ofBuyer((id) => (api, who) => confirmAddress(api, who, id)),
  },
];
