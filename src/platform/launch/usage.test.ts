import { readFileSync } from 'node:fs';
import t from 'tap';

import { LaunchError } from './launch-error.mjs';
import { helpFor, refuseUnknownOptions } from './usage.mjs';

const { scripts } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  scripts: Record<string, string>;
};
const TASKS = Object.entries(scripts).flatMap(([script, command]) => {
  const task = /^node src\/launch\.mjs (\w+)/.exec(command)?.[1];
  return task === undefined ? [] : [{ script, task }];
});

t.test('each command of the launcher says what it takes', async (t) => {
  t.ok(TASKS.length > 10);
  for (const { script, task } of TASKS) {
    const name = script === 'start' ? 'npm start' : `npm run ${script === 'dev' ? 'start:node' : script}`;
    for (const option of ['--help', '-h']) t.match(helpFor(task, [option]), name, `${script} ${option}`);
    t.equal(helpFor(task, []), undefined);
  }
});

t.test('what a command does not know is refused, with the way to what it takes', async (t) => {
  const refused = (task: string, ...args: string[]) => t.throws(() => refuseUnknownOptions(task, args), LaunchError);
  refused('migrate', '--dry-run');
  refused('migrate', 'now');
  refused('deno', '--port', '80');
  refused('backup', '--too', 'x');
  t.throws(() => refuseUnknownOptions('export', ['--tenent', 'a']), {
    message: "Unknown option '--tenent'; what there is: npm run export -- --help",
  });
});

t.test('what it knows is let through', async () => {
  refuseUnknownOptions('deno', ['--watch']);
  refuseUnknownOptions('restore', ['--from', 'x']);
  refuseUnknownOptions('token', ['--role', 'STAFF', '--scope', 'innkeeper:agent']);
  refuseUnknownOptions('doctor', ['--json']);
  // A cluster checks its own.
  refuseUnknownOptions('cluster', ['--anything']);
});
