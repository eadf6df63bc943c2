/** One of many processes, as in Lambda: ingests one lead, or distributes one batch, whenever `processes.ts` asks. */
import { Table } from '#functions/data/table/table';
import { distributeBatch } from '#functions/domain/distribution/batches';
import { distributeMessage } from '#functions/queues/messages';
import { countingLedger, takeOneIn } from '#test/bench/usual-way';

const { TABLE_NAME = '', DYNAMODB_ENDPOINT } = process.env;
const product = countingLedger(new Table({ name: TABLE_NAME, endpoint: DYNAMODB_ENDPOINT }));

process.on('message', (message) => {
  const batch = distributeMessage.safeParse(message);
  void (
    batch.success
      ? distributeBatch(product, batch.data.batch_id, batch.data.absent).then(() => '')
      : takeOneIn(product)
  ).then((buyerId) => process.send?.({ buyerId, conflicts: product.conflicts() }));
});
process.on('disconnect', () => process.exit());
process.send?.({ ready: true });
