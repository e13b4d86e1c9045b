import { connect } from 'node:net';
import { pino } from 'pino';
import t from 'tap';

import { quiet } from '../../src/testing/actors/running-host.ts';
import { GivenPlacement } from '../../src/testing/cluster/given-placement.ts';
import { FakeClock } from '../../src/testing/fake-clock.ts';
import { freePorts } from '../../src/testing/launch/free-ports.ts';
import { NODE_PROTOCOL } from './node-call.ts';
import { startNodeServer } from './node-server.ts';

void t.test('what strangers send fills no log, and nothing of it stands there', async (t) => {
  const [port] = (await freePorts(1)) as [number];
  const placement = new GivenPlacement({
    nodeId: 'node-a',
    incarnation: 'one',
    host: '127.0.0.1',
    port,
    role: 'all',
    protocol: NODE_PROTOCOL,
    build: 'test',
    startedAt: 0,
  });
  const lines: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
  const nodeRpc = { secret: 'secret of these nodes', placement, clock: new FakeClock(), log: quiet };
  const server = await startNodeServer(nodeRpc, { host: '127.0.0.1', port, log });
  t.teardown(() => server[Symbol.asyncDispose]());
  const before = lines.length;
  const framed = (text: string): string => `${text.length}#${text}`;
  const said = [
    framed('{"guest":"Maria Santos", broken'),
    'Maria Santos#',
    framed('{"pattern":"Maria Santos","data":{}}').repeat(50),
    framed('{"pattern":"Maria Santos","data":{},"id":"1"}'),
    framed('{"pattern":{"call":"ping"},"data":null,"id":"1"}'),
  ];
  for (const text of said) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(text);
    await new Promise((done) => setTimeout(done, 50));
    socket.destroy();
  }
  const logged = lines.slice(before);
  t.notMatch(logged.join(''), /Maria/);
  t.ok(logged.length <= 3, `${logged.length} lines`);
});
