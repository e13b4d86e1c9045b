import { type ChildProcess, spawn } from 'node:child_process';
import { createReadStream, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { k6Environment, type K6Target } from '../k6/target.ts';
import { Recorded } from './recorded.ts';
import type { Scenario } from './scenarios.ts';
import type { Summary } from './thresholds.ts';

const SCRIPTS = fileURLToPath(new URL('../../k6/', import.meta.url));
/** Exit code of k6 when it has run to its end and a threshold was crossed. */
const CROSSED = 99;
const MAX_OUTPUT = 4_000;
/** Those that thresholds name must be in the summary. */
const TREND_STATS = ['--summary-trend-stats', 'avg,min,med,max,p(90),p(95),p(99)'];

/** What k6 left behind. `problem` says why it did not come to its end. */
export type K6Result = { recorded: Recorded; summary: Summary | undefined; problem: string | undefined };

/** A run of k6, with a folder for what it writes. */
export class K6Run implements Disposable {
  readonly pid: number;
  readonly #folder: string;
  readonly #ended: Promise<number | null>;
  #output = '';

  constructor(k6: string, scenario: Scenario, load: { target: K6Target; perSecond: number; seconds: number }) {
    this.#folder = mkdtempSync(join(tmpdir(), 'innkeeper-load-'));
    const env = {
      ...k6Environment(load.target),
      ...scenario.env,
      RATE: String(load.perSecond),
      DURATION: `${load.seconds}s`,
      GOALS: '1',
    };
    const args = ['run', '--quiet', '--no-color', '--system-tags', 'status,expected_response', ...TREND_STATS];
    const files = ['--out', `json=${this.#points}`, '--summary-export', this.#summary];
    const child = spawn(k6, [...args, ...files, `${SCRIPTS}${scenario.script}.js`], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.pid = child.pid ?? 0;
    this.#ended = ended(child);
    this.#ended.catch(() => {});
    child.stderr.on('data', (chunk: Buffer) => {
      this.#output = (this.#output + chunk.toString()).slice(-MAX_OUTPUT);
    });
  }

  get #points(): string {
    return join(this.#folder, 'points.ndjson');
  }

  get #summary(): string {
    return join(this.#folder, 'summary.json');
  }

  /** Waits for the end of k6. @throws Error when it could not be started */
  async finished(): Promise<() => Promise<K6Result>> {
    const code = await this.#ended;
    return () => this.#read(code);
  }

  async #read(code: number | null): Promise<K6Result> {
    const recorded = new Recorded();
    if (existsSync(this.#points))
      for await (const line of createInterface({ input: createReadStream(this.#points) })) recorded.take(line);
    const summary = existsSync(this.#summary)
      ? (JSON.parse(readFileSync(this.#summary, 'utf8')) as Summary)
      : undefined;
    const isWhole = (code === 0 || code === CROSSED) && summary !== undefined;
    return { recorded, summary, problem: isWhole ? undefined : `k6 ended with ${code}: ${lastError(this.#output)}` };
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code));
  });
}

/** The message of the last line that k6 logged. */
function lastError(output: string): string {
  const last = output.trim().split('\n').at(-1) ?? '';
  const message = /msg="((?:[^"\\]|\\.)*)"/.exec(last)?.[1] ?? last;
  // What follows is the stack of the script.
  return message.split(/(?:\\n)?\\tat /)[0]!.replaceAll('\\n', ' ');
}
