import { NestFactory } from '@nestjs/core';
import { ServerTCP } from '@nestjs/microservices';
import type { Logger } from 'pino';

import { NestLog } from '../http/nest-log.ts';
import { MOST_CHARACTERS } from './node-call.ts';
import type { NodeDesk } from './node-desk.ts';
import { NODE_DESK, NodeGateway } from './node-gateway.ts';
import type { NodeCertificates } from './tcp-links.ts';

/** A listener for the calls of other nodes. */
export type NodeServer = AsyncDisposable;

/** @throws Error when the port is taken */
export async function startNodeServer(
  desk: NodeDesk,
  { host, port, log, tls }: { host: string; port: number; log: Logger; tls?: NodeCertificates },
): Promise<NodeServer> {
  const strategy = new ServerTCP({
    ...{ host, port, maxBufferSize: MOST_CHARACTERS },
    ...(tls && { tlsOptions: { ...tls, requestCert: true, rejectUnauthorized: true } }),
  });
  // oxlint-disable-next-line typescript/no-extraneous-class -- Nest wants a class for each module
  const module = class NodeModule {};
  const parts = { module, controllers: [NodeGateway], providers: [{ provide: NODE_DESK, useValue: desk }] };
  const app = await NestFactory.createMicroservice(parts, {
    strategy,
    abortOnError: false,
    logger: new NestLog(log),
  });
  await app.listen();
  return { [Symbol.asyncDispose]: () => app.close() };
}
