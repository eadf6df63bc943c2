import type { Plugin } from 'vite';
import { Figure } from './chart-figure.ts';

/** A helper of Babel in each file of the chart library: eighty copies with different names after minification. */
const HELPER = /^function (_[A-Za-z]+|ownKeys)\(.*\}$/gm;
const HELPER_CALL = /\b(?:_[A-Za-z]+|ownKeys)(?=\()/g;
const SHARED_HELPER = '\0chart-helper/';
const FIGURE = '\0chart-figure';

const CHARTS = /\/recharts\/es6\//;
const DRAWING = /\/d3-\w+\/dist\//;
/** A value that a drawing library computes when it is loaded, without side effects. */
const COMPUTED = /^((?:const|let|var) \w+ = )(?=\(|\w+\()/gm;

/** For `Charts.tsx`. */
const SCALES = 'scaleBand, scaleLinear, scalePoint';

/** A text chooses at run time, so the bundler would keep every choice. */
const CUTS: readonly { readonly file: RegExp; readonly from: RegExp; readonly to: string }[] = [
  {
    file: /\/recharts\/.*\/combine(?:ConfiguredScale|RealScaleType)\.js$/,
    from: /import \* as (\w+) from '(\S+)';/,
    to: `import { ${SCALES} } from '$2'; const $1 = { ${SCALES} };`,
  },
  {
    file: /\/recharts\/.*\/shape\/Curve\.js$/,
    from: /(?:curve\w+, )+(line as [^]*? CURVE_FACTORIES = )\{[^}]*\}/,
    to: 'curveLinear, $1{ curveLinear }',
  },
  // Called with functions only; the other one compares deeply.
  {
    file: /\/recharts\/.*\/getUniqPayload\.js$/,
    from: /import uniqBy from 'es-toolkit\/compat\/uniqBy'/,
    to: "import { uniqBy } from 'es-toolkit/array/uniqBy'",
  },
  {
    file: /\/recharts\/.*\/(?:getNiceTickValues|arithmetic)\.js$/,
    from: /import Decimal from 'decimal\.js-light'/,
    to: `import { Figure as Decimal } from '${FIGURE}'`,
  },
  // Never between colours or texts.
  { file: /\/d3-scale\.mjs$/, from: /(interpolateNumber), interpolate,/, to: '$1, $1 as interpolate,' },
  // The chart library makes its own labels.
  { file: /\/d3-scale\.mjs$/, from: /scale\.tickFormat = function\([^{]*\{[^}]*\};/, to: '' },
];

/** Removes a quarter of the chart library. Fails if a new release is written differently. */
export function lighterCharts(): Plugin {
  const helpers = new Map<string, string>();
  return {
    name: 'lighter-charts',
    enforce: 'pre',
    apply: 'build',
    resolveId: (id) => (id === FIGURE || id.startsWith(SHARED_HELPER) ? id : undefined),
    load(id) {
      if (id === FIGURE) return `export ${Figure.toString()}`;
      if (!id.startsWith(SHARED_HELPER)) return undefined;
      const name = id.slice(SHARED_HELPER.length);
      const text = helpers.get(name) ?? '';
      const called = new Set(text.match(HELPER_CALL));
      return (
        [...called]
          .filter((other) => other !== name && helpers.has(other))
          .map(importOf)
          .join('') + `export ${text}`
      );
    },
    transform: {
      filter: { id: [CHARTS, DRAWING] },
      handler(source, id) {
        const imports: string[] = [];
        const shared = source.replace(HELPER, (text, name: string) => {
          if ((helpers.get(name) ?? text) !== text) return text;
          helpers.set(name, text);
          imports.push(importOf(name));
          return '';
        });
        const code = CUTS.filter(({ file }) => file.test(id)).reduce((text, { from, to }) => {
          if (!from.test(text)) throw new Error(`${id} is not written as expected: ${from.source}`);
          return text.replace(from, to);
        }, shared);
        const marked = DRAWING.test(id) ? code.replaceAll(COMPUTED, '$1/* @__PURE__ */ ') : code;
        return { code: imports.join('') + marked, map: null };
      },
    },
  };
}

function importOf(helper: string): string {
  return `import { ${helper} } from '${SHARED_HELPER}${helper}';\n`;
}
