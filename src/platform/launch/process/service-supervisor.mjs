import { readFileSync, rmSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';

import { exitCodes } from '../exit-codes.mjs';
import { runService } from '../service.mjs';
import { following, pause } from './pause.mjs';
import { patientStarts, RestartBudget } from './restart-budget.mjs';

/** Who ends the service by one of these wants it to end. */
const wanted = new Set([0, ...['SIGTERM', 'SIGINT', 'SIGHUP'].map((signal) => 128 + constants.signals[signal])]);
const readyCheckMs = 100;

/** @typedef {{ words: readonly string[], env: Readonly<Record<string, string | undefined>> }} Command */
/**
 * @typedef {object} SuperviseService
 * @property {string} dataDir
 * @property {() => Command | Promise<Command>} command asked before each start: the address of the database may be another one
 * @property {AbortSignal} stop
 * @property {() => AbortSignal} [moved] for the run that begins now: it is to be stopped and started with a new
 * command
 * @property {import('./lock.mjs').Lock} lock
 * @property {(line: string) => void} log
 * @property {{ up(): Promise<unknown> }} [database] waited for before the service is started again
 * @property {number} [drainMs]
 * @property {import('./restart-budget.mjs').RestartLimits} [limits]
 */

/**
 * Runs the service and starts it again when it dies by itself: killed, out of memory, a panic of its runtime. It is not
 * started again after an orderly end, and not when it never got ready, unless the database was away: then it has said
 * what is wrong.
 * @param {SuperviseService} options
 * @returns {Promise<number>} its last exit code; 128 + n when signal n ended it
 */
export async function superviseService({ dataDir, command, stop, moved, lock, log, database, drainMs, limits }) {
  const crashes = new RestartBudget(limits);
  // A start that fails harms nobody, and what hinders it, such as a database that is away, may take long.
  const starts = new RestartBudget({ ...patientStarts, ...limits?.starts });
  let wasReady = false;
  for (;;) {
    const marker = new ReadyMarker(dataDir);
    const move = moved?.();
    const one = following(stop, move);
    const { words, env } = await command();
    let pid;
    let isReady = false;
    const onReady = () => {
      isReady = true;
      lock.noteService(pid);
    };
    const onStart = (started) => {
      pid = started;
      lock.noteService(pid, wasReady);
      marker.watch(pid, onReady);
    };
    const code = await runService(words, { env, stop: one.signal, drainMs, onStart });
    isReady ||= marker.isReady(pid);
    wasReady ||= isReady;
    marker.end();
    one.end();
    if (stop.aborted) return code;
    if (move?.aborted) continue;
    if (wanted.has(code)) return code;
    const how = code > 128 ? `signal ${code - 128}` : `exit code ${code}`;
    if (!wasReady && code !== exitCodes.databaseAway) {
      log(`the service ended (${how}) before it was ready; it is not started again`);
      return code;
    }
    // One that dies often is started again more slowly, with the patience of starts that fail.
    const next = (isReady && crashes.take()) || starts.take();
    if (!next) {
      log(
        `the service ended (${how}) and was started again ${starts.limit} already: it stays down; see its log above`,
      );
      return code;
    }
    lock.noteService(pid, true);
    // It says where a service is that is up.
    rmSync(join(dataDir, 'dev.json'), { force: true });
    log(`the service ended (${how}); starting it again in ${next.pauseMs / 1000} s (${next.words})`);
    await pause(next.pauseMs, stop);
    await database?.up();
    if (stop.aborted) return 0;
  }
}

/** The file by which the service says that it is up; it holds its process id. */
class ReadyMarker {
  #path;
  #timer;

  /** @param {string} dataDir */
  constructor(dataDir) {
    this.#path = join(dataDir, 'service.ready');
    rmSync(this.#path, { force: true });
  }

  watch(pid, onReady) {
    this.#timer = setInterval(() => {
      if (!this.isReady(pid)) return;
      clearInterval(this.#timer);
      onReady();
    }, readyCheckMs);
  }

  isReady(pid) {
    try {
      return pid !== undefined && Number(readFileSync(this.#path, 'utf8')) === pid;
    } catch {
      return false;
    }
  }

  end() {
    clearInterval(this.#timer);
    rmSync(this.#path, { force: true });
  }
}
