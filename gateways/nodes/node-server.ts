import { NestFactory } from '@nestjs/core';
import { ServerTCP } from '@nestjs/microservices';
import type { Logger } from 'pino';

import { nestLog } from '../http/telemetry/nest-log.ts';
import { LinkSocket } from './link-socket.ts';
import { NODE_RPC, NodeGateway } from './node-gateway.ts';
import type { NodeRpc } from './node-rpc.ts';
import type { NodeCertificates } from './tcp-links.ts';

/** Interval of log lines about unreadable messages, which never quote them. */
const WARN_EVERY_MS = 60_000;

/** A listener for the calls of other nodes. */
export type NodeServer = AsyncDisposable;

/** @throws Error when the port is taken */
export async function startNodeServer(
  nodeRpc: NodeRpc,
  { host, port, log, tls }: { host: string; port: number; log: Logger; tls?: NodeCertificates },
): Promise<NodeServer> {
  const strategy = new ServerTCP({
    host,
    port,
    socketClass: LinkSocket,
    ...(tls && { tlsOptions: { ...tls, requestCert: true, rejectUnauthorized: true } }),
  });
  Object.assign(strategy, { logger: { error: oncePerMinute(log), warn: () => undefined } });
  // oxlint-disable-next-line typescript/no-extraneous-class -- Nest wants a class for each module
  const module = class NodeModule {};
  const parts = { module, controllers: [NodeGateway], providers: [{ provide: NODE_RPC, useValue: nodeRpc }] };
  const app = await NestFactory.createMicroservice(parts, {
    strategy,
    abortOnError: false,
    logger: nestLog(log),
  });
  await app.listen();
  return { [Symbol.asyncDispose]: () => app.close() };
}

/** Unauthenticated input may arrive at any rate, so it is logged once a minute. */
function oncePerMinute(log: Logger): () => void {
  let warnedAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - warnedAt < WARN_EVERY_MS) return;
    warnedAt = performance.now();
    log.warn('what came over the link of nodes could not be read');
  };
}
