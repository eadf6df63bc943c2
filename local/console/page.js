/** Shows /local/api/state and sends commands. Data from outside is inserted as text, never as markup. */
const byId = (id) => document.querySelector(`#${id}`);
const time = new Intl.DateTimeFormat('de-DE', {
  dateStyle: 'short',
  timeStyle: 'medium',
  timeZone: 'Europe/Berlin',
});
const REFRESH_MS = 2000;

function element(tag, ...content) {
  const made = document.createElement(tag);
  made.append(...content);
  return made;
}

function details(summary, text) {
  return element('details', element('summary', summary), element('pre', text));
}

/** Keeps existing rows, so that expanded rows stay expanded. */
function fill(body, rows, columns, empty) {
  if (rows.length === 0) {
    const cell = element('td', empty);
    cell.colSpan = columns;
    cell.className = 'empty';
    body.replaceChildren(element('tr', cell));
    return;
  }
  const present = new Map([...body.children].map((row) => [row.dataset.key, row]));
  body.replaceChildren(
    ...rows.map(({ key, cells }) => {
      const known = present.get(key);
      if (known) return known;
      const row = element('tr', ...cells().map((cell) => element('td', cell)));
      row.dataset.key = key;
      return row;
    }),
  );
}

function showSwitches(state) {
  const wanted = [
    { name: 'mail', mode: state.mail.mode, modes: state.mail.modes, command: (mail) => ({ mail }) },
    ...Object.entries(state.partners.current).map(([partner, mode]) => ({
      name: partner,
      mode,
      modes: state.partners.modes,
      command: (next) => ({ partner, mode: next }),
    })),
  ];
  const group = byId('switches');
  for (const { name, mode, modes, command } of wanted) {
    let select = group.querySelector(`select[name="${name}"]`);
    if (!select) {
      select = element('select', ...modes.map((value) => new Option(value, value)));
      select.name = name;
      select.addEventListener('change', () => send(command(select.value)));
      group.append(element('label', name, select));
    }
    if (document.activeElement !== select) select.value = mode;
    select.classList.toggle('broken', mode !== 'ok');
  }
}

function show(state) {
  byId('now').textContent = time.format(new Date(state.now));
  byId('mail-port').textContent = state.mail.port;
  byId('mail-total').textContent = `(${state.mail.total})`;
  byId('call-total').textContent = `(${state.partners.total})`;
  byId('partner-host').textContent = state.partners.host;
  showSwitches(state);
  fill(
    byId('mails'),
    state.mail.mails.map((mail) => ({
      key: `${mail.at}${mail.messageId ?? mail.subject}`,
      cells: () => [
        element('time', time.format(new Date(mail.at))),
        mail.to.join(', '),
        details(mail.subject, mail.text || mail.html || ''),
      ],
    })),
    3,
    'No e-mails yet: create a lead for a buyer with a template.',
  );
  fill(
    byId('calls'),
    state.partners.calls.map((call) => ({
      key: call.id,
      cells: () => [
        element('time', time.format(new Date(call.at))),
        call.partner,
        details(`${call.method} ${call.path}`, JSON.stringify(call.fields, null, 2)),
        call.mode,
      ],
    })),
    4,
    'No calls yet: switch on a partner for a buyer, or add push credentials.',
  );
  fill(
    byId('queues'),
    state.queues.map(({ name, ready, delayed, inflight, dead }) => ({
      key: [name, ready, delayed, inflight, dead.length].join(),
      cells: () => [
        name,
        ready,
        delayed,
        inflight,
        dead.length === 0 ? '0' : details(dead.length, dead.join('\n')),
      ],
    })),
    5,
    '',
  );
  fill(
    byId('streams'),
    state.streams.map(({ name, caughtUp }) => ({
      key: [name, caughtUp].join(),
      cells: () => [name, caughtUp ? 'Up to date' : 'Behind'],
    })),
    2,
    '',
  );
}

async function refresh() {
  const answer = await fetch('/local/api/state');
  if (answer.ok) show(await answer.json());
}

async function send(command) {
  const answer = await fetch('/local/api/command', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(command),
  });
  if (answer.ok) show(await answer.json());
}

byId('clear').addEventListener('click', () => send({ clear: true }));
for (const button of document.querySelectorAll('[data-advance]'))
  button.addEventListener('click', () => send({ advance: Number(button.dataset.advance) }));

setInterval(() => refresh().catch(() => {}), REFRESH_MS);
await refresh();
