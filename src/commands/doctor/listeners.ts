import { createServer } from 'node:net';

import type { Environment } from '../../platform/config/environment.ts';
import { type Examined, type Examinee, fault, type Trouble, warning } from './check.ts';

/** A listener of the service: where, and how its answer differs from that of another program. */
type Listener = { name: string; host: string; port: number; path: string; isOurs: (body: unknown) => boolean };
type Occupant = 'free' | 'ours' | 'other' | { trouble: Trouble };
type Taker = 'ours' | 'other' | 'silent';

const ANSWER_WITHIN_MS = 2_000;
const LOOPBACK = '127.0.0.1';
const SILENT =
  'a service of yours stands still or is overloaded: see its log and its machine; else stop that program';

const hasMember = (name: string) => (body: unknown) => typeof body === 'object' && body !== null && name in body;

/** Every port that a start would open. */
function listenersOf(values: Environment): Listener[] {
  const health = { path: '/actuator/health', isOurs: hasMember('groups') };
  const open: Listener[] = (['RATE_PORT', 'RESERVATION_PORT', 'LIVE_PORT'] as const).map((name) => ({
    name,
    host: values.HOST,
    port: values[name],
    ...health,
  }));
  const isProduction = values.NODE_ENV === 'production';
  if (!isProduction && values.OIDC_ISSUER === undefined && values.INNKEEPER_DEVELOPMENT_ISSUER === undefined) {
    const path = '/.well-known/openid-configuration';
    open.push({ name: 'OIDC_PORT', host: LOOPBACK, port: values.OIDC_PORT, path, isOurs: hasMember('issuer') });
  }
  if (!isProduction && values.SCHEMA_REGISTRY_URL === undefined)
    open.push({
      name: 'REGISTRY_PORT',
      host: LOOPBACK,
      port: values.REGISTRY_PORT,
      path: '/subjects',
      isOurs: Array.isArray,
    });
  // Two on one port are a fault of the settings, and would be in the way of each other here.
  return [...new Map(open.filter(({ port }) => port !== 0).map((one) => [one.port, one])).values()];
}

/** Check `ports`: each is free, or all are those of a running service. */
export async function examinePorts({ values }: Examinee): Promise<Examined> {
  const all = listenersOf(values);
  const found = await Promise.all(all.map(async (one) => ({ ...one, by: await occupantOf(one) })));
  const named = (by: Occupant): string =>
    found
      .filter((one) => one.by === by)
      .map(({ port }) => port)
      .join(', ');
  const troubles = found.flatMap(({ name, host, port, by }) => {
    if (typeof by === 'object') return [by.trouble];
    if (by !== 'other') return [];
    return [fault(`${host}:${port} is taken by another program`, `stop that program, or set ${name} to a free port`)];
  });
  const [free, ours] = [named('free'), named('ours')];
  if (free !== '' && ours !== '')
    troubles.push(
      warning(
        `a service runs on ${ours}, and nothing on ${free}`,
        'look at the log of the service, or wait: it starts',
      ),
    );
  return { fine: ours === '' ? `${free} free` : `${ours} used by the running service`, troubles };
}

async function occupantOf(one: Listener): Promise<Occupant> {
  const { name, host, port } = one;
  const code = await tryToListen(host, port);
  if (code === undefined) return 'free';
  if (code === 'EADDRINUSE') {
    const taker = await takerOf(one);
    if (taker !== 'silent') return taker;
    // The service itself, when it stands still: nobody may be sent to another port for that.
    const text = `${host}:${port} is taken, and no answer comes within ${ANSWER_WITHIN_MS / 1_000} s`;
    return { trouble: fault(text, SILENT) };
  }
  if (code === 'EACCES')
    return { trouble: fault(`this user may not listen on ${host}:${port}`, `set ${name} to a port above 1023`) };
  return {
    trouble: fault(`${host}:${port} cannot be listened on (${code})`, 'set HOST to an address of this machine'),
  };
}

/** @returns the code of the failure; the port is free again afterwards */
function tryToListen(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code, message }: NodeJS.ErrnoException) => resolve(code ?? message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

async function takerOf({ host, port, path, isOurs }: Listener): Promise<Taker> {
  const name = host === '0.0.0.0' || host === '::' ? LOOPBACK : host;
  try {
    const url = `http://${name.includes(':') ? `[${name}]` : name}:${port}${path}`;
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    return isOurs(await response.json()) ? 'ours' : 'other';
  } catch (error) {
    return error instanceof DOMException && error.name === 'TimeoutError' ? 'silent' : 'other';
  }
}
