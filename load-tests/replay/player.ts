import type { HttpClient } from '../client/http.ts';
import { callUntilDecided } from '../client/retry.ts';
import { playInOrder } from './in-order.ts';
import type { PlannedEvent } from './plan.ts';
import { bodyOf } from './requests.ts';
import { isForeseen, KINDS, Tally } from './tally.ts';

export type Stage = {
  client: HttpClient;
  /** Base URL of the reservation service. */
  reservationUrl: string;
  propertyId: string;
  concurrency: number;
  /** Makes the idempotency keys of this run unique. */
  runId: string;
  /** Attempts of a request before its answer counts; a service that dies meanwhile needs more. */
  attempts?: number;
  /** Called after each event. */
  progress: (tally: Tally) => void;
};

const METHODS = { create: 'POST', amend: 'PUT', cancel: 'DELETE' } as const;

/**
 * Plays the events in their order, `concurrency` at a time; an event waits for the previous one of the same booking.
 * @throws Error when the service is unreachable
 */
export async function playEvents(events: readonly PlannedEvent[], stage: Stage): Promise<Tally> {
  const tally = new Tally(KINDS);
  const reservationIds = new Map<number, string>();
  await playInOrder(events, stage.concurrency, async (event, sequence) => {
    await playEvent(event, `${stage.runId}-${sequence}`, stage, reservationIds, tally);
    stage.progress(tally);
  });
  return tally;
}

async function playEvent(
  event: PlannedEvent,
  key: string,
  stage: Stage,
  reservationIds: Map<number, string>,
  tally: Tally,
): Promise<void> {
  const { row } = event.planned.booking;
  const id = reservationIds.get(row);
  if (event.kind !== 'create' && id === undefined) {
    tally.passedOver += 1;
    return;
  }
  const url = `${stage.reservationUrl}/api/v1/reservations${event.kind === 'create' ? '' : `/${id}`}`;
  const body = JSON.stringify(bodyOf(event, stage.propertyId));
  const call = { method: METHODS[event.kind], url, body, headers: { 'idempotency-key': key } };
  const repeated = (reason: string): void => tally.repetition(reason);
  const answer = await callUntilDecided(stage.client, call, repeated, stage.attempts);
  if (answer.status !== (event.kind === 'create' ? 201 : 200)) {
    tally.rejection(event, answer, (code) => isForeseen(event, answer.status, code));
    return;
  }
  tally.accepted(event.kind, answer.ms);
  if (event.kind !== 'create') return;
  const created: { reservationId: string; status: string } = JSON.parse(answer.text);
  reservationIds.set(row, created.reservationId);
  if (event.planned.foreseen.size > 0) {
    tally.surprise(event, answer.status, 'ACCEPTED', `expected ${[...event.planned.foreseen].join(' or ')}`);
  } else if (created.status !== 'CONFIRMED') {
    tally.surprise(event, answer.status, created.status, 'a paid booking is not CONFIRMED');
  }
}
