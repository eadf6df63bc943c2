import { Checkbox, Table, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { type AlertKind, mapAlertKinds } from '#shared/rules/constants';
import { EMAIL_PATTERN } from '#shared/rules/validation';
import { useApiMutation } from '../data/mutation';
import { type AlertSettings, type AlertThresholds, loadAlerts, useAlertsNow } from '../data/settings';
import type { DialogInput } from '../dialogs/dialogs';
import { EditModal } from '../ui/EditModal';
import { AlertsTable } from './AlertsTable';
import { ALERTS, numberProblem } from './alert-texts';

/** A rule as typed. */
interface Rule {
  readonly email: boolean;
  readonly push: boolean;
  readonly threshold: string;
}
type Values = Record<AlertKind, Rule> & { emails: string };

const LABELS = { emails: 'Addresses', ...Object.fromEntries(ALERTS.map(({ kind, title }) => [kind, title])) };

const typed = ({ emails, ...rules }: AlertSettings): Values => ({
  emails: emails.join(', '),
  ...mapAlertKinds((kind) => ({ ...rules[kind], threshold: String(rules[kind].threshold ?? '') })),
});
const addressesOf = (text: string) => text.split(/[\s,;]+/).filter((address) => address !== '');
const requestOf = ({ emails, ...rules }: Values) => ({
  emails: addressesOf(emails),
  ...mapAlertKinds((kind) => {
    const { email, push, threshold } = rules[kind];
    return { email, push, threshold: threshold === '' ? null : Number(threshold) };
  }),
});
const problemsOf = (values: Values): Record<string, string> => {
  const problems = ALERTS.flatMap(({ kind, limits }) => {
    const problem = limits && numberProblem(limits, values[kind].threshold);
    return problem === null ? [] : [[`${kind}.threshold`, problem]];
  });
  const wrong = addressesOf(values.emails).filter((address) => !EMAIL_PATTERN.test(address));
  return {
    ...Object.fromEntries(problems),
    ...(wrong.length > 0 && { emails: `Not a valid address: ${wrong.join(', ')}` }),
  };
};
/** `E-mail, Push, Days: 3` */
const ruleText = ({ email, push, threshold }: Rule, unit: string | undefined) =>
  [email ? 'E-mail' : '', push ? 'Push' : '', unit ? `${unit}: ${threshold}` : ''].filter(Boolean).join(', ');
const textOf = (name: string, values: Values) =>
  ALERTS.flatMap(({ kind, unit }) => (kind === name ? [ruleText(values[kind], unit) || 'Off'] : [])).at(0);
const thresholdsOf = (values: Values): AlertThresholds => ({
  order_nearly_full: Number(values.order_nearly_full.threshold),
  buyer_without_leads: Number(values.buyer_without_leads.threshold),
  leads_waiting: Number(values.leads_waiting.threshold),
  claims_waiting: Number(values.claims_waiting.threshold),
  replacements_owed: Number(values.replacements_owed.threshold),
});

export function AlertsDialog({ stored, close }: DialogInput<'alerts'>) {
  const form = useForm<Values>({
    initialValues: typed(stored),
    validateInputOnBlur: true,
    validate: problemsOf,
  });
  const [asked] = useDebouncedValue(form.values, 400);
  const isValid = Object.keys(problemsOf(asked)).length === 0;
  const now = useAlertsNow(isValid ? thresholdsOf(asked) : undefined);
  return (
    <EditModal
      title="Edit Alerts"
      action="Save Alerts"
      size="lg"
      form={form}
      load={async () => typed((await loadAlerts()).settings)}
      labels={LABELS}
      textOf={textOf}
      requestOf={requestOf}
      inputOf={(body) => ({ body })}
      byButton
      sticky
      write={useApiMutation('saveAlertSettings')}
      close={close}
    >
      <TextInput
        label="Addresses"
        description="E-mail addresses, separated by commas. If empty, alerts go to the operator’s address."
        placeholder="anna@example.com, ben@example.com"
        {...form.getInputProps('emails')}
      />
      <AlertsTable active_alerts={now.data?.active_alerts}>
        {({ kind, title, unit, limits }) => (
          <>
            <Table.Td>
              <Checkbox
                aria-label={`E-mail: ${title}`}
                {...form.getInputProps(`${kind}.email`, { type: 'checkbox' })}
              />
            </Table.Td>
            <Table.Td>
              <Checkbox
                aria-label={`Push: ${title}`}
                {...form.getInputProps(`${kind}.push`, { type: 'checkbox' })}
              />
            </Table.Td>
            <Table.Td>
              {limits && (
                <TextInput
                  size="xs"
                  label={unit}
                  inputMode="numeric"
                  maxLength={4}
                  {...form.getInputProps(`${kind}.threshold`)}
                />
              )}
            </Table.Td>
          </>
        )}
      </AlertsTable>
    </EditModal>
  );
}
