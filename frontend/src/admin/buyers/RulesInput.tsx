import { Button, Group, Input, NativeSelect, TextInput } from '@mantine/core';
import { IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { type AnswerRule, RULE_SUBJECTS, VERDICTS } from '#shared/rules/answer-rules';
import { IconButton } from '../ui/IconButton';
import classes from './BuyerForm.module.css';

interface Props {
  readonly label: string;
  readonly description: string | undefined;
  readonly maxEntries: number;
  readonly rules: readonly AnswerRule[];
  readonly onChange: (rules: AnswerRule[]) => void;
  readonly error: ReactNode;
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

/** What answers mean, in the order in which the rules are asked. */
export function RulesInput({ label, description, maxEntries, rules, onChange, error }: Props) {
  const change = (index: number, part: Partial<AnswerRule>) =>
    onChange(rules.map((rule, place) => (place === index ? { ...rule, ...part } : rule)));
  const up = (index: number) => {
    const moved = [...rules];
    moved.splice(index - 1, 0, ...moved.splice(index, 1));
    onChange(moved);
  };
  return (
    <Input.Wrapper mt="sm" label={label} labelElement="div" description={description} error={error}>
      {rules.map((rule, index) => (
        // oxlint-disable-next-line no-array-index-key -- a rule is known by its place
        <div key={index} className={classes.rule} role="group" aria-label={`Rule ${index + 1}`}>
          <NativeSelect
            aria-label="What is looked at"
            value={rule.subject}
            data={RULE_SUBJECTS.map((value) => ({ value, label: SUBJECT_TEXT[value] }))}
            onChange={(event) => {
              const subject = RULE_SUBJECTS.find((one) => one === event.currentTarget.value);
              if (subject !== undefined) change(index, { subject, ...(subject !== 'path' && { path: '' }) });
            }}
          />
          <TextInput
            aria-label="Path"
            placeholder={rule.subject === 'path' ? 'data.status' : ''}
            disabled={rule.subject !== 'path'}
            value={rule.path}
            onChange={(event) => change(index, { path: event.currentTarget.value })}
          />
          <TextInput
            aria-label="Value"
            placeholder={VALUE_EXAMPLE[rule.subject]}
            value={rule.value}
            onChange={(event) => change(index, { value: event.currentTarget.value })}
          />
          <NativeSelect
            aria-label="Means"
            value={rule.verdict}
            data={VERDICTS.map((value) => ({ value, label: VERDICT_TEXT[value] }))}
            onChange={(event) => {
              const verdict = VERDICTS.find((one) => one === event.currentTarget.value);
              if (verdict !== undefined) change(index, { verdict });
            }}
          />
          <Group gap={0} wrap="nowrap">
            <IconButton
              label={`Move rule ${index + 1} up`}
              icon={<IconArrowUp size={16} />}
              disabled={index === 0}
              onClick={() => up(index)}
            />
            <IconButton
              label={`Remove rule ${index + 1}`}
              icon={<IconTrash size={16} />}
              danger
              onClick={() => onChange(rules.filter((_, place) => place !== index))}
            />
          </Group>
        </div>
      ))}
      <div>
        <Button
          mt="xs"
          size="compact-sm"
          variant="subtle"
          leftSection={<IconPlus size={14} />}
          disabled={rules.length >= maxEntries}
          onClick={() => onChange([...rules, NEW_RULE])}
        >
          Add rule
        </Button>
      </div>
    </Input.Wrapper>
  );
}
