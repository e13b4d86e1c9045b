import { isBusy, problemIn } from './problem.ts';

/** How often and how long a request is repeated. */
export type Patience = {
  /** Attempts, the first included. */
  tries: number;
  /** Before the second attempt, milliseconds; twice as long before each further one. */
  firstPauseMs: number;
  /** A service that wants a longer pause is not waited for. */
  maxPauseMs: number;
};

export const PATIENCE: Patience = { tries: 4, firstPauseMs: 300, maxPauseMs: 10_000 };

/**
 * Sends a request until it is answered by more than "not now". What is sent must be safe to repeat: a read, or a write
 * with an idempotency key.
 * @throws what `send` threw last when no attempt was answered
 */
export async function sendPatiently(
  send: () => Promise<Response>,
  { tries, firstPauseMs, maxPauseMs }: Patience = PATIENCE,
): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const own = firstPauseMs * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
    let response: Response | undefined;
    try {
      response = await send();
    } catch (error) {
      if (attempt >= tries) throw error;
    }
    const wanted = response && (await pauseWanted(response));
    if (response && (wanted === undefined || attempt >= tries || wanted > maxPauseMs)) return response;
    await response?.body?.cancel();
    await new Promise((later) => setTimeout(later, Math.min(maxPauseMs, Math.max(own, wanted ?? 0))));
  }
}

/** Milliseconds that the sender of an answer wants to be left alone; nothing when a repeat would not help. */
async function pauseWanted(response: Response): Promise<number | undefined> {
  if (response.ok) return undefined;
  const problem = response.status === 409 || isBusy(response.status) ? await problemIn(response) : undefined;
  if (!(problem?.retryable ?? isBusy(response.status))) return undefined;
  return 1_000 * Number(response.headers.get('retry-after') ?? 0) || 0;
}

/**
 * A key for one write: its repeats have one effect. `crypto.randomUUID` exists in secure contexts only, and a page on a
 * local network is none.
 */
export function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
