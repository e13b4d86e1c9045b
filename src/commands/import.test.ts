import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';

import { nodeCommand } from '../platform/launch/runtimes.mjs';

const ANSWER = {
  importId: 'import-1',
  status: 'RUNNING',
  counts: { created: 1, unchanged: 0, changed: 0, refused: 0 },
  reconciliation: null,
  failure: null,
  dryRun: false,
  done: 0,
  lines: 1,
};

/** Sends a file to a service whose answers to the first look are these, before it says that all is done. */
async function imported(first: readonly ('hangs up' | 503)[]): Promise<{ stdout: string; stderr: string }> {
  const left = [...first];
  const server = createServer((request, response) => {
    request.resume();
    const next = request.method === 'GET' ? left.shift() : undefined;
    if (next === 'hangs up') return void request.socket.destroy();
    const status = next ?? (request.method === 'POST' ? 202 : 200);
    const ended = request.method === 'GET' ? { ...ANSWER, status: 'COMPLETED' } : ANSWER;
    response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
    response.end(JSON.stringify(status === 503 ? { detail: 'The service starts.' } : { ...ended, items: [] }));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const folder = mkdtempSync(join(tmpdir(), 'innkeeper-import-'));
  try {
    writeFileSync(join(folder, 'moved.zip'), 'PK');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const wanted = ['moved.zip', '--property', 'resort', '--url', url];
    const [program = '', ...args] = nodeCommand('src/commands/import.ts', wanted);
    const env = { PATH: process.env['PATH'] ?? '', ACCESS_TOKEN: 'a token', INIT_CWD: folder };
    return await promisify(execFile)(program, args, { env });
  } finally {
    server.close();
    rmSync(folder, { recursive: true });
  }
}

t.test('an import is waited for while the service is away, and its id is said at the beginning', async (t) => {
  const { stdout, stderr } = await imported(['hangs up', 503, 'hangs up']);
  t.match(stderr, /^import-1 has begun, and goes on without this command/);
  t.match(stdout, /^Import import-1 COMPLETED\n {2}1 created/);
});
