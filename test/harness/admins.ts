/** Admins of a test's own, alongside the one that every product has. */
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

let names = 0;
/** A new admin of the command line, logged in. */
export async function newAdmin(cloud: TestCloud) {
  names += 1;
  const username = `keeper-${names}`;
  await addAdmin(cloud, username);
  return { username, client: await logInAs(cloud, username) };
}

export const isLoggedIn = async (client: Client) => (await client.call('listBuyers')).status === 200;

export const codeOf = ({ body }: { readonly body: unknown }) => (body as { readonly code?: string }).code;

/** Who did what with an admin, the oldest first. */
export async function actionsOn({ admin }: TestCloud, entity_id: string): Promise<string[]> {
  const { entries } = await admin.ok('listAudit', { query: { entity: 'admin', entity_id } });
  return entries.map(({ who, action }) => `${who} ${action}`).toReversed();
}
