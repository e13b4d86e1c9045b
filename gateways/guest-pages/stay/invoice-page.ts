import type { FastifyReply } from 'fastify';

import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { documentsOfParty } from '../../../src/money/rules/invoice-document.ts';
import { letterTextsIn } from '../../../src/notifications/contracts/letter-texts.ts';
import type { LinkedStay } from '../../../src/notifications/operations/stay-link.ts';
import { invoiceLetter } from '../../../src/notifications/rules/invoice-letter.ts';
import { readInvoice } from '../../../src/stay/operations/read-invoice.ts';
import { isUnfinished } from '../../../src/stay/rules/reservation-states.ts';
import { type PageContext, roomNames } from '../booking/page-context.ts';
import { html, type Markup } from '../html.ts';
import { type Opened, sendStay } from './stay-frame.ts';

/** Whether the stay is over and has an invoice that is the guest's: that of a company is sent to the company. */
export function hasInvoice({ isManaging, reservation }: LinkedStay): boolean {
  const { status, documents = [], companyId } = reservation;
  const isOver = isManaging && !isUnfinished(status) && companyId === undefined;
  return isOver && documentsOfParty(documents, 'REST').length > 0;
}

/** The invoice of a stay with its lines, to read and to print. @throws DomainError INVOICE_NOT_FOUND */
export async function invoicePage(page: PageContext, reply: FastifyReply, opened: Opened): Promise<void> {
  const { services, texts, to } = page;
  const { stay } = opened;
  if (!hasInvoice(stay)) throw new DomainError('INVOICE_NOT_FOUND', 'The stay has no invoice for its guest.');
  const invoiced = await readInvoice(services, to, stay.reservation.id, 'REST');
  const rooms = await roomNames(page);
  const { details, amounts = [] } = invoiceLetter({ ...invoiced, rooms }, letterTextsIn(texts.language));
  const { name, address, contact } = invoiced.property;
  const town = [address?.zipCode, address?.city].filter(Boolean).join(' ');
  const sender = [name, address?.addressLine1, town, address?.country, contact?.phone, contact?.email];
  const row = ([label, value]: [string, string]): Markup =>
    html`<tr>
      <th scope="row">${label}</th>
      <td>${value}</td>
    </tr>`;
  const body = html`<address>${sender.filter(Boolean).join(', ')}</address>
    <table>
      <tbody>
        ${details.map(row)}
      </tbody>
    </table>
    <table class="amounts">
      <tbody>
        ${amounts.map(row)}
      </tbody>
    </table>
    <p class="go"><button type="button" id="print" hidden>${texts.text('invoice.print')}</button></p>`;
  sendStay(page, reply, opened, { title: texts.text('stay.invoice'), body, step: '/invoice', forScript: {} });
}
