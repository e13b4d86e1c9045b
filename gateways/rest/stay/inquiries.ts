import { Controller, Delete, Get, Inject, Post } from '@nestjs/common';

import type { Services } from '../../../src/kernel/operations/services.ts';
import type { InquiryId } from '../../../src/kernel/rules/ids.ts';
import * as contract from '../../../src/stay/contracts/inquiries.ts';
import { closeInquiry, keepInquiry, listInquiries, readInquiry } from '../../../src/stay/operations/keep-inquiry.ts';
import { Answers } from '../../http/answers.ts';
import { Body, Param, Query } from '../../http/parameters.ts';
import { ForOwner, Needs } from '../../http/route.ts';
import { type Read, SERVICES, TheRead, TheWrite, type Write } from '../answer.ts';
import { renderInquiry } from './render/inquiry.ts';

/** Quotes stored with a name, without a room (docs/reference/inquiries.md#inquiries). */
@Controller('api/v1/reservations/inquiries')
export class Inquiries {
  @Inject(SERVICES) private readonly services!: Services;

  /** Promises the price of a stay to a guest. */
  @Post()
  @Answers(contract.inquiryAnswer, 201)
  @Needs('inquiry.keep', 'Keep a quote for a guest')
  @ForOwner()
  async keep(
    @TheWrite() { caller, key, response }: Write,
    @Body({ schema: contract.inquiryBody }) body: contract.InquiryBody,
  ) {
    const { result } = await response.actor(keepInquiry(this.services, caller, body, key));
    response.header('location', `/api/v1/reservations/inquiries/${result.inquiry.inquiryId}`);
    const { propertyId, guestInfo: guest, notes } = body;
    return renderInquiry({ ...result.inquiry, propertyId, guest, ...(notes !== undefined && { notes }) }, caller);
  }

  /** Inquiries of a property, newest first. */
  @Get()
  @Answers(contract.inquiryListAnswer)
  @Needs('reservation.read', 'List inquiries')
  async list(
    @TheRead() { caller, response }: Read,
    @Query({ schema: contract.inquiryQuery }) query: contract.InquiryQuery,
  ) {
    const { items, nextCursor } = await response.db(listInquiries(this.services, caller, query));
    return response.list(
      items.map((one) => renderInquiry(one, caller)),
      nextCursor,
    );
  }

  @Get(':inquiryId')
  @Answers(contract.inquiryAnswer)
  @Needs('reservation.read', 'Read an inquiry')
  async get(@TheRead() { caller, response }: Read, @Param('inquiryId') id: InquiryId) {
    return renderInquiry(await response.db(readInquiry(this.services, caller, id)), caller);
  }

  /** Ends an inquiry that leads to nothing. */
  @Delete(':inquiryId')
  @Answers(contract.closedInquiryAnswer)
  @Needs('inquiry.close', 'Close an inquiry')
  async close(@TheWrite() { caller, key, response }: Write, @Param('inquiryId') id: InquiryId) {
    return (await response.actor(closeInquiry(this.services, caller, id, key))).result;
  }
}
