// Runs a test command that prints TAP, shows what failed as it comes, and counts; `--total` prints the closing line.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [name, results, , ...command] = process.argv.slice(2);

if (name === '--total') {
  const all = readdirSync(results)
    .filter((file) => file.endsWith('.json'))
    .map((file) => JSON.parse(readFileSync(join(results, file), 'utf8')));
  const sum = (key) => all.reduce((total, one) => total + one[key], 0);
  console.log(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
  process.exit(sum('failed') + sum('skipped') + (sum('passed') === 0 ? 1 : 0) > 0 ? 1 : 0);
}

const child = spawn(command[0], command.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] });
const counts = { passed: 0, failed: 0, skipped: 0 };
let rest = '';
let showing = 0;
child.stdout.setEncoding('utf8').on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  for (const line of lines) count(line);
});

/** Assertions are the leaves: a line that closes a subtest carries its time and is not counted. */
function count(line) {
  const match = /^\s*(not ok|ok) \d+(.*)$/.exec(line);
  if (!match) {
    if (showing-- > 0) console.log(line);
    return;
  }
  const [, verdict, text] = match;
  const closing = / # time=/.test(text);
  if (/# SKIP/i.test(text)) {
    counts.skipped += 1;
    console.log(line);
  } else if (verdict === 'not ok') {
    if (!closing) counts.failed += 1;
    console.log(line);
    showing = 30;
  } else if (!closing) counts.passed += 1;
}

child.on('close', (code) => {
  if (code !== 0 && counts.failed === 0) counts.failed = 1;
  const file = name.replaceAll(/[^a-z0-9]+/gi, '-');
  writeFileSync(join(results, `${file}.json`), JSON.stringify(counts));
  console.log(`${name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  process.exitCode = counts.failed > 0 ? 1 : 0;
});
