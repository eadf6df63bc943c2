import type { Company } from '#functions/data/administration/company';

export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

export const rows = (all: readonly Readonly<Record<string, string>>[]): string =>
  all
    .map(
      (one) =>
        `<table>${Object.entries(one)
          .map(
            ([label, value]) => `<tr><th scope="row">${escaped(label)}</th><td>${escaped(value)}</td></tr>`,
          )
          .join('')}</table>`,
    )
    .join('');

type Sender = Partial<Pick<Company, 'name' | 'address' | 'privacy_contact'>>;

interface Frame {
  readonly style?: string;
  /** Stands above the title. */
  readonly sender: Sender;
}

const senderLines = ({ name, address, privacy_contact }: Sender) =>
  [name, address, privacy_contact].filter(Boolean).join('\n');

export const document = (
  title: string,
  body: string,
  { style = '', sender }: Frame,
): string => `<!doctype html>
<html lang="de"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>
body{font:15px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}
h1{font-size:1.5rem}h2{font-size:1.1rem;margin:1.6rem 0 .4rem}
table{width:100%;border-collapse:collapse;margin:0 0 .8rem;break-inside:avoid}
th,td{text-align:left;vertical-align:top;padding:.2rem .5rem .2rem 0;border-bottom:1px solid #ddd;overflow-wrap:anywhere}
th{width:32%;font-weight:500}
@media print{body{margin:0;max-width:none}}header{white-space:pre-line;font-size:.9rem}${style}
</style></head><body>
<header>${escaped(senderLines(sender))}</header>
<h1>${escaped(title)}</h1>
${body}
</body></html>
`;
