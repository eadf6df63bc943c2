/** A test delivery has an invented person; everything else is as in a real lead. */

import { expect, it } from 'vitest';
import type { DeliveryPayload } from '#functions/data/deliveries/payloads';
import { keys } from '#functions/data/table/keys';
import { sendTestLead, tryChannel } from '#functions/domain/deliveries/test-delivery';
import { aBuyer } from '#test/factories/buyers';
import { aReport } from '#test/factories/deliveries';
import { anOrder } from '#test/factories/orders';
import { aTemplate } from '#test/factories/templates';
import { deliverDepsOn, runtimeAt } from '#test/harness/deliveries';
import { memoryTableWith } from '#test/harness/memory-table';

const NOW = new Date('2026-11-20T10:00:00.000Z');
const TEST_LEAD = {
  lead_id: 'new',
  received_at: NOW.toISOString(),
  person: { nachname: 'Testlead' },
  delivery: { order_id: 0, sequence: 0, attempt_count: 0 },
  afterUnknown: false,
};

async function world() {
  const table = await memoryTableWith([
    { ...keys.template(aTemplate().id), ...aTemplate() },
    { ...keys.order(12), ...anOrder() },
  ]);
  let now = NOW.getTime();
  const sent: DeliveryPayload[] = [];
  const send = async (payload: DeliveryPayload) => {
    sent.push(payload);
    now += 250;
    return aReport();
  };
  const tryOut = async (payload: DeliveryPayload) => {
    const report = await send(payload);
    return { report, request: null, answer: null, judgement: null };
  };
  const runtime = { ...runtimeAt(() => new Date(now)), newId: () => 'new' };
  const deps = deliverDepsOn(table, { send }, { runtime });
  return { deps: { ...deps, channels: { ...deps.channels, http: { send, tryOut } } }, sent };
}

it('a test lead has the template and link of a real lead', async () => {
  const { deps, sent } = await world();
  expect(await sendTestLead(deps, aBuyer(), 'email')).toEqual(aReport());
  expect(sent).toMatchObject([{ ...TEST_LEAD, template: { id: aTemplate().id }, token: anOrder().token }]);
});

it('unsaved settings can be tested without a link if the channel has a console', async () => {
  const { deps, sent } = await world();
  const buyer = aBuyer({ http_url: 'https://unsaved.example' });
  expect(await tryChannel(deps, buyer, 'http')).toMatchObject({ report: aReport(), durationMs: 250 });
  expect(sent).toMatchObject([{ ...TEST_LEAD, buyer, template: null, token: '' }]);
  await expect(tryChannel(deps, buyer, 'email')).rejects.toThrow('no console');
});
