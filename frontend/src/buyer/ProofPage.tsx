import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import {
  CONSENT_CHANNELS,
  CONSENT_METHOD_LABELS,
  CONSENT_METHODS,
  channelsText,
} from '#shared/rules/consent';
import {
  type CheckedProof,
  type ConsentProof,
  type ProofFault,
  type Published,
  publishedIn,
  verifyConsentProof,
} from '#shared/rules/consent-proof';
import { formatDateTime } from '#shared/rules/formats';
import { call } from '../app/api';
import { BuyerFrame, PageButton } from './BuyerFrame';
import classes from './proof.module.css';
import { withoutBidiControls } from './view';

const TEXT = {
  title: 'Nachweis einer Einwilligung prüfen',
  about:
    'Wählen Sie die Datei mit dem Nachweis. Geprüft wird, ob sie seit der Ausstellung unverändert ist und ob die Einwilligung mit diesem Wortlaut gespeichert wurde. Das geschieht in Ihrem Browser: Die Datei wird nicht hochgeladen.',
  file: 'Nachweis auswählen oder hier ablegen',
  checking: 'Wird geprüft …',
  failed:
    'Die Datei konnte nicht geprüft werden. Öffnen Sie diese Seite über HTTPS in einem aktuellen Browser.',
  noCheckpoints:
    'Die veröffentlichten Prüfpunkte konnten nicht geladen werden. Ohne sie kann nur die Datei selbst geprüft werden.',
  retry: 'Erneut versuchen',
  checkpointFile: 'Prüfpunkte aus einer Datei laden',
  noneInFile: 'In dieser Datei ist kein Prüfpunkt.',
  checkpoints: (count: number) => {
    if (count === 0)
      return 'Es gibt noch keinen veröffentlichten Prüfpunkt. Bis zum ersten werden nur Signatur und Siegel des Nachweises geprüft: Prüfen Sie ihn später noch einmal.';
    return count === 1
      ? 'Verglichen wird mit einem veröffentlichten Prüfpunkt.'
      : `Verglichen wird mit ${count} veröffentlichten Prüfpunkten.`;
  },
} as const;

const FAULTS: Readonly<Record<ProofFault, readonly [string, string]>> = {
  not_a_proof: [
    'Das ist kein gültiger Nachweis',
    'Die Datei ist kein Nachweis einer Einwilligung, oder sie wurde so geändert, dass sie nicht mehr lesbar ist. Ein ZIP entpacken Sie bitte zuerst und wählen eine JSON-Datei daraus.',
  ],
  changed: [
    'Am Nachweis wurde etwas geändert',
    'Mindestens ein Zeichen wurde geändert, hinzugefügt oder entfernt.',
  ],
  signature: ['Am Nachweis wurde etwas geändert', 'Die Signatur passt nicht zum Inhalt.'],
  wording: ['Am Nachweis wurde etwas geändert', 'Der Wortlaut ist nicht der gespeicherte.'],
  seal: ['Am Nachweis wurde etwas geändert', 'Das Siegel passt nicht zum Inhalt.'],
  foreign_key: [
    'Der Nachweis ist nicht von hier',
    'Er ist nicht mit einem veröffentlichten Schlüssel signiert.',
  ],
  foreign_chain: [
    'Der Nachweis ist nicht von hier',
    'Sein Siegel widerspricht einem veröffentlichten Prüfpunkt.',
  ],
};

const FETCHED = queryOptions({
  queryKey: ['consent-checkpoints'],
  queryFn: ({ signal }): Promise<Published> => call('listConsentCheckpoints', { query: {} }, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

/** For anyone who has a proof; works without a connection once it is loaded. */
export function ProofPage() {
  const queries = useQueryClient();
  const fetched = useQuery(FETCHED);
  const [own, setOwn] = useState<Published>();
  const [isOwnEmpty, setIsOwnEmpty] = useState(false);
  const check = useMutation({
    mutationFn: async ({ file, given }: { file: File; given: Published | undefined }) => {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const published = given ?? (await queries.ensureQueryData(FETCHED).catch(() => undefined));
      return { published, result: await verifyWithOlder(bytes, published) };
    },
  });
  const readCheckpoints = async (file: File) => {
    const given = publishedIn(await file.text());
    setIsOwnEmpty(given.checkpoints.length === 0);
    if (given.checkpoints.length === 0) return;
    setOwn(given);
    if (check.variables !== undefined) check.mutate({ file: check.variables.file, given });
  };
  const known = own ?? fetched.data;
  return (
    <BuyerFrame>
      <title>{TEXT.title}</title>
      <main className={classes.main}>
        <h1>{TEXT.title}</h1>
        <p className={classes.muted}>{TEXT.about}</p>
        <FileField label={TEXT.file} choose={(file) => check.mutate({ file, given: own })} isLarge />
        {known !== undefined && <p className={classes.muted}>{TEXT.checkpoints(known.checkpoints.length)}</p>}
        {known === undefined && fetched.error !== null && (
          <section className={classes.missing}>
            <p role="alert">{TEXT.noCheckpoints}</p>
            <PageButton label={TEXT.retry} busy={fetched.isFetching} press={() => void fetched.refetch()} />
            <FileField label={TEXT.checkpointFile} choose={(file) => void readCheckpoints(file)} />
            {isOwnEmpty && <p role="alert">{TEXT.noneInFile}</p>}
          </section>
        )}
        <div role="status">
          {check.isPending && <p>{TEXT.checking}</p>}
          {check.isError && <p>{TEXT.failed}</p>}
          {check.isSuccess && <Result {...check.data} name={check.variables.file.name} />}
        </div>
      </main>
    </BuyerFrame>
  );
}

/** An old proof may need a checkpoint of a later page of answers. */
async function verifyWithOlder(bytes: Uint8Array, published: Published | undefined): Promise<CheckedProof> {
  const result = await verifyConsentProof(bytes, published);
  const oldest = published?.checkpoints.at(-1)?.link ?? 0;
  const isOlder = result.ok
    ? result.level === 'sealed' && (result.head ?? oldest) < oldest
    : result.what === 'foreign_key';
  if (published === undefined || !isOlder || oldest <= 1) return result;
  const older = await call('listConsentCheckpoints', { query: { before: oldest } }).catch(() => undefined);
  if (older === undefined || older.checkpoints.length === 0) return result;
  return verifyWithOlder(bytes, {
    checkpoints: [...published.checkpoints, ...older.checkpoints],
    keys: [...published.keys, ...older.keys],
  });
}

interface FieldProps {
  readonly label: string;
  readonly choose: (file: File) => void;
  readonly isLarge?: boolean;
}

/** Browsers let files be dropped on it. */
function FileField({ label, choose, isLarge = false }: FieldProps) {
  return (
    <label className={classes.field}>
      {label}
      <input
        type="file"
        className={isLarge ? classes.large : undefined}
        // The same file can be chosen again.
        onClick={(event) => {
          event.currentTarget.value = '';
        }}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file !== undefined) choose(file);
        }}
      />
    </label>
  );
}

interface ResultProps {
  readonly name: string;
  readonly published: Published | undefined;
  readonly result: CheckedProof;
}

function Result({ name, published, result }: ResultProps) {
  if (!result.ok)
    return (
      <section className={classes.bad}>
        <h2>{FAULTS[result.what][0]}</h2>
        <p>{FAULTS[result.what][1]}</p>
        <p>{`Datei: ${name}`}</p>
      </section>
    );
  const isAnchored = result.level === 'anchored' && result.isKeyPublished;
  const withdrawnAt = timeOf(result.proof.withdrawn_at);
  return (
    <>
      <section className={isAnchored && withdrawnAt === undefined ? classes.good : classes.wait}>
        <h2>{result.isKeyPublished ? 'Der Nachweis ist gültig' : 'Die Datei ist unverändert'}</h2>
        <p>{levelText(result, published !== undefined)}</p>
        {withdrawnAt !== undefined && (
          <p>
            <strong>Die Einwilligung wurde am {withdrawnAt} widerrufen.</strong>
          </p>
        )}
        {!result.isKeyPublished && (
          <p>Wer sie signiert hat, wurde nicht geprüft, weil kein veröffentlichter Schlüssel vorliegt.</p>
        )}
        <p>{`Datei: ${name}`}</p>
      </section>
      <Facts proof={result.proof} sealedAt={result.sealedAt} />
    </>
  );
}

function levelText({ level }: CheckedProof & { ok: true }, isCompared: boolean): string {
  switch (level) {
    case 'anchored':
      return 'Die Einwilligung ist versiegelt und durch einen veröffentlichten Prüfpunkt gesichert.';
    case 'sealed':
      return isCompared
        ? 'Die Einwilligung ist versiegelt, aber noch durch keinen veröffentlichten Prüfpunkt gesichert. Prüfpunkte kommen täglich: Laden Sie den Nachweis morgen noch einmal herunter.'
        : 'Die Einwilligung ist versiegelt. Mit veröffentlichten Prüfpunkten wurde sie nicht verglichen.';
    case 'signed':
      return 'Die Einwilligung ist noch nicht versiegelt. Das dauert einige Minuten: Laden Sie den Nachweis dann noch einmal herunter.';
  }
}

const timeOf = (instant: unknown) =>
  typeof instant === 'string' && !Number.isNaN(Date.parse(instant))
    ? `${formatDateTime(new Date(instant))} Uhr`
    : undefined;

const joined = (values: readonly unknown[], by: string) =>
  values.filter((value) => typeof value === 'string' && value !== '').join(by);

function Facts({ proof, sealedAt }: { readonly proof: ConsentProof; readonly sealedAt: string | undefined }) {
  const { seller, lead, person, consent } = proof;
  const method = CONSENT_METHODS.find((one) => one === consent.method);
  const channels = CONSENT_CHANNELS.filter(
    (one) => Array.isArray(consent.channels) && consent.channels.includes(one),
  );
  const facts: readonly (readonly [string, unknown])[] = [
    ['Person', joined([joined([person.vorname, person.nachname], ' '), person.email, person.telefon], ', ')],
    ['Erteilt am', timeOf(consent.given_at)],
    ['Widerrufen am', timeOf(proof.withdrawn_at)],
    ['Art', method && CONSENT_METHOD_LABELS[method].de],
    ['Kontakt per', channelsText(channels, 'de')],
    ['Wortlaut', proof.wording],
    ['Per E-Mail bestätigt am', timeOf(consent.confirmed_at)],
    ['Seite', consent.page_url],
    ['IP-Adresse', consent.ip],
    ['Gespeichert am', timeOf(proof.recorded_at)],
    ['Versiegelt am', timeOf(sealedAt)],
    ['Lead', lead.number],
    ['Verkäufer', seller && joined([seller.name, seller.address], ', ')],
  ];
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) =>
        typeof value !== 'string' || value === '' ? null : (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{withoutBidiControls(value)}</dd>
          </Fragment>
        ),
      )}
    </dl>
  );
}
