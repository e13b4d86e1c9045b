import type { HotelAnswer, HotelClient } from '../ports.ts';

type Options = {
  /** Address of the reservation service. */
  baseUrl: string;
  tenantId: string;
  /** A token of the demo user. */
  token(): Promise<string>;
};

const ANSWERS_WITHIN_MS = 10_000;
/** Pause where the service says none, or does not answer. */
const USUAL_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;
const BUSY: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** The running service over HTTP, as every other client. */
export function httpHotel({ baseUrl, tenantId, token }: Options): HotelClient {
  return {
    async ask(method, path, body, key): Promise<HotelAnswer> {
      const headers: Record<string, string> = {
        authorization: `Bearer ${await token()}`,
        'x-tenant-id': tenantId,
        ...(body && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
      };
      const signal = AbortSignal.timeout(ANSWERS_WITHIN_MS);
      let answer: Response;
      let text: string;
      try {
        answer = await fetch(`${baseUrl}${path}`, {
          method,
          headers,
          signal,
          ...(body && { body: JSON.stringify(body) }),
        });
        text = await answer.text();
      } catch {
        return { status: 0, body: null, retryAfterMs: USUAL_PAUSE_MS };
      }
      const read = parsed(text);
      const code = (read as { code?: string } | null)?.code;
      const waits = BUSY.has(answer.status) && { retryAfterMs: pauseOf(answer.headers.get('retry-after')) };
      return { status: answer.status, body: read, ...(answer.ok ? {} : { code: code ?? '' }), ...waits };
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function pauseOf(seconds: string | null): number {
  const given = Number(seconds ?? Number.NaN) * 1_000;
  return Number.isFinite(given) && given > 0 ? Math.min(LONGEST_PAUSE_MS, given) : USUAL_PAUSE_MS;
}
