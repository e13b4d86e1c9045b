import { Controller, Delete, Get, HttpCode, Inject, Post } from '@nestjs/common';

import { type DryRunQuery, dryRunQuery } from '../../../src/kernel/contracts/fields.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import type { ReservationId } from '../../../src/kernel/rules/ids.ts';
import {
  stayMailAnswer,
  type InvoiceMailBody,
  invoiceMailBody,
  paymentLinkAnswer,
  type PaymentLinkBody,
  paymentLinkBody,
  paymentLinkListAnswer,
} from '../../../src/notifications/contracts/stay-mails.ts';
import { mailInvoice } from '../../../src/notifications/operations/mail-invoice.ts';
import {
  listPaymentLinks,
  revokePaymentLink,
  sendPaymentLink,
} from '../../../src/notifications/operations/payment-links.ts';
import { readStayPage, revokeStayLinks, sendStayLink } from '../../../src/notifications/operations/stay-pages.ts';
import type { StayMail } from '../../../src/notifications/rules/stay-mail.ts';
import { stayPageAnswer } from '../../../src/stay/contracts/stay-pages.ts';
import type { StayPage } from '../../../src/stay/rules/online-check-in.ts';
import { type AnswerOf, Answers } from '../../http/answers.ts';
import { Body, Param, Query } from '../../http/parameters.ts';
import { Needs } from '../../http/route.ts';
import { type Read, SERVICES, TheRead, TheWrite, type Write } from '../answer.ts';
import { renderOnlineCheckIn } from './render/online-check-in.ts';

/** Mails that staff send about a stay (docs/reference/invoices.md#by-mail). */
@Controller('api/v1/reservations/:reservationId')
export class StayMailing {
  @Inject(SERVICES) protected readonly services!: Services;

  /** Mails the invoice, or the offer of one; `?dryRun=true` only names the recipient. */
  @Post('invoice/mail')
  @HttpCode(202)
  @Answers(stayMailAnswer, 202, 'Sent soon.')
  @Needs('invoice.mail', 'Mail the invoice')
  async invoice(
    @TheWrite() { caller, key, response }: Write,
    @Param('reservationId') reservationId: ReservationId,
    @Query({ schema: dryRunQuery }) { dryRun }: DryRunQuery,
    @Body({ schema: invoiceMailBody }) body: InvoiceMailBody,
  ) {
    const ordered = mailInvoice(this.services, caller, reservationId, body, { key, dryRun });
    const { mail, messageId = null } = await response.actor(ordered);
    return { reservationId, messageId, to: mail.address };
  }

  /** Mails a link by which the guest pays; `?dryRun=true` only names the recipient. */
  @Post('payment-links')
  @HttpCode(202)
  @Answers(paymentLinkAnswer, 202, 'Sent soon.')
  @Needs('payment-link.send', 'Send a payment link')
  async sendLink(
    @TheWrite() { caller, key, response }: Write,
    @Param('reservationId') reservationId: ReservationId,
    @Query({ schema: dryRunQuery }) { dryRun }: DryRunQuery,
    @Body({ schema: paymentLinkBody }) body: PaymentLinkBody,
  ) {
    const ordered = sendPaymentLink(this.services, caller, reservationId, body, { key, dryRun });
    return linkOf((await response.actor(ordered)).mail);
  }

  @Get('payment-links')
  @Answers(paymentLinkListAnswer)
  @Needs('desk.read', 'List the payment links of a stay')
  async links(@TheRead() { caller, response }: Read, @Param('reservationId') reservationId: ReservationId) {
    const mails = await response.db(listPaymentLinks(this.services, caller, reservationId));
    return response.list(mails.map(linkOf), undefined);
  }

  /** The link opens nothing any more. */
  @Delete('payment-links/:linkId')
  @Answers(paymentLinkAnswer)
  @Needs('payment-link.send', 'Revoke a payment link')
  async revokeLink(
    @TheWrite() { caller, response }: Write,
    @Param('reservationId') reservationId: ReservationId,
    @Param('linkId') linkId: string,
  ) {
    return linkOf(await response.actor(revokePaymentLink(this.services, caller, reservationId, linkId)));
  }

  /** What the guest has done on the page of the stay: the check-in online. */
  @Get('stay-page')
  @Answers(stayPageAnswer)
  @Needs('desk.read', 'Read the page of a stay')
  async page(@TheRead() { caller, response }: Read, @Param('reservationId') reservationId: ReservationId) {
    return pageOf(reservationId, await response.db(readStayPage(this.services, caller, reservationId)));
  }

  /** Mails the guest the link of the stay; `?dryRun=true` only names the recipient. */
  @Post('stay-page/links')
  @HttpCode(202)
  @Answers(stayMailAnswer, 202, 'Sent soon.')
  @Needs('payment-link.send', 'Send the link of a stay')
  async sendOwnLink(
    @TheWrite() { caller, key, response }: Write,
    @Param('reservationId') reservationId: ReservationId,
    @Query({ schema: dryRunQuery }) { dryRun }: DryRunQuery,
  ) {
    const ordered = sendStayLink(this.services, caller, reservationId, { key, dryRun });
    const { mail, messageId = null } = await response.actor(ordered);
    return { reservationId, messageId, to: mail.address };
  }

  /** All links of the guest to the page of the stay open nothing any more; the next letter has a new one. */
  @Delete('stay-page/links')
  @Answers(stayPageAnswer)
  @Needs('payment-link.send', 'Revoke the links of a stay')
  async revokeLinks(
    @TheWrite() { caller, key, response }: Write,
    @Param('reservationId') reservationId: ReservationId,
  ) {
    const { page } = await response.actor(revokeStayLinks(this.services, caller, reservationId, key));
    return pageOf(reservationId, page);
  }
}

function pageOf(reservationId: ReservationId, { linksFrom, checkIn }: StayPage): AnswerOf<typeof stayPageAnswer> {
  return {
    reservationId,
    linksFrom: linksFrom ?? null,
    onlineCheckIn: checkIn ? renderOnlineCheckIn(checkIn) : null,
  };
}

/** A payment link without its signature, which stands in the mail only. */
function linkOf(mail: StayMail): AnswerOf<typeof paymentLinkAnswer> {
  const { reservationId, mailId: linkId, address: to, amount = null, expiresAt, revokedAt = null, at, by } = mail;
  return { reservationId, linkId, to, amount, expiresAt: expiresAt!, revokedAt, sentAt: at, sentBy: by };
}
