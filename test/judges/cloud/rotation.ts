/** The rotation of all secrets that deployments rotate, in the steps of docs/operations/secrets-rotation.md. */
import { ApiClient } from '#local/api-client';
import type { Journal } from '#test/attack/journal';
import { tokenOf } from '#test/harness/cloud';
import { type Account, change, copySources } from '#test/judges/cloud/deployment';
import { expect } from '#test/judges/cloud/findings';
import type { Stage } from '#test/judges/cloud/stage';

interface Step {
  readonly keys: string;
  readonly applicationKeys: 1 | 2;
}

/** Keys of the site gate and origin secrets in three deployments; the last one also renews the application keys. */
const STEPS: readonly Step[] = [
  { keys: '{ accepted: [1, 2], current: 1 }', applicationKeys: 1 },
  { keys: '{ accepted: [1, 2], current: 2 }', applicationKeys: 1 },
  { keys: '{ accepted: [2], current: 2 }', applicationKeys: 2 },
];

export interface Rotation {
  readonly folder: string;
  readonly endsSessions: boolean;
}

/** Sources of each step, to be synthesized. @param edit changes them further */
export function rotations(edit: (folder: string) => void = () => undefined): readonly Rotation[] {
  return STEPS.map(({ keys, applicationKeys }, at) => {
    const folder = copySources(`rotation-${at + 1}`);
    change(folder, 'cdk/config.ts', '{ accepted: [1], current: 1 }', keys);
    change(folder, 'cdk/config.ts', 'applicationKeys: 1,', `applicationKeys: ${applicationKeys},`);
    edit(folder);
    return { folder, endsSessions: applicationKeys > 1 };
  });
}

export async function synthesized(account: Account, all: readonly Rotation[]): Promise<readonly Rotation[]> {
  for (const { folder } of all) {
    const { ok, output } = await account.synthesize(folder);
    expect(ok, output);
  }
  return all;
}

/** Sessions, cookies and links of a step go on, unless the page of operations says that the step ends sessions. */
export async function rotate(
  { account, admin, edge, firstAdmin }: Stage,
  journal: Journal,
  { folder, endsSessions }: Rotation,
): Promise<void> {
  const earlier = new ApiClient(edge.url);
  await earlier.logIn(firstAdmin);
  const links = await linksOf(earlier);
  const refusedBefore = refusals(journal);
  const { ok, output } = await account.deploy(folder);
  expect(ok, output);
  const refused = refusals(journal) - refusedBefore;
  const { status } = await earlier.call('listBuyers');
  if (endsSessions) {
    if (status !== 401) journal.violation(`a session of the old key is answered with ${status}`);
    await admin.logIn(firstAdmin);
  } else {
    if (status !== 200) journal.violation(`a session of an accepted key is answered with ${status}`);
    if (refused > 0) journal.violation(`${refused} calls were refused while a secret was rotated`);
    await opensAdminSite(earlier, 'a cookie of an accepted key', journal);
  }
  const later = new ApiClient(edge.url);
  await later.logIn(firstAdmin);
  await opensAdminSite(later, 'a new cookie', journal);
  const now = await linksOf(later);
  for (const token of links.filter((link) => now.includes(link)).slice(0, MAX_LINKS)) {
    const seen = await later.call('viewLeads', { params: { token } });
    if (seen.status !== 200) journal.violation(`a link is answered with ${seen.status} after a rotation`);
  }
}

const MAX_LINKS = 5;

const linksOf = async (admin: ApiClient): Promise<string[]> =>
  (await admin.ok('listOrders')).orders.map(({ excel_link }) => tokenOf(excel_link));

/** Of a session or an origin; CloudFront's have no code. */
const refusals = ({ refusals }: Journal): number =>
  [...refusals].reduce(
    (sum, [what, count]) => sum + (/: (not_logged_in|origin_closed|undefined)$/.test(what) ? count : 0),
    0,
  );

/** A file that does not exist, because only CloudFront's refusal matters. */
async function opensAdminSite(admin: ApiClient, what: string, journal: Journal): Promise<void> {
  const { body } = await admin.raw('GET', '/admin-assets/none.js');
  const text = body instanceof Uint8Array ? Buffer.from(body).toString() : '';
  if (text.includes('MissingKey')) journal.violation(`${what} does not open the admin site: ${text}`);
}
