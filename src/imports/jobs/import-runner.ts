import type { ItemRunner } from '../../kernel/operations/item-runner.ts';
import type { Services } from '../../kernel/operations/services.ts';
import { isDatabaseUnavailable } from '../../kernel/rules/database-unavailable.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import { ImportEnded } from '../operations/import-progress.ts';
import { runImport } from '../operations/run-import.ts';
import type { ImportRun } from '../ports.ts';

/** Interval of looking for imports that no node runs. */
export const IMPORTS_MS = 1_000;
/** Time after which another node takes an import whose node is gone, and how often a lease is renewed. */
const LEASE_MS = 15_000;
const TOUCH_MS = 4_000;
/** Imports that a node runs at a time. */
const MAX_AT_ONCE = 2;
/** Failures in a row without progress. */
const MAX_ATTEMPTS = 5;
/** What was sent of a failed import, and reports, are retained for so long; how often that is looked after. */
const UPLOADS_MS = 7 * 86_400_000;
const REPORTS_MS = 90 * 86_400_000;
const FORGET_MS = 3_600_000;
/** Tenants whose old imports are removed in one look. */
const MAX_FORGOTTEN = 100;

/** Runs imports behind their answers, each leased to one node; a crash leaves it to the next node that looks. */
export class ImportRunner implements AsyncDisposable {
  readonly #services: () => Services;
  readonly #ended = new AbortController();
  readonly #running = new Map<string, Promise<void>>();
  /** By the service's clock. */
  #forgottenAt = -Infinity;

  /** @param services resolved when an import runs */
  constructor(services: () => Services) {
    this.#services = services;
  }

  /** Takes imports that no node runs; they go on behind this. */
  async look(each: ItemRunner): Promise<void> {
    const { imports } = this.#services();
    const free = MAX_AT_ONCE - this.#running.size;
    if (free <= 0 || this.#ended.signal.aborted) return;
    for (const { tenantId, importId } of await imports.waiting(free))
      await each.one(`${tenantId} import ${importId}`, async () => {
        const run = await imports.take(tenantId, importId, LEASE_MS);
        if (run) this.#begin(run);
      });
    await this.#forget(each);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    await Promise.all(this.#running.values());
  }

  /** Removes what nobody may keep for longer, also of tenants that import nothing more. */
  async #forget(each: ItemRunner): Promise<void> {
    const { imports, clock } = this.#services();
    const now = clock.now();
    if (now - this.#forgottenAt < FORGET_MS) return;
    const [uploads, reports] = [now - UPLOADS_MS, now - REPORTS_MS];
    for (const tenantId of await imports.tenantsWithOld(uploads, reports, MAX_FORGOTTEN))
      await each.one(`${tenantId} old imports`, () => imports.forget(tenantId, uploads, reports));
    this.#forgottenAt = now;
  }

  #begin(run: ImportRun): void {
    const { imports, log } = this.#services();
    const lost = new AbortController();
    const signal = AbortSignal.any([lost.signal, this.#ended.signal]);
    const touch = async (): Promise<void> => {
      if (!(await imports.touch(run, LEASE_MS))) lost.abort();
    };
    const timer = setInterval(() => void touch().catch(() => undefined), TOUCH_MS);
    timer.unref();
    const running = this.#run(run, signal)
      .catch((error: unknown) => log.warn({ importId: run.importId, err: error }, 'an import was interrupted'))
      .finally(() => {
        clearInterval(timer);
        this.#running.delete(run.importId);
      });
    this.#running.set(run.importId, running);
  }

  async #run(run: ImportRun, signal: AbortSignal): Promise<void> {
    const services = this.#services();
    const { imports } = services;
    try {
      await runImport(services, run, signal);
    } catch (error) {
      if (error instanceof ImportEnded || signal.aborted || isDatabaseUnavailable(error)) return;
      const attempts = await imports.failed(run);
      // The text of another error may contain what was sent.
      const failure = error instanceof DomainError ? error.message.slice(0, 200) : 'An internal error.';
      if (attempts >= MAX_ATTEMPTS) await imports.finish(run, 'FAILED', failure);
      throw error;
    }
  }
}
