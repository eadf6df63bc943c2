/** What admins do to leads and deliveries, buyers and admins to claims, and admins to settings and sources. */
import {
  createCredential,
  deleteCredential,
  savePushText,
  saveSwitches,
  updateCredential,
} from '#functions/domain/administration/settings';
import { decideClaim } from '#functions/domain/claims/claims';
import { resend, resendFailed } from '#functions/domain/deliveries/delivery-log';
import { assignByHand } from '#functions/domain/distribution/distribution';
import { deleteLead, discardLead, editLead } from '#functions/domain/leads/leads';
import { resendCallback } from '#functions/domain/sources/callback-log';
import { updateSource } from '#functions/domain/sources/sources';
import { FILE_CLAIM, REVERSE } from '#test/simulation/claimants';
import { type Action, buyerId, claims, LAST_NAMES, ofBuyer, ofLead, pickFrom } from '#test/simulation/picks';
import type { SimulatedWorld } from '#test/simulation/world';

const credentials = (world: SimulatedWorld) =>
  world.table.partition('PUSHOVER').filter(({ sk }) => String(sk).startsWith('CREDENTIAL#'));

export const LEAD_ACTIONS: readonly Action[] = [
  {
    name: 'assign by hand',
    weight: 4,
    choose: ofLead('pending', (lead, world) => {
      const id = buyerId(world);
      return id === undefined
        ? undefined
        : (api, who) => assignByHand(api, who, lead, { person: {}, buyerId: id });
    }),
  },
  {
    name: 'discard lead',
    weight: 2,
    choose: ofLead('pending', (lead) => (api, who) => discardLead(api, who, lead)),
  },
  {
    name: 'delete lead',
    weight: 3,
    choose: ofLead('assigned', (lead) => (api, who) => deleteLead(api, who, lead)),
  },
  {
    name: 'edit lead',
    weight: 2,
    choose: (world) => {
      const status = world.draws.pick('status', ['assigned', 'pending']);
      return ofLead(status, (lead, { draws }) => {
        const nachname = draws.pick('person', LAST_NAMES);
        return (api, who) => editLead(api, who, lead, { nachname });
      })(world);
    },
  },
  FILE_CLAIM,
  {
    name: 'decide claim',
    weight: 6,
    choose: (world) => {
      const claim = pickFrom(world, 'claim', claims(world));
      const status = world.draws.chance('approve', 0.75) ? 'approved' : 'rejected';
      return (
        claim &&
        ((api, who) => decideClaim(api, { who: who, claimId: Number(claim.claim_id), status, notes: '' }))
      );
    },
  },
  REVERSE,
  {
    name: 'send again',
    weight: 2,
    choose: (world) => {
      const delivery = pickFrom(
        world,
        'delivery',
        [...world.table.items()].filter(({ sk }) => String(sk).startsWith('DELIVERY#')),
      );
      return (
        delivery &&
        ((api, who) => resend(api, who, String(delivery.lead_id), String(delivery.channel) as 'heroleads'))
      );
    },
  },
  { name: 'send failed again', weight: 1, choose: ofBuyer((id) => (api, who) => resendFailed(api, who, id)) },
  {
    name: 'switch checks',
    weight: 1,
    choose: ({ draws }) => {
      const phone_verification = draws.chance('phone', 0.5);
      return (api, who) => saveSwitches(api, who, { phone_verification });
    },
  },
  {
    name: 'add push credential',
    weight: 1,
    choose: () => (api, who) =>
      createCredential(api, who, {
        user_key: 'u',
        app_key: 'a',
        notify_lead_assignment: true,
        notify_lead_claims: true,
      }),
  },
  {
    name: 'change push credential',
    weight: 1,
    choose: (world) => {
      const credential = pickFrom(world, 'credential', credentials(world));
      return (
        credential &&
        ((api, who) => updateCredential(api, who, String(credential.id), { notify_lead_claims: false }))
      );
    },
  },
  {
    name: 'delete push credential',
    weight: 1,
    choose: (world) => {
      const credential = pickFrom(world, 'credential', credentials(world));
      return credential && ((api, who) => deleteCredential(api, who, String(credential.id)));
    },
  },
  {
    name: 'save push text',
    weight: 1,
    choose: () => (api, who) => savePushText(api, who, 'Lead $$nachname$$'),
  },
];

/** What admins do besides where there are sources. */
export const SOURCE_ACTIONS: readonly Action[] = [
  {
    name: 'call back again',
    weight: 1,
    choose: (world) => {
      const callback = pickFrom(
        world,
        'callback',
        [...world.table.items()].filter(({ sk }) => String(sk).startsWith('CALLBACK#')),
      );
      return (
        callback &&
        ((api, who) => resendCallback(api, who, String(callback.lead_id), String(callback.callback_id)))
      );
    },
  },
  {
    name: 'pause or resume source',
    weight: 1,
    choose: (world) => {
      const source = pickFrom(world, 'source', world.table.partition('SOURCES'));
      const state = world.draws.chance('source', 0.6) ? 'live' : 'paused';
      return source && ((api, who) => updateSource(api, who, Number(source.source), { state }));
    },
  },
];
