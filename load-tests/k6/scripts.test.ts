import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test } from 'tap';

import { K6_SCRIPTS } from './target.ts';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const folder = fileURLToPath(new URL('../../k6', import.meta.url));

type Targets = { thresholds: (endpoints: readonly string[]) => Record<string, string[]> };
const targets: Targets = await import(new URL('../../k6/targets.js', import.meta.url).href);

/** Programs for k6, as opposed to shared modules. */
const scripts = readdirSync(folder).filter((name) => read(`k6/${name}`).includes('export const options'));

void test('thresholds are the performance targets', async (t) => {
  t.same(targets.thresholds(['quote', 'create', 'modify', 'checkin']), {
    'http_reqs{endpoint:quote}': ['count>0'],
    'http_reqs{endpoint:create}': ['count>0'],
    'http_reqs{endpoint:modify}': ['count>0'],
    'http_reqs{endpoint:checkin}': ['count>0'],
    'http_req_duration{endpoint:quote}': ['p(95)<500'],
    'http_req_duration{endpoint:create}': ['p(95)<2000'],
    'http_req_duration{endpoint:modify}': ['p(95)<1000'],
    'http_req_duration{endpoint:checkin}': ['p(95)<30000'],
    http_req_failed: ['rate<0.001'],
    checks: ['rate>0.999'],
    dropped_iterations: ['count<1'],
  });
});

void test('every script has a threshold for each endpoint that it calls', async (t) => {
  t.ok(scripts.length >= 4);
  for (const name of scripts) {
    const text = read(`k6/${name}`);
    const called = [...text.matchAll(/\bcall\(\s*'(\w+)'/g)].map(([, endpoint]) => endpoint ?? '');
    const held = /thresholds\(\[([^\]]*)\]\)/.exec(text)?.[1] ?? '';
    t.same([...held.matchAll(/\w+/g)].map(String).sort(), [...new Set(called)].sort(), name);
  }
});

void test('the scripts that the page of commands and the runner name are those that are there', async (t) => {
  const line = /^\| `npm run k6 [^\n]*$/m.exec(read('docs/reference/commands.md'))?.[0] ?? '';
  for (const script of scripts.map((name) => name.replace(/\.js$/, ''))) t.match(line, `\`${script}\``);
  t.same(scripts.map((name) => name.replace(/\.js$/, '')).sort(), [...K6_SCRIPTS].sort());
});
