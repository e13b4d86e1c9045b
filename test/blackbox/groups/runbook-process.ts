import type { Test } from 'tap';

import { isAlive, trySignal } from '../launched.ts';
import type { BlackboxProperty } from '../property.ts';
import { RunbookPage } from '../runbook-page.ts';
import type { Service } from '../service.ts';
import { pause, until } from '../waiting.ts';

/** Longer than the half second of EventLoopBlocked, shorter than a lease. */
const STANDS_STILL_MS = 900;
const GOES_ON_MS = 300;
const SEEN_WITHIN_MS = 30_000;
const GONE_WITHIN_MS = 15_000;

/** Pages about a process that stands still or is gone. */
export async function runbookProcess(group: Test, service: Service, property: BlackboxProperty): Promise<void> {
  await group.test('EventLoopBlocked: the process stands still again and again', async (t) => {
    const page = new RunbookPage(t, service, 'EventLoopBlocked');
    const delayMs = await until('the loop is seen to stand still', SEEN_WITHIN_MS, async () => {
      trySignal(service.dev.pid, 'SIGSTOP');
      await pause(STANDS_STILL_MS);
      trySignal(service.dev.pid, 'SIGCONT');
      await pause(GOES_ON_MS);
      const ms = await page.figure('event_loop_delay');
      return ms > 500 ? ms : undefined;
    });
    t.ok(delayMs > 500, `${delayMs} ms`);
    page.command('process_memory_rss');
    page.command('ms');
    t.ok((await page.figureIs('event_loop_delay', (ms) => ms < 500)) < 500, 'it goes on by itself');
    t.equal((await property.bookUntilDecided({ from: 46 })).status, 201);
  });

  await group.test('InnkeeperDown: the process is gone', async (t) => {
    const page = new RunbookPage(t, service, 'InnkeeperDown');
    const place = new URL(service.dev.reservationUrl).host;
    const asked = 'curl -si http://HOST:PORT/actuator/health/liveness';
    t.match(await page.shell(asked, { 'HOST:PORT': place }), /200 OK/);
    const { pid } = service.dev;
    await service.killHard();
    await until('it is gone', GONE_WITHIN_MS, () => (isAlive(pid) ? undefined : true));
    await t.rejects(page.shell(asked, { 'HOST:PORT': place }), 'nobody answers');
    await service.up();
    const back = new URL(service.dev.reservationUrl).host;
    t.match(await page.shell(asked, { 'HOST:PORT': back }), /200 OK/, 'the remedy: it was started again');
    t.equal((await property.bookUntilDecided({ from: 47 })).status, 201);
  });
}
