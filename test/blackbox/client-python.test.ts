import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';

import { pythonPrograms } from '../services/python.ts';
import { BlackboxProperty } from './property.ts';
import { Service } from './service.ts';

t.setTimeout(300_000);

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

/** docs/reference/client.md#python */
void t.test('types for Python are made from the documents, as the page says', async (t) => {
  const service = await Service.start();
  t.teardown(() => service.remove());
  const { propertyId } = await BlackboxProperty.open(service);
  const programs = pythonPrograms(['datamodel-code-generator==0.89.0', 'mypy==2.4.1']);
  const cwd = mkdtempSync(join(tmpdir(), 'innkeeper-python-'));
  t.teardown(() => rmSync(cwd, { recursive: true, force: true }));
  const { rateUrl: RATE_URL, reservationUrl: RESERVATION_URL } = service.dev;
  const said = readFileSync(join(root, 'docs/reference/client.md'), 'utf8');
  const [, commands = ''] = /## Python[^]*?```sh\n([^]*?)```/.exec(said) ?? [];
  t.match(commands, 'datamodel-codegen');
  const made = commands.replace(/^pip .*\n/m, '').replace(/^TOKEN=.*\n?/m, '');
  const token = service.token('demo', 'STAFF');
  const env = { PATH: `${programs}:${process.env['PATH']}`, TOKEN: token, PROPERTY: propertyId };
  const addresses = { RATE_URL, RESERVATION_URL };
  const text = made
    .replaceAll('http://127.0.0.1:8083', RATE_URL)
    .replaceAll('http://127.0.0.1:8084', RESERVATION_URL);
  await run('bash', ['-euc', text], { cwd, env });
  copyFileSync(join(root, 'examples/client/book.py'), join(cwd, 'book.py'));
  const mypy = (file: string) =>
    run(join(programs, 'mypy'), ['--strict', '--follow-imports=silent', file], { cwd, env }).then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    );
  t.equal(await mypy('book.py'), '');
  const wrong = readFileSync(join(cwd, 'book.py'), 'utf8').replace('"adults": 2', '"adults": "2"');
  writeFileSync(join(cwd, 'wrong.py'), wrong);
  t.match(await mypy('wrong.py'), 'Found 1 error in 1 file');
  const { stdout } = await run(join(programs, 'python'), ['book.py'], { cwd, env: { ...env, ...addresses } });
  t.match(stdout, /^\w+ \w+: [\d.]+ EUR\nbooked for [\d.]+\n$/);
});
