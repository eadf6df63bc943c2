import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SUBJECTS, subjectOf } from '#test/mutants/subjects';

const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`);

describe('the subjects of mutation testing', () => {
  it('include all code of rules, use cases, stores and calls, each file once', () => {
    const files = ['shared/rules', 'functions/domain', 'functions/data', 'functions/http'].flatMap(filesOf);
    expect(files.length).toBeGreaterThan(80);
    for (const file of files) {
      const subjects = Object.values(SUBJECTS).filter(({ code }) =>
        code.some((part) => file.startsWith(part)),
      );
      expect(subjects, file).toHaveLength(1);
      expect(subjectOf(file), file).toBeDefined();
    }
    expect(subjectOf('functions/channels/email.ts')).toBeUndefined();
  });

  it('contain only existing code and tests', () => {
    for (const { code, tests } of Object.values(SUBJECTS)) {
      for (const path of code) expect(existsSync(path), path).toBe(true);
      for (const path of tests)
        expect(existsSync(path.endsWith('/') ? path : `${path}.test.ts`), path).toBe(true);
    }
  });

  it('are all run every week', () => {
    const workflow = readFileSync('.github/workflows/mutants.yml', 'utf8');
    const [, list = ''] = /subject: \[([^\]]+)\]/.exec(workflow) ?? [];
    expect(list.split(/,\s*/)).toEqual(Object.keys(SUBJECTS));
  });
});
