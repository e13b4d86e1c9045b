import { setTimeout as pause } from 'node:timers/promises';

/** A connection that can be pinged and reconnected. */
export type Answering = {
  readonly isReady: boolean;
  ping(): Promise<unknown>;
  destroy(): void;
  connect(): Promise<unknown>;
};

type Patience = {
  /** Interval of pings, in milliseconds. */
  pingMs: number;
  /** Time limit of an answer. */
  silentMs: number;
  /** Ends the pings. */
  signal: AbortSignal;
  /** Called when the connection does not answer, and when reconnecting fails. */
  onGone(error: unknown): void;
};

/**
 * Reconnects a connection without answers. Writes to a broken path do not fail, so no socket reports an error: only a
 * missing answer shows it, and a new connection may work.
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
    onGone(new Error('the connection does not answer'));
    client.destroy();
    client.connect().catch(onGone);
  }
}
