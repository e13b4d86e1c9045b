import type { PlannedBooking } from './plan.ts';

/**
 * Plays events in their order, `concurrency` at a time; an event waits for the previous one of the same booking.
 * @param play gets the number of the event among all, from 1
 * @throws what `play` throws
 */
export async function playInOrder<E extends { planned: PlannedBooking }>(
  events: readonly E[],
  concurrency: number,
  play: (event: E, sequence: number) => Promise<void>,
): Promise<void> {
  const latest = new Map<number, Promise<void>>();
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let event = events[next++]; event; event = events[next++]) {
      const { row } = event.planned.booking;
      const current = event;
      const sequence = next;
      const playing = (latest.get(row) ?? Promise.resolve()).then(() => play(current, sequence));
      latest.set(row, playing);
      await playing;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}
