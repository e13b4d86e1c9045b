import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { test } from 'tap';

import { AcceptWatch } from './accept-watch.ts';

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const fast = { log: quiet, tryEveryMs: 60, checks: 4 };

async function listening(): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

void test('a listener that accepts is left alone, one that is closed too', async (t) => {
  using watch = new AcceptWatch(fast);
  const open = await listening();
  const closed = await listening();
  watch.add('open', open);
  watch.add('closed', closed);
  await new Promise((done) => closed.close(done));
  const found = await Promise.race([watch.listenerFailed, new Promise((done) => setTimeout(done, 600, 'nothing'))]);
  t.equal(found, 'nothing');
  await new Promise((done) => open.close(done));
});

void test('a listener that accepts nobody any more is named', async (t) => {
  using watch = new AcceptWatch(fast);
  const server = await listening();
  watch.add('rate', server);
  // As if accepting had ended: what comes waits in the backlog of the system.
  server.emit = () => true;
  t.equal(await watch.listenerFailed, 'rate');
  Reflect.deleteProperty(server, 'emit');
  await new Promise((done) => server.close(done));
});
