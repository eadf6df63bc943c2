import { NativeSelect, SimpleGrid } from '@mantine/core';
import { CONSENT_INTAKE_FIELDS, type IntakeField, isOfConsent } from '#shared/rules/lead-fields';
import type { Source } from '../../data/sources';
import { Fold } from '../../ui/Fold';
import { countOf } from '../../ui/labels';
import { FIELD_TEXTS } from '../field-texts';
import { COLUMN_FIELDS, type Columns } from './match-column-headers';

interface Props extends Pick<Source, 'defaults'> {
  readonly headers: readonly string[];
  readonly columns: Columns;
  readonly disabled: boolean;
  readonly choose: (field: IntakeField, column: string) => void;
}

/** The column of each field. Those of a consent are folded, because few files have them. */
export function ChooseColumns(props: Props) {
  const ofConsent = CONSENT_INTAKE_FIELDS.filter((field) => props.columns[field] !== undefined);
  const summary = ofConsent.length === 0 ? 'Not in the file' : countOf(ofConsent.length, 'column');
  return (
    <div>
      <Selects {...props} fields={COLUMN_FIELDS.filter((field) => !isOfConsent(field))} />
      <Fold title="Consent" summary={summary}>
        <Selects {...props} fields={CONSENT_INTAKE_FIELDS} />
      </Fold>
    </div>
  );
}

function Selects({
  fields,
  headers,
  columns,
  defaults,
  disabled,
  choose,
}: Props & { readonly fields: readonly IntakeField[] }) {
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="xs">
      {fields.map((field) => (
        <NativeSelect
          key={field}
          size="xs"
          label={FIELD_TEXTS[field]}
          disabled={disabled}
          value={String(columns[field] ?? '')}
          data={[
            { value: '', label: defaults[field] ?? 'Not in the file' },
            ...headers.map((header, at) => ({ value: String(at), label: header || `Column ${at + 1}` })),
          ]}
          onChange={(event) => choose(field, event.currentTarget.value)}
        />
      ))}
    </SimpleGrid>
  );
}
