import { expect, it } from 'vitest';
import { document } from '#functions/api/common/page';

it('names the company above the title of a document, as text', () => {
  const page = document('Auskunft', '', { sender: { name: 'Muster & Söhne', address: 'Weg 1\nBerlin' } });
  expect(page).toContain('<header>Muster &#38; Söhne\nWeg 1\nBerlin</header>\n<h1>Auskunft</h1>');
});
