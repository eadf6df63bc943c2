import type { Plugin } from 'vite';
import { Figure } from './chart-figure.ts';

/**
 * A helper function as Babel writes it, on a line of its own, into each file of the chart library that needs it: eighty
 * copies, which the minifier names differently, so that compression does not find them either.
 */
const HELPER = /^function (_[A-Za-z]+|ownKeys)\(.*\}$/gm;
const HELPER_CALL = /\b(?:_[A-Za-z]+|ownKeys)(?=\()/g;
const SHARED_HELPER = '\0chart-helper/';
const FIGURE = '\0chart-figure';

const CHARTS = /\/recharts\/es6\//;
const DRAWING = /\/d3-\w+\/dist\//;
/** A value that a drawing library computes when it is loaded. It says that this has no effect elsewhere. */
const COMPUTED = /^((?:const|let|var) \w+ = )(?=\(|\w+\()/gm;

/** What `Charts.tsx` draws: names, figures and days on straight lines. */
const SCALES = 'scaleBand, scaleLinear, scalePoint';

/** Where the choice is made by a text at run time, so that the bundler must keep all there is to choose from. */
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
  // Called with functions only; the other one also takes paths and patterns, and compares deeply for them.
  {
    file: /\/recharts\/.*\/getUniqPayload\.js$/,
    from: /import uniqBy from 'es-toolkit\/compat\/uniqBy'/,
    to: "import { uniqBy } from 'es-toolkit/array/uniqBy'",
  },
  // A library of numbers of any length.
  {
    file: /\/recharts\/.*\/(?:getNiceTickValues|arithmetic)\.js$/,
    from: /import Decimal from 'decimal\.js-light'/,
    to: `import { Figure as Decimal } from '${FIGURE}'`,
  },
  // Between figures, never between colours or texts.
  { file: /\/d3-scale\.mjs$/, from: /(interpolateNumber), interpolate,/, to: '$1, $1 as interpolate,' },
  // Of a scale's own labels, for which the chart library has no use.
  { file: /\/d3-scale\.mjs$/, from: /scale\.tickFormat = function\([^{]*\{[^}]*\};/, to: '' },
];

/**
 * Leaves out of the chart library what no chart of ours needs: a quarter of it. Fails where a new release is written
 * differently.
 */
export function lighterCharts(): Plugin {
  const helpers = new Map<string, string>();
  return {
    name: 'lighter-charts',
    // Reads the files as they are published.
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
