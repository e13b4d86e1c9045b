import { setTimeout as pause } from 'node:timers/promises';

/** A connection that can be asked whether somebody is at its other end, and made anew. */
export type Answering = {
  readonly isReady: boolean;
  ping(): Promise<unknown>;
  destroy(): void;
  connect(): Promise<unknown>;
};

type Patience = {
  /** How often it is asked, in milliseconds. */
  pingMs: number;
  /** How long an answer may take. */
  silentMs: number;
  /** Ends the watch. */
  signal: AbortSignal;
  /** Told when it says nothing any more, and when it cannot be made anew. */
  onGone(error: unknown): void;
};

/**
 * Makes a connection anew that has no answer any more. One whose path is lost is written to all the same, so no socket
 * ever finds that nothing moves: only an answer that is missing tells, and a new connection may be well.
 */
export async function reconnectWhenSilent(client: Answering, patience: Patience): Promise<void> {
  const { pingMs, silentMs, signal, onGone } = patience;
  const waited = (ms: number): Promise<'late'> =>
    pause(ms, 'late' as const, { signal, ref: false }).catch(() => 'late' as const);
  while (!signal.aborted) {
    await waited(pingMs);
    if (signal.aborted) return;
    if (!client.isReady) continue;
    const answered = client.ping().catch(() => undefined);
    const isSilent = (await Promise.race([answered, waited(silentMs)])) === 'late';
    if (!isSilent || signal.aborted) continue;
    onGone(new Error('it says nothing any more'));
    client.destroy();
    client.connect().catch(onGone);
  }
}
