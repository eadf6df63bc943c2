/**
 * Runs projects sequentially: a worker is reused only within a project, and a new one loads the product and its
 * libraries again. Within a project the largest files come first, as usual; before them the attack, a short file that
 * takes longest. The unit tests come last, because they are short and fill the gaps at the end.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const PROJECTS = ['integration', 'e2e', 'cdk', 'unit'];

export class ByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification) =>
      PROJECTS.indexOf(project.name) + (moduleId.includes('/attack/') ? -0.5 : 0);
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
