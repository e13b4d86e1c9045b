import { check, sleep } from 'k6';
import exec from 'k6/execution';
import http from 'k6/http';

/**
 * The service under load. Configured by the environment: RATE_URL, RESERVATION_URL and LIVE_URL (or BASE_URL for all),
 * TENANT, and TOKEN, one or more comma-separated access tokens, of which the first sets up the hotels (ADMIN). Without
 * a token, the development service whose file is DEV_FILE.
 */
const dev = __ENV.TOKEN ? {} : JSON.parse(open(__ENV.DEV_FILE || '../.data/dev.json'));
const tenant = __ENV.TENANT || 'demo';
const rateUrl = __ENV.RATE_URL || __ENV.BASE_URL || dev.rateUrl;
const reservationUrl = __ENV.RESERVATION_URL || __ENV.BASE_URL || dev.reservationUrl;
/** Address of the live gateway. */
export const LIVE = __ENV.LIVE_URL || __ENV.BASE_URL || dev.liveUrl;

/** The service limits requests by subject, so several tokens make several users. */
const tokens = __ENV.TOKEN
  ? __ENV.TOKEN.split(',')
  : ['ADMIN', 'OWNER', 'MANAGER', 'STAFF'].map((role) => dev.tokens[tenant][role]);

export const RATES = `${rateUrl}/api/v1/rates`;
export const RESERVATIONS = `${reservationUrl}/api/v1/reservations`;
export const TENANT_PATHS = `${reservationUrl}/api/v1/tenants/${tenant}`;
/** Search over all properties of the tenant. */
export const SEARCH = `${reservationUrl}/api/v1/availability/search`;
export const DEV_CLOCK = `${reservationUrl}/dev/clock`;

/** Authentication of a user at the live gateway. */
export function liveUser(user) {
  return { token: tokens[user % tokens.length], tenantId: tenant };
}

/** Default of expected statuses; any other one is a failure. */
const EXPECTED = [200];

function headersOf(token, key) {
  return {
    Authorization: `Bearer ${token}`,
    'X-Tenant-ID': tenant,
    'Content-Type': 'application/json',
    ...(key && { 'Idempotency-Key': key }),
  };
}

/**
 * Sends a request of a user, counted under the name of its endpoint.
 * @param expected statuses that do not count as failures
 */
export function call(endpoint, method, url, body, expected = EXPECTED) {
  const { idInTest: user } = exec.vu;
  const key = method === 'GET' ? undefined : `k6-${user}-${exec.vu.iterationInInstance}-${endpoint}-${Date.now()}`;
  const answer = http.request(method, url, body === undefined ? null : JSON.stringify(body), {
    headers: headersOf(tokens[user % tokens.length], key),
    tags: { endpoint, name: endpoint },
    responseCallback: http.expectedStatuses(...expected),
  });
  check(answer, { [`${endpoint} is answered`]: ({ status }) => expected.includes(status) });
  return answer;
}

/** A member of an answer by its path, `undefined` when the request was rejected. */
export function told(answer, path) {
  return answer.status >= 200 && answer.status < 300 ? answer.json(path) : undefined;
}

/** Whether the rooms are sold out, which is a valid answer; any other conflict is not. */
export function isSoldOut(answer) {
  if (answer.status !== 409) return false;
  return check(answer, { 'a conflict is for want of rooms': (got) => got.json('code') === 'ROOM_NOT_AVAILABLE' });
}

const AT_A_TIME = 10;
/** Statuses of a busy service; the request can be repeated with the same key. */
const LATER = [429, 503];
const MAX_TRIES = 10;

/**
 * Sends requests of the set-up, some at a time.
 * @returns the answers, in order
 * @throws Error, which ends the run, when one is rejected
 */
export function prepare(requests) {
  const answers = [];
  for (let from = 0; from < requests.length; from += AT_A_TIME)
    answers.push(...prepareSome(requests.slice(from, from + AT_A_TIME), from));
  return answers;
}

function prepareSome(requests, from) {
  const some = requests.map(({ method, url, body, expected = [200, 201] }, n) => ({
    method,
    url,
    body: body === undefined ? null : JSON.stringify(body),
    expected,
    params: {
      headers: headersOf(tokens[0], method === 'GET' ? undefined : `k6-prepare-${from + n}-${Date.now()}`),
      tags: {
        endpoint: 'prepare',
        name: 'prepare',
      },
      responseCallback: http.expectedStatuses(...expected, ...LATER),
    },
  }));
  let answers = http.batch(some);
  for (let tries = 1; tries < MAX_TRIES && answers.some(({ status }) => LATER.includes(status)); tries += 1) {
    sleep(1);
    answers = http.batch(some);
  }
  for (const [n, { method, url, expected }] of some.entries())
    if (!expected.includes(answers[n].status))
      throw new Error(`${method} ${url}: ${answers[n].status} ${answers[n].body}`);
  return answers;
}
