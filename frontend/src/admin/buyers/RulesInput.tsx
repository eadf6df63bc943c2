import { Group, NativeSelect, TextInput } from '@mantine/core';
import { IconArrowUp } from '@tabler/icons-react';
import { type AnswerRule, RULE_SUBJECTS, VERDICTS } from '#shared/rules/answer-rules';
import { IconButton } from '../ui/IconButton';
import classes from './BuyerForm.module.css';
import { EntriesInput, type EntriesProps } from './EntriesInput';

interface Props extends EntriesProps<AnswerRule> {
  readonly description: string | undefined;
}

const SUBJECT_TEXT = {
  status: 'Status is',
  path: 'Field is',
  text: 'Text contains',
} as const satisfies Record<AnswerRule['subject'], string>;

const VALUE_EXAMPLE = {
  status: '409, 4xx or 200-204',
  path: 'value, or * for any',
  text: 'already exists',
} as const satisfies Record<AnswerRule['subject'], string>;

export const VERDICT_TEXT = {
  accepted: 'Accepted',
  duplicate: 'Duplicate',
  refused: 'Refused',
  retry: 'Try again',
} as const satisfies Record<AnswerRule['verdict'], string>;

const NEW_RULE: AnswerRule = { subject: 'status', path: '', value: '', verdict: 'refused' };

/** Answer rules, in the order of evaluation. */
export function RulesInput(props: Props) {
  const { entries, onChange } = props;
  const up = (index: number) => {
    const moved = [...entries];
    moved.splice(index - 1, 0, ...moved.splice(index, 1));
    onChange(moved);
  };
  return (
    <EntriesInput
      {...props}
      noun="rule"
      empty={NEW_RULE}
      className={classes.rule}
      labelOf={(index) => `Rule ${index + 1}`}
    >
      {(rule, change, remove, index) => (
        <>
          <NativeSelect
            aria-label="What to check"
            value={rule.subject}
            data={RULE_SUBJECTS.map((value) => ({ value, label: SUBJECT_TEXT[value] }))}
            onChange={(event) => {
              const subject = RULE_SUBJECTS.find((one) => one === event.currentTarget.value);
              if (subject !== undefined) change({ subject, ...(subject !== 'path' && { path: '' }) });
            }}
          />
          <TextInput
            aria-label="Path"
            placeholder={rule.subject === 'path' ? 'data.status' : ''}
            disabled={rule.subject !== 'path'}
            value={rule.path}
            onChange={(event) => change({ path: event.currentTarget.value })}
          />
          <TextInput
            aria-label="Value"
            placeholder={VALUE_EXAMPLE[rule.subject]}
            value={rule.value}
            onChange={(event) => change({ value: event.currentTarget.value })}
          />
          <NativeSelect
            aria-label="Means"
            value={rule.verdict}
            data={VERDICTS.map((value) => ({ value, label: VERDICT_TEXT[value] }))}
            onChange={(event) => {
              const verdict = VERDICTS.find((one) => one === event.currentTarget.value);
              if (verdict !== undefined) change({ verdict });
            }}
          />
          <Group gap={0} wrap="nowrap">
            <IconButton
              label={`Move rule ${index + 1} up`}
              icon={IconArrowUp}
              disabled={index === 0}
              onClick={() => up(index)}
            />
            {remove}
          </Group>
        </>
      )}
    </EntriesInput>
  );
}
