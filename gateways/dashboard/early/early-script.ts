import type { PageConfig, PageSession } from '../../../src/live/contracts/page-config.ts';
import { answerKey, type Early, liveUrl, propertiesUrl, SESSION, TOKEN_KEY, userHeaders } from './early.ts';

/** A page that has no tenant. */
const OPERATIONS = /^\/ops(\/|$)/;
/** Pages that follow a live connection. */
const LIVE = /^\/(revenue|desk|fleet)?(\/|$)/;

/**
 * Requests session, properties and live connection while the page's scripts are loading, which on a slow line takes
 * longer than all of them. Small, and without anything that the page has, too.
 */
async function begin(config: PageConfig): Promise<void> {
  const early: Early = { answers: new Map() };
  globalThis.early = early;
  const get = (url: string, init?: RequestInit, token?: string): Promise<Response> => {
    const answer = fetch(url, init);
    answer.catch(() => undefined);
    early.answers.set(answerKey(url, token), answer);
    return answer;
  };
  const entered = sessionStorage.getItem(TOKEN_KEY);
  const user = entered === null ? await sessionOf(get(SESSION)) : (JSON.parse(entered) as PageSession);
  if (!user) return;
  void get(propertiesUrl(config, user), { credentials: 'omit', headers: userHeaders(user) }, user.token);
  if (LIVE.test(location.pathname)) early.socket = opened();
}

/** Who is signed in; the page reads the same answer once more. */
async function sessionOf(answer: Promise<Response>): Promise<PageSession | undefined> {
  const response = await answer.catch(() => undefined);
  return response?.status === 200 ? ((await response.clone().json()) as PageSession) : undefined;
}

function opened(): NonNullable<Early['socket']> {
  const socket = new WebSocket(liveUrl());
  const events: Event[] = [];
  const noted = new AbortController();
  // The service greets, and says no more before it has a token.
  for (const kind of ['open', 'message'])
    socket.addEventListener(kind, (event) => events.push(event), { signal: noted.signal });
  return { socket, events, noted };
}

const given = document.getElementById('config')?.textContent;
const hasFailed = new URLSearchParams(location.search).has('sign-in');
if (given && !hasFailed && !OPERATIONS.test(location.pathname)) void begin(JSON.parse(given) as PageConfig);
