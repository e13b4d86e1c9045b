import type { Answer, Call, HttpClient } from './http.ts';

/** How often and how long a call is repeated before its answer counts. */
const MAX_ATTEMPTS = 20;
const LONGEST_WAIT_MS = 10_000;
const SHORTEST_WAIT_MS = 50;

/**
 * Sends a call until it has an answer that is not "later": 429 and 503 are repeated after `Retry-After`, a broken
 * connection at once. Repeating is safe only with an `Idempotency-Key`, so one is required.
 *
 * @param repeated told why, once per repetition
 * @returns the last answer, which may still be 429 or 503
 * @throws Error when the connection broke every time
 */
export async function callUntilDecided(
  client: HttpClient,
  call: Call & { headers: Record<'idempotency-key', string> },
  repeated: (reason: string) => void,
): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await client.call(call).catch((error: unknown) => {
      if (attempt >= MAX_ATTEMPTS) throw error;
      return undefined;
    });
    if (answer && answer.status !== 429 && answer.status !== 503) return answer;
    if (answer && attempt >= MAX_ATTEMPTS) return answer;
    repeated(answer ? String(answer.status) : 'connection');
    await pause(waitOf(answer));
  }
}

function waitOf(answer: Answer | undefined): number {
  const seconds = Number(answer?.headers['retry-after'] ?? 0);
  return Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, Number.isFinite(seconds) ? seconds * 1000 : 0));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
