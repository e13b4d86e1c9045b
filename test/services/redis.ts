import { mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';

import { freePorts } from '../../src/testing/launch/free-ports.ts';
import { requireProgram } from './debian.ts';
import type { Ledger } from './ledger.ts';
import { Program } from './program.ts';

const ASK_WITHIN_MS = 2_000;

/** Debian's Redis, in memory alone. */
export class Redis extends Program {
  /** What REDIS_URL would be. */
  readonly url: string;

  private constructor(ledger: Ledger, port: number) {
    const dir = join(ledger.folder, 'redis');
    mkdirSync(dir, { recursive: true });
    const settings = { port, bind: '127.0.0.1', dir, save: '', appendonly: 'no', daemonize: 'no' };
    super(ledger, {
      name: 'redis',
      command: [
        requireProgram('redis-server'),
        ...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]),
      ],
      ready: () => isReady(port),
    });
    this.url = `redis://127.0.0.1:${port}`;
  }

  static async start(ledger: Ledger): Promise<Redis> {
    const [port] = (await freePorts(1)) as [number];
    const redis = new Redis(ledger, port);
    await redis.start();
    return redis;
  }
}

function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    const done = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(ASK_WITHIN_MS, () => done(false));
    socket.once('error', () => done(false)).once('data', (data: Buffer) => done(data.toString().startsWith('+PONG')));
  });
}
