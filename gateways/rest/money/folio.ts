import { Controller, Get, Inject, Post, Put } from '@nestjs/common';

import type { Services } from '../../../src/kernel/operations/services.ts';
import type { ReservationId } from '../../../src/kernel/rules/ids.ts';
import * as contracts from '../../../src/money/contracts/folio.ts';
import { postCharge } from '../../../src/money/operations/post-charge.ts';
import { readFolio } from '../../../src/money/operations/read-folio.ts';
import { routeFolio } from '../../../src/money/operations/route-folio.ts';
import { voidPosting } from '../../../src/money/operations/void-posting.ts';
import { Answers } from '../../http/answers.ts';
import { Body, Param } from '../../http/parameters.ts';
import { Needs } from '../../http/route.ts';
import { type Read, SERVICES, TheRead } from '../answer.ts';
import { type ReservationWrite, TheReservationWriteOrDryRun } from '../reservation-write.ts';
import { folio, posting } from './render/folio.ts';

/** The folio of a stay: its charges by line, and who pays for them (docs/reference/folio.md#folio). */
@Controller('api/v1/reservations/:reservationId/folio')
export class Folio {
  @Inject(SERVICES) protected readonly services!: Services;

  /** Postings and balances of each window. */
  @Get()
  @Answers(contracts.folioAnswer)
  @Needs('reservation.read', 'Read the folio')
  async read(@TheRead() { caller, response }: Read, @Param('reservationId') id: ReservationId) {
    const answer = await response.db(readFolio(this.services, caller, id));
    response.version(answer.reservation);
    return folio(answer, caller);
  }

  /** Posts an extra, or a free text charge. `?dryRun=true` only returns what would be posted. */
  @Post('postings')
  @Answers(contracts.postingAnswer, 201)
  @Needs('folio.post', 'Post to the folio')
  async post(
    @TheReservationWriteOrDryRun() { caller, id, options, send }: ReservationWrite,
    @Body({ schema: contracts.postingBody }) body: contracts.PostingBody,
  ) {
    const answer = await send(postCharge(this.services, caller, id, body, options));
    return posting(answer.result.posting);
  }

  /** Voids a posting: the answer is the reversing posting. */
  @Post('postings/:postingId/void')
  @Answers(contracts.postingAnswer, 201)
  @Needs('folio.void', 'Take a posting back')
  async void(
    @TheReservationWriteOrDryRun() { caller, id, options, send }: ReservationWrite,
    @Param('postingId') postingId: string,
    @Body({ schema: contracts.voidBody }) body: contracts.VoidBody,
  ) {
    const answer = await send(voidPosting(this.services, caller, { id, postingId }, body, options));
    return posting(answer.result.posting);
  }

  /** Sets which window pays for which charges, and which company; `?dryRun=true` only returns the folio of that. */
  @Put('routing')
  @Answers(contracts.routingAnswer)
  @Needs('folio.post', 'Route the folio to windows')
  async route(
    @TheReservationWriteOrDryRun() { caller, id, options, send }: ReservationWrite,
    @Body({ schema: contracts.routingBody }) body: contracts.RoutingBody,
  ) {
    const { result } = await send(routeFolio(this.services, caller, id, body, options));
    const { rules: routing, companyId } = result;
    const routed = await readFolio(this.services, caller, id, {
      routing,
      ...(companyId !== undefined && { companyId }),
    });
    const { reservationId, windows } = folio(routed, caller);
    return { reservationId, routing, windows, companyId: routed.reservation.companyId ?? null };
  }
}
