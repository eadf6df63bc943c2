/** One of many processes, as Lambda runs them: takes one lead in at a time, whenever `processes.ts` asks for it. */
import { Table } from '#functions/data/table/table';
import { countingLedger, takeOneIn } from '#test/bench/usual-way';

const { TABLE_NAME = '', DYNAMODB_ENDPOINT } = process.env;
const product = countingLedger(new Table({ name: TABLE_NAME, endpoint: DYNAMODB_ENDPOINT }));

process.on('message', () => {
  void takeOneIn(product).then((buyerId) => process.send?.({ buyerId, conflicts: product.conflicts() }));
});
process.on('disconnect', () => process.exit());
process.send?.({ ready: true });
