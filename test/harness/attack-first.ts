/** The largest files first, as usual, and before them the attack, a short file that takes longest. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

export class AttackFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const attacks = ({ moduleId }: TestSpecification) => moduleId.includes('/attack/');
    const sorted = await super.sort(files);
    return [...sorted.filter(attacks), ...sorted.filter((file) => !attacks(file))];
  }
}
