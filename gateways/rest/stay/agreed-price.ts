import { Controller, Delete, Inject, Post } from '@nestjs/common';

import type { Services } from '../../../src/kernel/operations/services.ts';
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
import { Body } from '../../http/parameters.ts';
import { Needs } from '../../http/route.ts';
import { SERVICES } from '../answer.ts';
import { type ReservationWrite, TheReservationWriteOrDryRun } from '../reservation-write.ts';
import { nightsComped, nightsCharged, stayUpgraded } from './render/agreed-price.ts';

/**
 * Prices agreed with a guest instead of those of the plan: upgrades and complimentary nights
 * (docs/reference/agreed-prices.md#agreed-prices).
 */
@Controller('api/v1/reservations/:reservationId')
export class AgreedPrice {
  @Inject(SERVICES) protected readonly services!: Services;

  /**
   * Moves the remaining nights of a stay to a better room type for a surcharge; `?dryRun=true` only returns the
   * result.
   */
  @Post('upgrade')
  @Answers(upgradeAnswer)
  @Needs('reservation.upgrade', 'Upgrade a stay for a surcharge')
  async upgrade(
    @TheReservationWriteOrDryRun() { caller, id, options, send }: ReservationWrite,
    @Body({ schema: upgradeBody }) body: UpgradeBody,
  ) {
    const answer = await send(upgradeStay(this.services, caller, id, body, options));
    return stayUpgraded(answer.result);
  }

  /** Makes nights complimentary, all nights when none is named; `?dryRun=true` only returns the result. */
  @Post('comp')
  @Answers(compAnswer)
  @Needs('reservation.comp', 'Make nights complimentary')
  async comp(
    @TheReservationWriteOrDryRun() { caller, id, options, send }: ReservationWrite,
    @Body({ schema: compBody }) body: CompBody,
  ) {
    const answer = await send(compNights(this.services, caller, id, body, options));
    return nightsComped(answer.result);
  }

  /** Charges complimentary nights again, as they were booked; `?dryRun=true` only returns the result. */
  @Delete('comp')
  @Answers(undoCompAnswer)
  @Needs('reservation.comp', 'Charge complimentary nights again')
  async undoComp(
    @TheReservationWriteOrDryRun() { caller, id, options, send }: ReservationWrite,
    @Body({ schema: undoCompBody }) body: UndoCompBody,
  ) {
    const answer = await send(undoComp(this.services, caller, id, body, options));
    return nightsCharged(answer.result);
  }
}
