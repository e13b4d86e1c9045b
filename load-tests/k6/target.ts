import type { Role, Service } from '../../test/blackbox/service.ts';

/** In the order of a guest's journey. */
export const K6_SCRIPTS = [
  'read-rates',
  'chain-search',
  'book-a-stay',
  'flash-sale',
  'modify-and-cancel',
  'arrival-day',
  'live-feed',
  'soak',
] as const;

export type K6Script = (typeof K6_SCRIPTS)[number];

/** The first sets up the hotels. */
const USERS: readonly Role[] = ['ADMIN', 'OWNER', 'MANAGER', 'STAFF'];

/** The service under load; `token` is one or more access tokens, with commas. */
export type K6Target = { rateUrl: string; reservationUrl: string; liveUrl: string; token: string; tenant: string };

export type TargetOptions = Partial<K6Target> & { baseUrl?: string; tenant: string };

/** The service named by the options. @throws Error when they name only half of one */
export function targetOf({
  baseUrl,
  rateUrl = baseUrl,
  reservationUrl = baseUrl,
  liveUrl = baseUrl ?? '',
  token,
  tenant,
}: TargetOptions): K6Target | undefined {
  if (rateUrl === undefined && reservationUrl === undefined) return undefined;
  if (rateUrl === undefined || reservationUrl === undefined)
    throw new Error('one service has no address: --base-url is for both, --rate-url and --reservation-url for each');
  if (token === undefined) throw new Error('a service that is there already wants a token (--token or TOKEN)');
  for (const url of [rateUrl, reservationUrl, liveUrl || rateUrl])
    if (!/^(https?|wss?):/.test(URL.parse(url)?.protocol ?? '')) throw new Error(`${url} is no address of a service`);
  return { rateUrl: bare(rateUrl), reservationUrl: bare(reservationUrl), liveUrl: bare(liveUrl), token, tenant };
}

/** A service of our own, with its development tokens. */
export function targetOfService(service: Service, tenant: string): K6Target {
  const { rateUrl, reservationUrl, liveUrl } = service.dev;
  const token = USERS.map((role) => service.token(tenant, role)).join(',');
  return { rateUrl, reservationUrl, liveUrl, token, tenant };
}

/** Environment of k6. Tokens are passed by it, since arguments of a process are public. */
export function k6Environment(target: K6Target): NodeJS.ProcessEnv {
  return {
    ...process.env,
    RATE_URL: target.rateUrl,
    RESERVATION_URL: target.reservationUrl,
    LIVE_URL: target.liveUrl,
    TOKEN: target.token,
    TENANT: target.tenant,
    // With a thousand users Go would collect garbage all the time, on the cores of the service.
    GOGC: process.env.GOGC ?? '400',
    // No request goes anywhere but to the service.
    K6_NO_USAGE_REPORT: 'true',
    K6_AUTO_EXTENSION_RESOLUTION: 'false',
  };
}

function bare(url: string): string {
  return url.replace(/\/+$/, '');
}
