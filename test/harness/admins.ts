/** A test's own admins, in addition to the default one. */
import { ADMIN, addAdmin, Client, type TestCloud } from '#test/harness/cloud';

export async function logInAs(
  cloud: TestCloud,
  username: string,
  password: string = ADMIN.password,
): Promise<Client> {
  const client = new Client(cloud.url);
  await client.logIn({ username, password });
  return client;
}

export const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

let names = 0;
/** A new logged-in admin from the command line. */
export async function newAdmin(cloud: TestCloud) {
  names += 1;
  const username = `keeper-${names}`;
  await addAdmin(cloud, username);
  return { username, client: await logInAs(cloud, username) };
}

export const isLoggedIn = async (client: Client) => (await client.call('listBuyers')).status === 200;

export const codeOf = ({ body }: { readonly body: unknown }) => (body as { readonly code?: string }).code;

/** Audit entries about an admin, oldest first. */
export async function actionsOn({ admin }: TestCloud, entity_id: string): Promise<string[]> {
  const { entries } = await admin.ok('listAudit', { query: { entity: 'admin', entity_id } });
  return entries.map(({ who, action }) => `${who} ${action}`).toReversed();
}
