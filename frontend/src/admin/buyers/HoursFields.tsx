import { Checkbox, Group, Switch, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { BuyerValues } from './buyer-values';
import { FieldPair } from './FieldPair';
import { DAYS, OFFICE_HOURS } from './hours';

export function HoursFields({ form }: { form: UseFormReturnType<BuyerValues> }) {
  const { schedule } = form.values;
  return (
    <>
      <Switch
        label="Only deliver leads at certain hours"
        description="Outside these hours, leads go to other buyers or wait. Missed leads are not compensated later."
        checked={schedule !== null}
        onChange={(event) =>
          form.setFieldValue('schedule', event.currentTarget.checked ? OFFICE_HOURS : null)
        }
      />
      {schedule !== null && (
        <>
          <Checkbox.Group
            mt="md"
            label="Days"
            required
            value={schedule.weekdays.map(String)}
            onChange={(days) =>
              form.setFieldValue('schedule', {
                ...schedule,
                weekdays: days.map(Number).toSorted((a, b) => a - b),
              })
            }
            error={form.errors['schedule.weekdays']}
          >
            <Group gap="sm" mt={4}>
              {DAYS.map((day, at) => (
                <Checkbox key={day} value={String(at + 1)} label={day} />
              ))}
            </Group>
          </Checkbox.Group>
          <FieldPair>
            <TextInput
              mt="sm"
              label="From"
              required
              placeholder="08:00"
              description="Berlin time"
              {...form.getInputProps('schedule.from')}
            />
            <TextInput
              mt="sm"
              label="To"
              required
              placeholder="18:00"
              description="Use 24:00 for the end of the day"
              {...form.getInputProps('schedule.to')}
            />
          </FieldPair>
          <Checkbox
            mt="sm"
            label="Not on public holidays"
            description="Nationwide holidays in Germany"
            {...form.getInputProps('schedule.holidays_off', { type: 'checkbox' })}
          />
        </>
      )}
    </>
  );
}
