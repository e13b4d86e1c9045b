import { LaunchError } from '../launch-error.mjs';
import { pause } from '../process/pause.mjs';
import { patientStarts, RestartBudget } from '../process/restart-budget.mjs';
import { isDiskFull, untilDiskRoom } from './disk-room.mjs';

/**
 * @typedef {object} SuperviseDatabase
 * @property {(line: string) => void} log
 * @property {AbortSignal} [stop] from then on it is not started again
 * @property {() => void} [onMoved] it came back on another port, because a program has taken the old one
 * @property {import('../process/restart-budget.mjs').RestartLimits} [limits]
 */

/**
 * Restarts an embedded PostgreSQL that ended by itself (killed, out of memory), on the same port, until it is stopped.
 * A frozen or slow one is left alone.
 */
export class DatabaseSupervisor {
  #database;
  #log;
  #budget;
  #startLimits;
  #starts;
  #ending = new AbortController();
  #failed = new AbortController();
  #up = Promise.resolve();
  #onMoved;
  #loop;

  /**
   * @param {import('./postgres.mjs').EmbeddedPostgres} database
   * @param {SuperviseDatabase} options
   */
  constructor(database, { log, stop, onMoved, limits = {} }) {
    this.#database = database;
    this.#onMoved = onMoved;
    this.#log = log;
    this.#budget = new RestartBudget({ firstPauseMs: 250, longestPauseMs: 8_000, ...limits });
    this.#startLimits = { ...patientStarts, ...limits.starts };
    this.#starts = new RestartBudget(this.#startLimits);
    if (stop?.aborted) this.#ending.abort();
    stop?.addEventListener('abort', () => this.#ending.abort(), { once: true });
    this.#loop = this.#watch();
  }

  /** @returns {string} */
  get url() {
    return this.#database.url;
  }

  /** Aborts when the database cannot be restarted; its reason is the signal for the service. */
  get failed() {
    return this.#failed.signal;
  }

  /**
   * Resolves once a restart under way has completed; at once when there is none.
   * @returns {Promise<unknown>}
   */
  up() {
    return this.#up;
  }

  /** @param {number} [withinMs] */
  async stop(withinMs) {
    this.#ending.abort();
    await this.#loop;
    await this.#database.stop(withinMs);
  }

  async #watch() {
    for (;;) {
      const how = await this.#database.ended(this.#ending.signal);
      if (this.#ending.signal.aborted) return;
      this.#up = this.#restart(how);
      if (await this.#up) continue;
      if (!this.#ending.signal.aborted) this.#failed.abort('SIGTERM');
      return;
    }
  }

  /** @returns {Promise<boolean>} false when the database was stopped, or given up */
  async #restart(how) {
    let said = `PostgreSQL ended (${how})`;
    // One that dies often is started again more slowly, with the patience of starts that fail.
    for (let next = this.#budget.take() ?? this.#starts.take(); ; next = this.#starts.take()) {
      if (!next) {
        this.#log(
          `${said}; it was started again ${this.#starts.limit} already, so the service ends now. ` +
            `Look for memory and disk space, and into ${this.#database.logFile}; then start again`,
        );
        return false;
      }
      this.#log(`${said}; starting it again (${next.words})`);
      await pause(next.pauseMs, this.#ending.signal);
      if (this.#ending.signal.aborted) return false;
      try {
        const { port } = this.#database;
        await this.#database.startAgain(this.#ending.signal);
        const moved = this.#database.port !== port;
        this.#log(
          `PostgreSQL is back (process ${this.#database.pid}${moved ? `, port ${this.#database.port}` : ''})`,
        );
        if (moved) this.#onMoved?.();
        return true;
      } catch (error) {
        if (this.#ending.signal.aborted) return false;
        said = error instanceof LaunchError ? error.message : `PostgreSQL does not start: ${error.message}`;
        await this.#waitForRoom(said);
      }
    }
  }

  /** Starts on a full disk fail, and must not use up the budget: it may stay full for days. */
  async #waitForRoom(said) {
    const { cluster } = this.#database;
    if (!isDiskFull(cluster)) return;
    this.#log(`${said}; its disk is full, waiting for room`);
    await untilDiskRoom(cluster, this.#ending.signal);
    this.#starts = new RestartBudget(this.#startLimits);
  }
}
