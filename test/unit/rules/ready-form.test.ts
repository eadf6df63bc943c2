import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { type FormSource, KEY_PLACEHOLDER, readyForm } from '#shared/rules/ready-form';

const ADDRESS = 'https://example.org/intake';
const source: FormSource = { mapping: {}, defaults: {} };
const fieldsOf = (page: string) =>
  page
    .split('\n')
    .filter((line) => line.startsWith('  <p><label>'))
    .map((line) => line.trim());
const namesOf = (page: string) => fieldsOf(page).map((field) => /name="([^"]*)" required/.exec(field)?.[1]);

describe('the fields of the form', () => {
  it('are all fields of a lead, in German and with autofill', () => {
    expect(fieldsOf(readyForm(source, ADDRESS, 'k'))).toEqual([
      '<p><label>Anrede<br><select name="anrede" required><option>Herr</option><option>Frau</option></select></label></p>',
      '<p><label>Vorname<br><input name="vorname" required autocomplete="given-name" maxlength="100"></label></p>',
      '<p><label>Nachname<br><input name="nachname" required autocomplete="family-name" maxlength="100"></label></p>',
      '<p><label>E-Mail<br><input name="email" required type="email" autocomplete="email" maxlength="254"></label></p>',
      '<p><label>Telefon<br><input name="telefon" required type="tel" autocomplete="tel" maxlength="50"></label></p>',
      '<p><label>Anlagebetrag (€)<br><input name="anlagebetrag" required inputmode="decimal"></label></p>',
      '<p><label>Laufzeit (Monate)<br><input name="laufzeit" required inputmode="numeric"></label></p>',
    ]);
  });

  it('exclude fixed values of the source, and use the source’s field names', () => {
    const page = readyForm(
      { mapping: { vorname: 'first', anrede: 'title' }, defaults: { laufzeit: '24', email: '' } },
      ADDRESS,
      'k',
    );
    expect(namesOf(page)).toEqual(['title', 'first', 'nachname', 'telefon', 'anlagebetrag']);
  });

  it('include one that people do not see, reach or fill', () => {
    const [line, ...others] = readyForm(source, ADDRESS, 'k')
      .split('\n')
      .filter((text) => text.includes('form_check'));
    expect(others).toEqual([]);
    expect(line).toMatch(/left:-9999px.* aria-hidden="true".*tabindex="-1" autocomplete="off"/);
  });

  it('cannot be broken by a field name', () => {
    const page = readyForm({ mapping: { vorname: '"><b>&' }, defaults: {} }, ADDRESS, 'k');
    expect(page).toContain('name="&quot;>&lt;b>&amp;" required');
  });
});

describe('the consent in the form', () => {
  const consent = {
    text_id: 'v2',
    text: 'Ich & <b>wir</b>\nwilligen ein',
    privacy_url: 'https://a.example/?"x',
  };
  const page = readyForm(source, ADDRESS, 'k', consent);

  it('is a required box that is not checked, with the wording and a link to the privacy notice', () => {
    expect(page.match(/.*checkbox.*\n.*/)?.[0]).toBe(
      `  <p><label><input type="checkbox" required> Ich &amp; &lt;b>wir&lt;/b><br>willigen ein</label></p>
  <p><a href="https://a.example/?&quot;x" target="_blank">Datenschutzhinweise</a></p>`,
    );
    expect(page).not.toMatch(/\schecked[\s>=]/);
  });

  it('is not asked for without a wording', () => {
    expect(readyForm(source, ADDRESS, 'k')).not.toMatch(/checkbox|consent|Datenschutz/);
    expect(readyForm(source, ADDRESS, 'k', { ...consent, privacy_url: null })).not.toContain('Datenschutz');
  });

  it('is sent with the time of the first submission and the page, without its query', async () => {
    const open1 = open(page, '?email=a@b.de');
    await open1.send('no connection');
    await open1.send(TAKEN);
    await open1.send(TAKEN);
    const [first, again, next] = leadsOf(open1);
    expect(first.consent).toEqual({
      given_at: '2026-11-28T10:00:01.000Z',
      method: 'form',
      channels: ['phone', 'email'],
      text_id: 'v2',
      page_url: 'https://page.example/lp',
      user_agent: 'Browser',
    });
    expect(again.consent).toEqual(first.consent);
    expect(next.consent.given_at).toBe('2026-11-28T10:00:02.000Z');
  });

  it('is not sent if the box is not checked', async () => {
    const shown = open(page, '', false);
    await shown.send(TAKEN);
    expect(leadsOf(shown)[0]).not.toHaveProperty('consent');
  });
});

type Answer = { readonly status: number; readonly body: unknown } | 'no connection';

interface Posted {
  readonly method: string;
  readonly headers: object;
  readonly body: string;
}

interface Page {
  readonly status: { textContent: string };
  /** That follow the status. */
  readonly links: readonly unknown[];
  readonly button: { disabled: boolean };
  readonly focused: readonly string[];
  /** How often the form was reset. */
  readonly resets: () => number;
  readonly posted: { readonly url: string; readonly init: Posted }[];
  /** Presses the button and waits for the result. */
  send(answer: Answer): Promise<void>;
}

/** Runs the page's script like a browser. */
function open(page: string, search = '', isChecked = true): Page {
  const script = /<script>\n([\s\S]*?)<\/script>/.exec(page)?.[1] ?? '';
  const status = { textContent: '', append: (...parts: unknown[]) => void links.push(parts[1]) };
  const links: unknown[] = [];
  const focused: string[] = [];
  const button = { disabled: false, focus: () => void focused.push('button') };
  let clock = 0;
  const posted: { url: string; init: Posted }[] = [];
  let resets = 0;
  let ids = 0;
  let listener: (event: { preventDefault: () => void }) => Promise<void> = async () => undefined;
  let next: Answer = 'no connection';
  const form = {
    // A page may have its own fields without a label.
    elements: {
      email: { labels: [{ firstChild: { textContent: 'E-Mail' } }], focus: () => void focused.push('email') },
    },
    querySelector: (selector: string) =>
      selector === 'button' ? button : selector === '[type=checkbox]' ? { checked: isChecked } : status,
    addEventListener: (type: string, run: typeof listener) => {
      if (type === 'submit') listener = run;
    },
    reset: () => {
      resets += 1;
    },
  };
  const browser = {
    document: {
      body: 'body',
      get activeElement() {
        return focused.at(-1) ?? 'body';
      },
      getElementById: (id: string) => (page.includes(`<form id="${id}">`) ? form : null),
      createElement: () => ({}),
    },
    location: { search, origin: 'https://page.example', pathname: '/lp' },
    navigator: { userAgent: 'Browser' },
    performance: { now: () => 3000.4 * (clock === 0 ? 0 : 1) },
    Date: class {
      toISOString = () => `2026-11-28T10:00:0${(clock += 1)}.000Z`;
    },
    URLSearchParams,
    crypto: { randomUUID: () => `id-${(ids += 1)}` },
    FormData: class extends Map<string, string> {
      constructor(of: unknown) {
        super(of === form ? [['vorname', 'Max']] : []);
      }
    },
    fetch: async (url: string, init: Posted) => {
      expect(button.disabled).toBe(true);
      expect(status.textContent).toBe('Wird gesendet …');
      posted.push({ url, init });
      if (next === 'no connection') throw new TypeError('Failed to fetch');
      const { body } = next;
      return { status: next.status, ok: next.status < 300, json: async () => body };
    },
  };
  runInNewContext(script, browser);
  return {
    status,
    links,
    button,
    focused,
    resets: () => resets,
    posted,
    async send(answer) {
      next = answer;
      let prevented = false;
      await listener({
        preventDefault: () => {
          prevented = true;
        },
      });
      // The page stays, and the visitor can continue.
      expect({ prevented, disabled: button.disabled }).toEqual({ prevented: true, disabled: false });
    },
  };
}

const TAKEN: Answer = { status: 200, body: { results: [{ status: 'accepted' }] } };
const leadsOf = ({ posted }: Page) => posted.map(({ init }) => JSON.parse(init.body));

describe('the submission of the form', () => {
  it('sends the lead to the URL of the source, with its key', async () => {
    const page = open(readyForm(source, ADDRESS, 'secret'));
    await page.send(TAKEN);
    expect(page.posted).toMatchObject([
      {
        url: ADDRESS,
        init: {
          method: 'POST',
          headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
        },
      },
    ]);
    expect(leadsOf(page)).toEqual([{ vorname: 'Max', external_id: 'id-1', form_ms: 3000 }]);
  });

  it('contains the click ID from the page URL, under the source’s field names', async () => {
    const page = open(
      readyForm({ mapping: { external_id: 'ref', clickId: 'cid' }, defaults: {} }, ADDRESS, KEY_PLACEHOLDER),
      '?x=1&clickId=abc',
    );
    await page.send(TAKEN);
    expect(leadsOf(page)).toEqual([{ vorname: 'Max', ref: 'id-1', cid: 'abc', form_ms: 3000 }]);
    expect(page.posted[0]?.init.headers).toMatchObject({ authorization: 'Bearer YOUR_KEY' });
  });

  it('repeats the same lead until it has an outcome, then sends another', async () => {
    const page = open(readyForm(source, ADDRESS, 'k'));
    await page.send('no connection');
    await page.send({ status: 503, body: {} });
    await page.send({ status: 409, body: { results: [{ status: 'conflict' }] } });
    await page.send(TAKEN);
    await page.send(TAKEN);
    expect(leadsOf(page).map(({ external_id }) => external_id)).toEqual([
      'id-1',
      'id-1',
      'id-1',
      'id-2',
      'id-3',
    ]);
  });

  it('cannot end the script with any URL, key or field names', () => {
    const bad = '</script><script>alert("x")//';
    const page = readyForm({ mapping: { external_id: bad, clickId: bad }, defaults: {} }, bad, bad);
    expect(page.match(/<\/?script>/g)).toEqual(['<script>', '</script>']);
    expect(page.split(JSON.stringify(bad).slice(1, -1).replaceAll('<', '\\u003c'))).toHaveLength(5);
  });
});

it.each<[Answer, string, number]>([
  [TAKEN, 'Vielen Dank! Wir melden uns.', 1],
  [{ status: 200, body: {} }, 'Vielen Dank! Wir melden uns.', 1],
  [
    { status: 200, body: { results: [{ status: 'test' }] } },
    'Test: Das Formular funktioniert. Die Angaben wurden nicht gespeichert.',
    1,
  ],
  [
    { status: 422, body: { results: [{ status: 'invalid', fields: { email: 'x', telefon: 'y' } }] } },
    'Bitte prüfen Sie: E-Mail, telefon',
    0,
  ],
  [
    { status: 202, body: { results: [{ status: 'accepted', confirm_by: 'x' }] } },
    'Vielen Dank! Bitte bestätigen Sie den Link in der E-Mail, die wir Ihnen gesendet haben.',
    1,
  ],
  [
    { status: 202, body: { results: [{ status: 'invalid', fields: { form_ms: 'x' } }] } },
    'Bitte senden Sie das Formular noch einmal ab.',
    0,
  ],
  [{ status: 401, body: {} }, 'Das hat nicht geklappt. Bitte versuchen Sie es später noch einmal.', 0],
  ['no connection', 'Keine Verbindung. Bitte noch einmal absenden.', 0],
])('after %j shows "%s"', async (answer, text, resets) => {
  const page = open(readyForm(source, ADDRESS, 'k'));
  await page.send(answer);
  expect({ text: page.status.textContent, resets: page.resets() }).toEqual({ text, resets });
});

it('focuses the first field that is wrong', async () => {
  const page = open(readyForm(source, ADDRESS, 'k'));
  await page.send({
    status: 202,
    body: { results: [{ status: 'invalid', fields: { email: 'x', telefon: 'y' } }] },
  });
  expect(page.focused).toEqual(['email']);
});

it('returns the focus to the button, which loses it while it is disabled', async () => {
  const page = open(readyForm(source, ADDRESS, 'k'));
  await page.send(TAKEN);
  expect(page.focused).toEqual(['button']);
});

it('shows the link to withdraw the consent after the thanks', async () => {
  const page = open(readyForm(source, ADDRESS, 'k'));
  await page.send({
    status: 202,
    body: { results: [{ status: 'accepted', withdrawal_url: 'https://a/w' }] },
  });
  expect(page.links).toEqual([{ href: 'https://a/w', textContent: 'Einwilligung widerrufen' }]);
});
