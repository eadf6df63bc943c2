/** Actions of admins on leads, deliveries, settings and sources, and of buyers and admins on claims. */
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
import {
  type Actions,
  buyerId,
  by,
  claims,
  itemsLike,
  LAST_NAMES,
  ofBuyer,
  ofLead,
  ofOne,
  ofSource,
} from '#test/simulation/picks';
import type { SimulatedWorld } from '#test/simulation/world';

const credentials = (world: SimulatedWorld) =>
  world.table.partition('PUSHOVER').filter(({ sk }) => String(sk).startsWith('CREDENTIAL#'));
const deliveries = (world: SimulatedWorld) => itemsLike(world, 'DELIVERY#');
const callbacks = (world: SimulatedWorld) => itemsLike(world, 'CALLBACK#');

export const LEAD_ACTIONS: Actions = {
  'assign by hand': ofLead(4, 'pending', (lead, world) => {
    const id = buyerId(world);
    return id === undefined
      ? undefined
      : (api, who) => assignByHand(api, who, lead, { person: {}, buyerId: id });
  }),
  'discard lead': ofLead(2, 'pending', (lead) => (api, who) => discardLead(api, who, lead)),
  'delete lead': ofLead(3, 'assigned', (lead) => (api, who) => deleteLead(api, who, lead)),
  'edit lead': by(2, (world) => {
    const status = world.draws.pick('status', ['assigned', 'pending']);
    return ofLead(0, status, (lead, { draws }) => {
      const nachname = draws.pick('person', LAST_NAMES);
      return (api, who) => editLead(api, who, lead, { nachname });
    }).choose(world);
  }),
  'file claim': FILE_CLAIM,
  'decide claim': ofOne(6, 'claim', claims, ({ claim_id }, { draws }) => {
    const status = draws.chance('approve', 0.75) ? 'approved' : 'rejected';
    return (api, who) => decideClaim(api, { who, claimId: Number(claim_id), status, notes: '' });
  }),
  'reverse decision': REVERSE,
  'send again': ofOne(
    2,
    'delivery',
    deliveries,
    ({ lead_id, channel }) =>
      (api, who) =>
        resend(api, who, String(lead_id), String(channel) as 'heroleads'),
  ),
  'send failed again': ofBuyer(1, (id) => (api, who) => resendFailed(api, who, id)),
  'switch checks': by(1, ({ draws }) => {
    const phone_verification = draws.chance('phone', 0.5);
    return (api, who) => saveSwitches(api, who, { phone_verification });
  }),
  'add push credential': by(
    1,
    () => (api, who) =>
      createCredential(api, who, {
        user_key: 'u',
        app_key: 'a',
        notify_lead_assignment: true,
        notify_lead_claims: true,
      }),
  ),
  'change push credential': ofOne(
    1,
    'credential',
    credentials,
    ({ id }) =>
      (api, who) =>
        updateCredential(api, who, String(id), { notify_lead_claims: false }),
  ),
  'delete push credential': ofOne(
    1,
    'credential',
    credentials,
    ({ id }) =>
      (api, who) =>
        deleteCredential(api, who, String(id)),
  ),
  'save push text': by(1, () => (api, who) => savePushText(api, who, 'Lead $$nachname$$')),
};

/** Further actions of admins if there are sources. */
export const SOURCE_ACTIONS: Actions = {
  'call back again': ofOne(
    1,
    'callback',
    callbacks,
    ({ lead_id, callback_id }) =>
      (api, who) =>
        resendCallback(api, who, String(lead_id), String(callback_id)),
  ),
  'pause or resume source': ofSource(1, (source, { draws }) => {
    const state = draws.chance('source', 0.6) ? 'live' : 'paused';
    return (api, who) => updateSource(api, who, source, { state });
  }),
};
