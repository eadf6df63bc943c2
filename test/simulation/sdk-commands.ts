/**
 * Replaces `@aws-sdk/lib-dynamodb` in `npm run simulate`. The simulated table reads only the name and input of its
 * commands, while the SDK's own prepare an unused middleware stack each.
 */
import type { Input } from '#test/simulation/table-model';

abstract class Command {
  readonly input: Input;
  constructor(input: Input) {
    this.input = input;
  }
}

export class BatchGetCommand extends Command {}
export class DeleteCommand extends Command {}
export class GetCommand extends Command {}
export class PutCommand extends Command {}
export class QueryCommand extends Command {}
export class ScanCommand extends Command {}
export class TransactWriteCommand extends Command {}
export class UpdateCommand extends Command {}

export const DynamoDBDocumentClient = {
  from(): never {
    throw new Error('The simulation reaches no table outside of it');
  },
};
