import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';

type Teardown = { teardown(work: () => void): void };

export const asRoot = process.getuid?.() === 0;
/** The launcher's programs, with a trailing slash. */
export const launchFolder = fileURLToPath(new URL('../../platform/launch/', import.meta.url));

/** A folder with access for other accounts, unlike that of mkdtemp; removed at the end of the test. */
export function throwAwayFolder(t: Teardown, mode = 0o755): string {
  const folder = mkdtempSync(join(tmpdir(), 'innkeeper-launch-'));
  chmodSync(folder, mode);
  t.teardown(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  return folder;
}

export async function query(url: string, sql: string): Promise<Record<string, string>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** A zombie counts as gone: it holds no resources, and in a container it may never be reaped. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    if (process.platform !== 'linux') return true;
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

export async function eventually(what: () => boolean, withinMs = 120_000): Promise<boolean> {
  for (const deadline = Date.now() + withinMs; Date.now() < deadline; await sleep(20)) if (what()) return true;
  return what();
}

/** Runs plain JavaScript with this Node in a process group of its own, as a shell runs a command. */
export function runGroup(
  folder: string,
  source: string,
  env: NodeJS.ProcessEnv = {},
  user?: { uid: number; gid: number },
) {
  const script = join(folder, `script-${Math.random().toString(36).slice(2)}.mjs`);
  writeFileSync(script, source);
  const { NODE_OPTIONS: _tap, ...inherited } = process.env;
  const child = spawn(process.execPath, [script], {
    env: { ...inherited, ...env },
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  });
  const pid = child.pid ?? 0;
  const out = { text: '', errors: '' };
  child.stdout.on('data', (chunk: Buffer) => (out.text += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (out.errors += chunk.toString()));
  let ended = false;
  const end = once(child, 'close').then(([code, signal]) => {
    ended = true;
    return (code ?? signal) as number | string;
  });
  return {
    pid,
    out,
    end,
    /** Signals the whole group, as Ctrl-C does. */
    signal: (name: NodeJS.Signals) => process.kill(-pid, name),
    /** Waits for output; false when the process or the time ends before. */
    async said(words: string | RegExp, withinMs = 120_000): Promise<boolean> {
      const found = () => out.text.match(words) !== null || out.errors.match(words) !== null;
      await eventually(() => found() || ended, withinMs);
      return found();
    },
  };
}
