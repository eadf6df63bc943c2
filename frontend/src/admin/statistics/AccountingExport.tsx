import { Group, Paper, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { fileUrl } from '../../app/api';
import { ExportLinks } from '../ui/ExportLinks';

const MONTH = /^20\d\d-(0[1-9]|1[0-2])$/;

/** Downloads the billing figures by month and buyer. */
export function AccountingExport() {
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const problem = problemOf(from, to);
  return (
    <Paper component="section" withBorder p="md" aria-labelledby="accounting-title">
      <Title order={2} size="h4" id="accounting-title">
        Accounting
      </Title>
      <Text c="dimmed" mb="sm">
        Orders, deliveries, replacements, prices, revenue and claims by month and buyer. “Leads ordered” is
        the current limit of the orders opened in the month.
      </Text>
      <Group gap="sm" align="flex-end">
        <MonthInput label="From month" placeholder="2026-01" value={from} change={setFrom} />
        <MonthInput label="To month" placeholder="2026-12" value={to} change={setTo} />
        <ExportLinks
          of="accounting"
          address={(format) => fileUrl('exportAccounting', { params: { format }, query: { from, to } })}
          disabled={problem !== undefined}
        />
      </Group>
      <Text c="dimmed" mt="xs" role="status">
        {problem ?? (from === '' && to === '' ? 'All months' : '')}
      </Text>
    </Paper>
  );
}

interface MonthProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly change: (month: string) => void;
}

function MonthInput({ change, ...props }: MonthProps) {
  return (
    <TextInput type="month" size="xs" onChange={(event) => change(event.currentTarget.value)} {...props} />
  );
}

function problemOf(from: string, to: string): string | undefined {
  if ([from, to].some((month) => month !== '' && !MONTH.test(month)))
    return 'Please enter a month, such as 2026-01.';
  return from !== '' && to !== '' && from > to ? 'The first month is after the last one.' : undefined;
}
