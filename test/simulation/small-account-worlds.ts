/** Small worlds about who may log in, codes of links, and templates. */

import type { Session } from '#functions/data/administration/admin';
import * as sessionStore from '#functions/data/administration/session-store';
import { removeAdmin } from '#functions/domain/administration/admin-access';
import { openSession } from '#functions/domain/administration/admins';
import { createTemplate, deleteTemplate } from '#functions/domain/administration/settings';
import { updateBuyer } from '#functions/domain/buyers/buyers';
import { accessOf, addFirstAdmins, NAMES, wrongWithAccounts } from '#test/simulation/account-actions';
import type { Api } from '#test/simulation/api-process';
import { Violation } from '#test/simulation/kernel';
import { orders } from '#test/simulation/picks';
import { asksForCode, entersCode, wrongWithSettings } from '#test/simulation/setting-actions';
import { type Actor, type SmallWorld, WHO } from '#test/simulation/small-actors';

const [ANNA, BERT] = [NAMES[0] ?? '', NAMES[1] ?? ''];

/** Logs in, and then acts with the session. */
const as =
  (
    username: string,
    act: (access: ReturnType<typeof accessOf>, session: Session) => Promise<unknown>,
  ): Actor =>
  async (api: Api) => {
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

const entersTheCode: Actor = async (api, world) => {
  const asked = [...world.table.items()].find(({ sk }) => sk === 'LINKCODE');
  await (asked && entersCode(world, asked, false))?.(api, WHO);
};

const template = {
  name: 'Leads',
  smtp_host: 'mail.example',
  smtp_port: 587,
  smtp_user: 'u@mail.example',
  smtp_pass: 'p',
  smtp_subject: 'A lead',
  smtp_body: 'Hello',
};
const firstTemplate: (world: Parameters<Actor>[1]) => string = ({ table }) =>
  String(table.partition('TEMPLATES')[0]?.id);

/** @throws Violation with what is wrong */
const holds =
  (wrong: (world: Parameters<Actor>[1]) => readonly string[]): Actor =>
  async (_, world) => {
    const found = wrong(world);
    if (found.length > 0) throw new Violation(found.join('; '));
  };

export const ACCOUNT_WORLDS: readonly SmallWorld[] = [
  {
    name: 'two admins remove each other',
    limit: 1,
    prepare: addFirstAdmins,
    actors: { one: removes(ANNA, BERT), two: removes(BERT, ANNA) },
    maxPreemptions: 1,
    after: holds((world) => wrongWithAccounts(world, [...world.table.items()])),
  },
  {
    name: 'a code of a link is entered on two devices',
    limit: 1,
    prepare: async (api, world) => {
      await updateBuyer(api, WHO, 'north', { link_code: true });
      for (const order of orders(world)) await asksForCode(order)(api, WHO);
    },
    actors: { one: entersTheCode, two: entersTheCode },
    maxPreemptions: 2,
  },
  {
    name: 'a template is deleted while a buyer chooses it',
    limit: 1,
    prepare: (api) => createTemplate(api, WHO, template),
    actors: {
      one: (api, world) => deleteTemplate(api, WHO, firstTemplate(world)),
      two: (api, world) =>
        updateBuyer(api, WHO, 'north', { send_email: true, email_template_id: firstTemplate(world) }),
    },
    maxPreemptions: 2,
    after: holds(wrongWithSettings),
  },
];
