/** Small worlds about access, link codes and templates. */

import type { Session } from '#functions/data/administration/admin';
import * as sessionStore from '#functions/data/administration/session-store';
import { removeAdmin } from '#functions/domain/administration/admin-access';
import { openSession } from '#functions/domain/administration/admins';
import { createTemplate, deleteTemplate } from '#functions/domain/administration/settings';
import { accessOf, addFirstAdmins, NAMES, wrongWithAccounts } from '#test/simulation/account-actions';
import { Violation } from '#test/simulation/kernel';
import { orders, TEMPLATE } from '#test/simulation/picks';
import { unconditional } from '#test/simulation/rewriting';
import { asksForCode, entersCode, wrongWithSettings } from '#test/simulation/setting-actions';
import { type Actor, changesBuyer, oneByOne, type SmallWorlds, WHO } from '#test/simulation/small-actors';
import type { SimulatedWorld } from '#test/simulation/world';

const [ANNA, BERT] = [NAMES[0] ?? '', NAMES[1] ?? ''];

/** Logs in, and then acts with the session. */
const as =
  (
    username: string,
    act: (access: ReturnType<typeof accessOf>, session: Session) => Promise<unknown>,
  ): Actor =>
  async (api) => {
    const access = accessOf(api);
    const admin = await sessionStore.admin(access, username);
    if (admin === undefined) return undefined;
    const opened = await openSession(access, admin, { from: { address: '192.0.2.1', user_agent: '' } });
    const name = { id: opened.sessionId, username };
    const session = await sessionStore.findOpen(access, name, api.runtime.now());
    return session && act(access, session);
  };
const removes = (username: string, other: string) =>
  as(username, (access, session) => removeAdmin(access, session, other));

const asksForCodes: Actor = async (api, world) => {
  for (const order of orders(world)) await asksForCode(order)(api, WHO);
};
const entersTheCode: Actor = async (api, world) => {
  const asked = [...world.table.items()].find(({ sk }) => sk === 'LINKCODE');
  await (asked && entersCode(world, asked, false))?.(api, WHO);
};

const firstTemplate = ({ table }: SimulatedWorld) => String(table.partition('TEMPLATES')[0]?.id);

/** @throws Violation with what is wrong */
const holds =
  (wrong: (world: SimulatedWorld) => readonly string[]): Actor =>
  async (_, world) => {
    const found = wrong(world);
    if (found.length > 0) throw new Violation(found.join('; '));
  };

export const ACCOUNT_WORLDS: SmallWorlds = {
  'two admins remove each other': {
    prepare: addFirstAdmins,
    actors: [removes(ANNA, BERT), removes(BERT, ANNA)],
    interruptions: 1,
    after: holds((world) => wrongWithAccounts(world, [...world.table.items()])),
    shows: { 'the last admins are removed': unconditional(/^ADMINACCESS/) },
  },
  'a link code is entered on two devices': {
    prepare: oneByOne(changesBuyer({ link_code: true }), asksForCodes),
    actors: [entersTheCode, entersTheCode],
    shows: { 'a link code works twice': unconditional(/^LINKCODE/) },
  },
  'a template is deleted while a buyer chooses it': {
    prepare: (api) => createTemplate(api, WHO, TEMPLATE),
    actors: [
      (api, world) => deleteTemplate(api, WHO, firstTemplate(world)),
      (api, world) => changesBuyer({ send_email: true, email_template_id: firstTemplate(world) })(api, world),
    ],
    after: holds(wrongWithSettings),
    shows: { 'a buyer keeps a template that is deleted': unconditional(/^TEMPLATES/) },
  },
};
