import { Controller, Inject } from '@nestjs/common';
import { Ctx, EventPattern, Payload, Transport } from '@nestjs/microservices';

import { takeAvailability } from '../../src/channels/operations/take-availability.ts';
import { takeCompetitorRates } from '../../src/channels/operations/take-competitor-rates.ts';
import { takeCreatedReservation } from '../../src/channels/operations/take-created-reservation.ts';
import { takePaymentResult } from '../../src/channels/operations/take-payment-result.ts';
import type { Taken, TakenEvent } from '../../src/channels/operations/taken-event.ts';
import type { Services } from '../../src/kernel/operations/services.ts';
import { SERVICES } from '../rest/answer.ts';
import type { Incoming } from './incoming.ts';
import { partitionControlOf } from './kafka-server.ts';
import type { RecordConsumer } from './record-consumer.ts';

export const RECORD_CONSUMER = Symbol('taking');

/**
 * Consumed topics (docs/reference/events.md#what-innkeeper-reads), each with the operation that handles its records.
 */
@Controller()
export class Consumers {
  @Inject(RECORD_CONSUMER) protected readonly records!: RecordConsumer;
  @Inject(SERVICES) protected readonly services!: Services;

  @EventPattern('availability.updated', Transport.KAFKA)
  availability(@Payload() incoming: Incoming, @Ctx() context: unknown): Promise<void> {
    return this.#handle(incoming, context, takeAvailability);
  }

  @EventPattern('reservation.created', Transport.KAFKA)
  reservation(@Payload() incoming: Incoming, @Ctx() context: unknown): Promise<void> {
    return this.#handle(incoming, context, takeCreatedReservation);
  }

  @EventPattern('competitor.rates.updated', Transport.KAFKA)
  competitorRates(@Payload() incoming: Incoming, @Ctx() context: unknown): Promise<void> {
    return this.#handle(incoming, context, takeCompetitorRates);
  }

  @EventPattern('payment.processed', Transport.KAFKA)
  payment(@Payload() incoming: Incoming, @Ctx() context: unknown): Promise<void> {
    return this.#handle(incoming, context, takePaymentResult);
  }

  #handle(
    incoming: Incoming,
    context: unknown,
    take: (services: Services, event: TakenEvent) => Promise<Taken>,
  ): Promise<void> {
    return this.records.handle(incoming, (event) => take(this.services, event), partitionControlOf(context));
  }
}
