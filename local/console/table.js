/** Shows what the address selects: kinds of partitions, the partitions of a kind, or a page of a partition's items. */
const asked = new URLSearchParams(window.location.search);
const form = document.querySelector('form');
const shown = document.querySelector('#shown');
const view = asked.get('view') ?? 'table';
const partition = asked.get('partition') ?? '';
const kind = asked.get('kind') ?? partition.replace(/#.*/s, '');

function element(tag, ...content) {
  const made = document.createElement(tag);
  made.append(...content);
  return made;
}

function link(text, to) {
  const made = element('a', text);
  made.href = `/local/table?${new URLSearchParams({ view, ...to })}`;
  return made;
}

/** Length of a collapsed item. */
const PREVIEW = 160;
/** Shown above the table and in its first column. */
const KEYS = new Set(['pk', 'sk']);

const heading = (text) => element('h2', text);
const count = (number, what) => `${number} ${what}${number === 1 ? '' : 's'}`;

function list(entries) {
  const made = element(
    'ul',
    ...entries.map(([first, note]) => element('li', first, ' ', element('span', note))),
  );
  made.className = 'columns';
  return made;
}

async function load(path, query) {
  const answer = await fetch(`/local/api/${path}?${new URLSearchParams(query)}`);
  const content = await answer.json();
  if (!answer.ok) throw new Error(content.error);
  return content;
}

function column(name) {
  const made = element('th', name);
  made.scope = 'col';
  return made;
}

function itemRows(items) {
  const head = element('thead', element('tr', column('Sort key'), column('Item')));
  const rows = items.map(({ sort, item }) => {
    const others = Object.entries(item).filter(([name]) => !KEYS.has(name));
    const preview = JSON.stringify(Object.fromEntries(others)).slice(1, PREVIEW);
    const details = element(
      'details',
      element('summary', preview),
      element('pre', JSON.stringify(item, null, 2)),
    );
    details.open = items.length === 1;
    const key = element('th', sort);
    key.scope = 'row';
    return element('tr', key, element('td', details));
  });
  const made = element('table', head, element('tbody', ...rows));
  made.setAttribute('aria-label', `Items of ${partition}`);
  return made;
}

async function showItems() {
  const query = { view, partition, sort: asked.get('sort') ?? '' };
  const after = asked.get('after');
  const { items, next } = await load('items', { ...query, ...(after && { after }) });
  const pages = element('p');
  if (after) pages.append(link('First page', query), ' ');
  if (next) pages.append(link('Next page', { ...query, after: next }));
  shown.append(
    heading(partition),
    element('p', items.length === 0 ? 'No items' : count(items.length, 'item')),
  );
  if (items.length > 0) shown.append(itemRows(items));
  shown.append(pages);
}

async function showPartitions() {
  const { kinds, partitions, complete } = await load('partitions', { view, ...(kind && { kind }) });
  document
    .querySelector('#partitions')
    .replaceChildren(...[...partitions, ...kinds].map(({ name }) => new Option(name)));
  if (partition) return;
  shown.append(
    heading('Kinds of partitions'),
    list(
      kinds.map((one) => [
        link(one.name, one.partition ? { partition: one.partition } : { kind: one.name }),
        `${count(one.partitions, 'partition')}, ${count(one.items, 'item')}`,
      ]),
    ),
  );
  if (kind)
    shown.append(
      heading(kind),
      list(partitions.map(({ name, items }) => [link(name, { partition: name }), count(items, 'item')])),
    );
  if (!complete) shown.append(element('p', 'There are more; name a partition to see its items.'));
}

form.elements.view.value = view;
form.elements.partition.value = partition;
form.elements.sort.value = asked.get('sort') ?? '';
try {
  if (partition) await showItems();
  await showPartitions();
} catch (error) {
  shown.append(element('p', error.message));
}
shown.setAttribute('aria-busy', 'false');
