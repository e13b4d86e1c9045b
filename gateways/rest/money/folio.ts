import { Controller, Get, Inject, Post, Put } from '@nestjs/common';

import { type DryRunQuery, dryRunQuery } from '../../../src/kernel/contracts/fields.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import type { ReservationId } from '../../../src/kernel/rules/ids.ts';
import * as contracts from '../../../src/money/contracts/folio.ts';
import { postCharge } from '../../../src/money/operations/post-charge.ts';
import { readFolio } from '../../../src/money/operations/read-folio.ts';
import { routeFolio } from '../../../src/money/operations/route-folio.ts';
import { voidPosting } from '../../../src/money/operations/void-posting.ts';
import { Answers } from '../../http/answers.ts';
import { Body, Header, Param, Query } from '../../http/parameters.ts';
import { Needs } from '../../http/route.ts';
import { ifMatch, type Read, SERVICES, TheRead, TheWrite, type Write } from '../answer.ts';
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
    @TheWrite() { caller, key, response }: Write,
    @Param('reservationId') id: ReservationId,
    @Query({ schema: dryRunQuery }) { dryRun }: DryRunQuery,
    @Body({ schema: contracts.postingBody }) body: contracts.PostingBody,
    @Header('if-match') match: string | undefined,
  ) {
    const options = { key, ifVersion: ifMatch(match), dryRun };
    const answer = await response.actor(postCharge(this.services, caller, id, body, options));
    if (!dryRun) response.version(answer.result);
    return posting(answer.result.posting);
  }

  /** Voids a posting: the answer is the reversing posting. */
  @Post('postings/:postingId/void')
  @Answers(contracts.postingAnswer, 201)
  @Needs('folio.void', 'Take a posting back')
  async void(
    @TheWrite() { caller, key, response }: Write,
    @Param('reservationId') id: ReservationId,
    @Param('postingId') postingId: string,
    @Query({ schema: dryRunQuery }) { dryRun }: DryRunQuery,
    @Body({ schema: contracts.voidBody }) body: contracts.VoidBody,
    @Header('if-match') match: string | undefined,
  ) {
    const options = { key, ifVersion: ifMatch(match), dryRun };
    const answer = await response.actor(voidPosting(this.services, caller, { id, postingId }, body, options));
    if (!dryRun) response.version(answer.result);
    return posting(answer.result.posting);
  }

  /** Sets which window pays for which charges. */
  @Put('routing')
  @Answers(contracts.routingAnswer)
  @Needs('folio.post', 'Route the folio to windows')
  async route(
    @TheWrite() { caller, key, response }: Write,
    @Param('reservationId') id: ReservationId,
    @Query({ schema: dryRunQuery }) { dryRun }: DryRunQuery,
    @Body({ schema: contracts.routingBody }) body: contracts.RoutingBody,
    @Header('if-match') match: string | undefined,
  ) {
    const options = { key, ifVersion: ifMatch(match), dryRun };
    const answer = await response.actor(routeFolio(this.services, caller, id, body, options));
    if (!dryRun) response.version(answer.result);
    return { reservationId: id, routing: answer.result.rules };
  }
}
