import { accessSync, constants, mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';

import { LaunchError } from '../launch-error.mjs';
import { freePort } from '../process/free-port.mjs';

const askWithinMs = 1_000;
const endsWithinMs = 5_000;

/**
 * A local Redis for the nodes, with persistence: jobs survive its restart.
 * @param {string} dataDir of the cluster
 * @returns {Promise<{ url: string, program: import('./supervised-program.mjs').Program }>}
 * @throws {LaunchError} when there is none on the PATH
 */
export async function localRedis(dataDir) {
  const path = onPath('redis-server');
  if (path === undefined)
    throw new LaunchError(
      "a cluster needs a Redis, and there is no redis-server on the PATH: install it (Debian's package is " +
        'redis-server), set REDIS_URL, or let the tests fetch one: npm run services -- --only redis -- npm run cluster',
    );
  const dir = join(dataDir, 'redis');
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const port = await freePort();
  const settings = { port, bind: '127.0.0.1', dir, save: '', appendonly: 'yes', daemonize: 'no' };
  const command = [path, ...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])];
  const program = {
    name: 'redis',
    command,
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
    logFile: join(dataDir, 'redis.log'),
    ready: () => answers(port),
    endsWithinMs,
    restart: true,
  };
  return { url: `redis://127.0.0.1:${port}`, program };
}

function onPath(name) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @returns {Promise<boolean>} whether it answers PONG */
function answers(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    const done = (answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(askWithinMs, () => done(false));
    socket.once('error', () => done(false)).once('data', (data) => done(data.toString().startsWith('+PONG')));
  });
}
