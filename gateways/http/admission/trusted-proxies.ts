import proxyAddr from '@fastify/proxy-addr';
import type { IncomingMessage } from 'node:http';

import { countedAddress } from './client-address.ts';

/** `TRUST_PROXY`: the number of proxies in front, or their addresses and networks. */
type TrustProxy = number | readonly string[];

/** Whether the sender of a request, or of what it forwards, is a trusted proxy; `hop` counts outwards. */
export type TrustsProxy = (address: string, hop: number) => boolean;

/** Without a setting no proxy is trusted: the peer of the connection is the client. */
export function trustedBy(setting: TrustProxy | undefined): TrustsProxy {
  if (setting === undefined) return () => false;
  return typeof setting === 'number' ? (_, hop) => hop < setting : proxyAddr.compile([...setting]);
}

/** The client of a WebSocket upgrade, by the same rule as Fastify's `request.ip`, as it is counted. */
export function clientOf(trusts: TrustsProxy): (request: IncomingMessage) => string {
  return (request) => countedAddress(proxyAddr(request, trusts));
}
