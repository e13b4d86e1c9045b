import { isFetched } from './cache.ts';
import { findProgram } from './debian.ts';
import { type Part, VARIABLES } from './parts.ts';
import { type Services, startServices } from './start.ts';

/** What a tap test offers for this. */
type Suite = {
  pass(message: string, extra: { skip: string }): unknown;
  fail(message: string): unknown;
  teardown(handler: () => Promise<void>): unknown;
};

const say = (line: string): void => void process.stderr.write(`services: ${line}\n`);

/** `.ci/run` sets it: there a suite that does not run is a failure. */
const required = (): boolean => process.env['REQUIRE_SERVICES'] === 'all';

/**
 * Where the parts are that `npm run services -- <command>`, or another process, has started for this process.
 * @returns the value of each part's variable; undefined when one is missing: the suite is skipped then, and says so
 */
export function servicesOrSkip<P extends Part>(t: Suite, parts: readonly P[]): Record<P, string> | undefined {
  const missing = parts.filter((part) => !process.env[VARIABLES[part]]);
  if (missing.length === 0)
    return Object.fromEntries(parts.map((part) => [part, process.env[VARIABLES[part]]])) as Record<P, string>;
  return without(t, `${missing.map((part) => VARIABLES[part]).join(', ')} not set`);
}

/**
 * Parts of the test's own, which it may end and start again. They are fetched only where they are required: a test run
 * on a train is not to begin with 150 MB.
 */
export async function ownServicesOrSkip(t: Suite, only: readonly Part[]): Promise<Services | undefined> {
  if (!areThere(t, only)) return undefined;
  const services = await startServices({ only, say });
  t.teardown(async () => services[Symbol.asyncDispose]());
  return services;
}

/** Whether a test may start these parts itself; if not, its suite is skipped, and says so. */
export function areThere(t: Suite, only: readonly Part[]): boolean {
  const missing = only.filter((part) => !isThere(part));
  if (missing.length === 0 || required()) return true;
  without(t, `${missing.join(', ')} not there yet`);
  return false;
}

function isThere(part: Part): boolean {
  if (part === 'postgres') return true;
  if (part === 'redis') return findProgram('redis-server') !== undefined;
  return findProgram('java') !== undefined && isFetched[part]();
}

function without(t: Suite, what: string): undefined {
  const line = `${what}; npm run services -- npm test brings the real parts`;
  if (required()) t.fail(`REQUIRE_SERVICES=all, but ${line}`);
  else {
    t.pass('real services', { skip: line });
    // Reporters fold skips away: the last line of the file says it again.
    process.once('exit', () => say(`SKIPPED a suite: ${line}`));
  }
  return undefined;
}
