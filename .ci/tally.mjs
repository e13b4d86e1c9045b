// Runs a test command that prints TAP, shows what failed as it comes and how far it is, and counts; `--total` prints
// the closing line.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [name, results, , ...command] = process.argv.slice(2);
const SAY_EVERY_MS = 30_000;

if (name === '--total') {
  const all = readdirSync(results)
    .filter((file) => file.endsWith('.json'))
    .map((file) => JSON.parse(readFileSync(join(results, file), 'utf8')));
  const sum = (key) => all.reduce((total, one) => total + one[key], 0);
  console.log(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
  process.exit(sum('failed') + sum('skipped') + (sum('passed') === 0 ? 1 : 0) > 0 ? 1 : 0);
}

const began = performance.now();
const child = spawn(command[0], command.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] });
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill(signal));
const counts = { passed: 0, failed: 0, skipped: 0 };
const files = { done: 0, all: '?' };
let rest = '';
let showing = 0;
/** Another part may be running beside this one. */
const say = (line) => console.log(`${name}: ${line}`);
const elapsed = () => `${((performance.now() - began) / 60_000).toFixed(1)} min`;
// A file's lines come when those before it are through, so a long one holds the count up.
const saying = setInterval(() => say(`${elapsed()}, ${files.done} of ${files.all} files`), SAY_EVERY_MS);
child.stdout.setEncoding('utf8').on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  for (const line of lines) count(line);
});

/** Assertions are the leaves: a line that closes a subtest carries its time and is not counted. */
function count(line) {
  const match = /^(\s*)(not ok|ok) \d+(.*)$/.exec(line);
  if (!match) {
    files.all = /^1\.\.(\d+)/.exec(line)?.[1] ?? files.all;
    if (showing-- > 0) say(line);
    return;
  }
  const [, indent, verdict, text] = match;
  const closing = / # time=/.test(text);
  if (indent === '') files.done += 1;
  if (/# SKIP/i.test(text)) {
    counts.skipped += 1;
    say(line);
  } else if (verdict === 'not ok') {
    if (!closing) counts.failed += 1;
    say(line);
    showing = 30;
  } else if (!closing) counts.passed += 1;
}

child.on('close', (code) => {
  clearInterval(saying);
  if ((code !== 0 || counts.passed === 0) && counts.failed === 0) counts.failed = 1;
  const file = name.replaceAll(/[^a-z0-9]+/gi, '-');
  writeFileSync(join(results, `${file}.json`), JSON.stringify(counts));
  say(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped, ${elapsed()}`);
  process.exitCode = counts.failed > 0 ? 1 : 0;
});
