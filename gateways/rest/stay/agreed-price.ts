import { Controller, Delete, Inject, Post } from '@nestjs/common';

import { type DryRunQuery, dryRunQuery } from '../../../src/kernel/contracts/fields.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import type { ReservationId } from '../../../src/kernel/rules/ids.ts';
import {
  compAnswer,
  type CompBody,
  compBody,
  undoCompAnswer,
  type UndoCompBody,
  undoCompBody,
} from '../../../src/stay/contracts/comp.ts';
import { upgradeAnswer, type UpgradeBody, upgradeBody } from '../../../src/stay/contracts/upgrade.ts';
import { compNights, undoComp } from '../../../src/stay/operations/comp-nights.ts';
import { upgradeStay } from '../../../src/stay/operations/upgrade-stay.ts';
import { Answers } from '../../http/answers.ts';
import { Body, Header, Param, Query } from '../../http/parameters.ts';
import { Needs } from '../../http/route.ts';
import { ifMatch, SERVICES, TheWrite, type Write } from '../answer.ts';
import { nightsComped, nightsCharged, stayUpgraded } from './render/agreed-price.ts';

/** What the property agrees on with a guest beside the price of his plan (docs/reference/reservations.md#reservations). */
@Controller('api/v1/reservations/:reservationId')
export class AgreedPrice {
  @Inject(SERVICES) protected readonly services!: Services;

  /** Moves what is left of a stay to a better room type for a surcharge; `?dryRun=true` only says what comes of it. */
  @Post('upgrade')
  @Answers(upgradeAnswer)
  @Needs('reservation.upgrade', 'Upgrade a stay for a surcharge')
  async upgrade(
    @TheWrite() { caller, key, response }: Write,
    @Param('reservationId') id: ReservationId,
    @Query({ schema: dryRunQuery }) { dryRun }: DryRunQuery,
    @Body({ schema: upgradeBody }) body: UpgradeBody,
    @Header('if-match') match: string | undefined,
  ) {
    const options = { key, ifVersion: ifMatch(match), dryRun };
    const answer = await response.actor(upgradeStay(this.services, caller, id, body, options));
    if (!dryRun) response.version(answer.result.reservation);
    return stayUpgraded(answer.result);
  }

  /** Makes nights complimentary, all of the stay where none are named; `?dryRun=true` only says what comes of it. */
  @Post('comp')
  @Answers(compAnswer)
  @Needs('reservation.comp', 'Make nights complimentary')
  async comp(
    @TheWrite() { caller, key, response }: Write,
    @Param('reservationId') id: ReservationId,
    @Query({ schema: dryRunQuery }) { dryRun }: DryRunQuery,
    @Body({ schema: compBody }) body: CompBody,
    @Header('if-match') match: string | undefined,
  ) {
    const options = { key, ifVersion: ifMatch(match), dryRun };
    const answer = await response.actor(compNights(this.services, caller, id, body, options));
    if (!dryRun) response.version(answer.result.reservation);
    return nightsComped(answer.result);
  }

  /** Charges complimentary nights again, as they were booked; `?dryRun=true` only says what that adds. */
  @Delete('comp')
  @Answers(undoCompAnswer)
  @Needs('reservation.comp', 'Charge complimentary nights again')
  async undoComp(
    @TheWrite() { caller, key, response }: Write,
    @Param('reservationId') id: ReservationId,
    @Query({ schema: dryRunQuery }) { dryRun }: DryRunQuery,
    @Body({ schema: undoCompBody }) body: UndoCompBody,
    @Header('if-match') match: string | undefined,
  ) {
    const options = { key, ifVersion: ifMatch(match), dryRun };
    const answer = await response.actor(undoComp(this.services, caller, id, body, options));
    if (!dryRun) response.version(answer.result.reservation);
    return nightsCharged(answer.result);
  }
}
