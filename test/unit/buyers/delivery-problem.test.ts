/** Problems that prevent delivery to a buyer, and their texts. */
import { describe, expect, it } from 'vitest';
import { deliveryProblemRow } from '#functions/api/common/delivery-problem';
import type { Template } from '#functions/data/administration/template';
import type { Buyer } from '#functions/data/buyers/buyer';
import { deliveryProblemOf, templateIdsOf } from '#functions/data/buyers/delivery-problem';
import { aBuyer } from '#test/factories/buyers';
import { anOrder } from '#test/factories/orders';
import { aTemplate } from '#test/factories/templates';

const NO_CHANNEL = {
  send_email: false,
  use_heroleads_api: false,
  use_trackbox_api: false,
  use_sellanylead_api: false,
  use_http_api: false,
};
const EMAIL = { ...NO_CHANNEL, send_email: true, email_template_id: 'main' };
const HTTP = { ...NO_CHANNEL, use_http_api: true };
const BOTH = { ...EMAIL, use_http_api: true };

const NAMELESS = { smtp_from: '', smtp_user: 'apikey' };
const templatesOf = (main: Partial<Template>, second: Partial<Template> = {}) =>
  new Map([
    ['main', aTemplate({ id: 'main', name: 'Neu', ...main })],
    ['second', aTemplate({ id: 'second', name: 'Ersatz', ...second })],
  ]);

const problem = (
  buyer: Partial<Buyer>,
  templates: ReadonlyMap<string, Template> = templatesOf({}),
  order = anOrder(),
) => deliveryProblemRow(deliveryProblemOf(aBuyer(buyer), templates), order);

describe('a buyer without a delivery problem', () => {
  it.each([
    ['e-mail with a template that can send', EMAIL, templatesOf({})],
    ['a sender that is the SMTP user', EMAIL, templatesOf({ smtp_from: '' })],
    ['only another channel, with an unused template', { ...HTTP, email_template_id: 'gone' }],
    ['replacements with the same template', { ...EMAIL, reimbursement_email_template_id: null }],
    [
      'a broken replacement template of a postpay buyer, which never needs it',
      { ...EMAIL, buyer_type: 'postpay' as const, reimbursement_email_template_id: 'second' },
      templatesOf({}, NAMELESS),
    ],
  ])('%s', (_, buyer, templates = templatesOf({})) => {
    expect(problem(buyer, templates)).toBeNull();
  });
});

describe('the delivery problem of a buyer', () => {
  const onlyOnLink = 'E-mails with leads fail; leads appear only on the link.';

  it.each([
    ['no_channel', NO_CHANNEL, {}, 'No channel is on: leads appear only on the link.', null],
    [
      'no_template',
      { ...EMAIL, email_template_id: null },
      {},
      `No e-mail template is selected. ${onlyOnLink}`,
      null,
    ],
    [
      'template_deleted',
      { ...EMAIL, email_template_id: 'gone' },
      {},
      `The e-mail template was deleted. ${onlyOnLink}`,
      null,
    ],
    [
      'relay_port',
      EMAIL,
      { smtp_port: 25 },
      `Template “Neu” uses port 25, which cannot send. ${onlyOnLink}`,
      'main',
    ],
    ['no_sender', EMAIL, NAMELESS, `Template “Neu” has no sender address. ${onlyOnLink}`, 'main'],
  ])('%s: nothing is delivered', (kind, buyer, template, text, template_id) => {
    expect(problem(buyer, templatesOf(template))).toEqual({ kind, blocks: true, text, template_id });
  });

  it('does not mention a link that is off', () => {
    const order = anOrder({ token: '' });
    expect(problem(NO_CHANNEL, undefined, order)?.text).toBe(
      'No channel is on: the link is off, so nobody can see the leads.',
    );
    expect(problem({ ...EMAIL, email_template_id: null }, undefined, order)?.text).toMatch(
      /E-mails with leads fail; the link is off, so nobody can see the leads\.$/,
    );
  });

  it('is a warning while another channel delivers', () => {
    expect(problem(BOTH, templatesOf(NAMELESS))).toEqual({
      kind: 'no_sender',
      blocks: false,
      text: 'Template “Neu” has no sender address. E-mails with leads fail; the other channels deliver.',
      template_id: 'main',
    });
  });

  it('concerns only replacements if only their template cannot send', () => {
    const buyer = { ...EMAIL, buyer_type: 'prepay' as const, reimbursement_email_template_id: 'second' };
    expect(problem(buyer, templatesOf({}, { smtp_port: 25 }))).toEqual({
      kind: 'relay_port',
      blocks: false,
      text: 'Template “Ersatz” uses port 25, which cannot send. E-mails with replacement leads fail.',
      template_id: 'second',
    });
    expect(problem({ ...buyer, use_http_api: true }, templatesOf({}, { smtp_port: 25 }))?.text).toMatch(
      /E-mails with replacement leads fail; the other channels deliver\.$/,
    );
    // The template that every lead needs comes first.
    expect(problem(buyer, templatesOf(NAMELESS, { smtp_port: 25 }))).toMatchObject({
      kind: 'no_sender',
      blocks: true,
    });
  });

  it('considers only the templates that its e-mails use', () => {
    const both = { ...EMAIL, reimbursement_email_template_id: 'second' };
    expect(templateIdsOf(aBuyer({ ...both, buyer_type: 'prepay' }))).toEqual(['main', 'second']);
    expect(templateIdsOf(aBuyer({ ...both, buyer_type: 'postpay' }))).toEqual(['main']);
    expect(templateIdsOf(aBuyer({ ...both, send_email: false }))).toEqual([]);
  });
});
