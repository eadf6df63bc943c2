/** The model's results as the tables of docs/scale.md. */
import {
  countLeads,
  HUNDREDFOLD,
  LIMIT_NAMES,
  limitsOf,
  minutesToGrow,
  settleLedger,
  TODAY,
  WITHOUT_SHARDS,
} from '#test/bench/scale-model';

const LOADS = [10, 100, 1000] as const;
const DESIGNS = [
  ['without shards', WITHOUT_SHARDS],
  ['today', TODAY],
  ['for a hundred times', HUNDREDFOLD],
] as const;

/** The load at which each limit is reached, by design; then what each load exceeds. */
export function scaleTables(): string {
  const limits = DESIGNS.map(([, design]) => limitsOf(design));
  const ends = [...LIMIT_NAMES].toSorted((a, b) => (limits[1]?.[a] ?? 0) - (limits[1]?.[b] ?? 0));
  const first = rows([
    ['limit, in leads per second', ...DESIGNS.map(([name]) => name)],
    ...ends.map((of) => [of, ...limits.map((design) => rounded(design[of]))]),
  ]);
  const second = rows([
    [
      'leads per second',
      'design',
      'limits exceeded',
      'choices drawn at random',
      'ledger writes',
      'statistics counted',
      'time until a new table suffices',
    ],
    ...LOADS.flatMap((load) =>
      DESIGNS.map(([name, design], at) => {
        const beyond = ends.filter((of) => (limits[at]?.[of] ?? load) < load);
        const { drawn, writes } = settleLedger(design, load);
        const { counted } = countLeads(design, load);
        return [
          rounded(load),
          name,
          beyond.length === 0 ? 'nothing' : beyond.join(', '),
          `${(100 * drawn).toFixed(0)} %`,
          `${rounded(load * writes)} per second`,
          counted < load ? `${rounded(counted)} per second` : 'all',
          `${minutesToGrow(design, load).toFixed(0)} min`,
        ];
      }),
    ),
  ]);
  return `${first}\n\n${second}`;
}

/** Two digits: more would claim too much precision. */
function rounded(value: number): string {
  const [text, power] = [Number(value.toPrecision(2)), Number(value.toPrecision(1))];
  return (value < 10 ? power : text).toLocaleString('en');
}

function rows(lines: readonly (readonly string[])[]): string {
  const [head = [], ...rest] = lines;
  return [head, head.map((_, at) => (at === 0 ? '---' : '---:')), ...rest]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}
