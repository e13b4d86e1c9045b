import { join } from 'node:path';
import type { Page } from 'playwright-core';
import t from 'tap';

import { worstContrast } from '../../src/testing/live/contrast.ts';
import {
  browserFor,
  checkWithAxe,
  openPage,
  PAGE_FILE_MS,
  pageTestOptions,
} from '../../src/testing/live/page-browser.ts';
import { OPERATOR, shardsOf } from '../../src/testing/live/scripted-cluster.ts';
import { bundlePage, scriptedPage } from '../../src/testing/live/scripted-page.ts';

t.setTimeout(PAGE_FILE_MS);

const dir = t.testdir();
await bundlePage(dir);
const today = Math.floor(Date.now() / 86_400_000);

const READ = '.operations :is(dt, dd, p, h2, h3 span, li, button, small, time), .connection span, .panel *';

async function enter(page: Page, token: string): Promise<void> {
  await page.getByLabel('Operator token').fill(token);
  await page.getByRole('button', { name: 'Show the nodes' }).click();
}

t.test('the operations view', pageTestOptions, async (t) => {
  const browser = await browserFor(t);

  t.test('asks once for the token, keeps it in the tab, and never puts it into an address', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page, complaints } = await openPage(browser, `${world.url}/ops`);
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    await page.getByText(/operatorToken.* in the file dev\.json/).waitFor();
    await page.getByLabel('Operator token').focus();
    await page.keyboard.type(OPERATOR);
    await page.keyboard.press('Enter');
    await page.locator('.node').first().waitFor();
    t.equal(await page.locator('.node').count(), 3);
    t.equal(page.url(), `${world.url}/ops`);
    await page.reload();
    await page.locator('.node').first().waitFor();
    t.notMatch(addresses.join('\n'), OPERATOR);
    t.equal(await page.evaluate('localStorage.length'), 0, 'other tabs know nothing of it');
    await page.getByRole('button', { name: 'Forget the token' }).click();
    await page.getByLabel('Operator token').waitFor();
    t.equal(await page.evaluate('sessionStorage.length'), 0);
    t.strictSame(complaints, []);
  });

  t.test('shows what each node says, and all shards by their nodes', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page, complaints } = await openPage(browser, `${world.url}/ops`);
    await enter(page, OPERATOR);
    const birch = page.locator('.node').nth(1);
    t.match(await birch.textContent(), /birch-00.*up.*10\.0\.0\.2:7000, all.*0\.1\.0 on Deno 2\.9\.6, up 91 s/);
    const text = await birch.locator('dl').textContent();
    t.match(text, /Leaseheld, 0\.4 s old/);
    t.match(text, /View12, 3 members/);
    t.match(text, /Resident properties121/);
    t.match(text, /Events behind3, oldest 1 s/);
    t.match(text, /Roundsall on time/);
    t.match(text, /paymentService down/);
    t.match(text, /BreakerspaymentService half open$/);
    const of = (index: number) => page.locator('.node').nth(index).locator('dl').textContent();
    t.match(await of(0), /Breakersnone$/);
    t.match(await of(2), /Breakersall closed$/);
    t.match(await of(2), /Roundsnot known/, 'a node of the version before');
    const ids = world.cluster.answer.reports.map(({ nodeId }) => nodeId);
    const name = await page.getByRole('img').getAttribute('aria-label');
    t.equal(name, `1,024 shards: ${ids.map((id) => `${id} has ${shardsOf(id, ids).length}`).join(', ')}`);
    t.match(await page.locator('.take-overs').textContent(), /alder-00 took over from dogwood-: its lease ran out/);

    const mark = page.getByRole('button', { name: /^Show the shards of birch-00/ });
    await mark.focus();
    await page.keyboard.press('Enter');
    t.equal(await page.locator('.shards-map path[data-dim]').count(), 2, 'those of the others step back');
    t.ok(await birch.getAttribute('data-marked'));

    world.cluster.answer.reports[1]!.actors.awake = 4_321;
    await birch.getByText('4,321').waitFor();
    t.strictSame(complaints, []);
  });

  t.test('names what is wrong, and says what to do', async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page } = await openPage(browser, `${world.url}/ops`);
    const alert = page.getByRole('alert');
    await enter(page, 'demo:OWNER');
    await alert.getByText(/has not the scope innkeeper:operate\. Get one that has/).waitFor();
    await enter(page, 'nonsense');
    await alert.getByText(/does not accept this token/).waitFor();
    await enter(page, OPERATOR);
    await page.locator('.node').first().waitFor();
    t.equal(await alert.textContent(), '');

    const { answer } = world.cluster;
    const [gone, other] = answer.reports.splice(0, 1).concat(answer.reports);
    Object.assign(answer, { missing: [{ nodeId: gone!.nodeId, why: 'no answer within 1 s' }] });
    other!.view.version = 13;
    other!.lease.held = false;
    other!.relay.stopped = 2;
    other!.rounds = [{ name: 'daily-check', ageSeconds: 250, everyMs: 60_000, late: true }];
    other!.shards.push(answer.reports[1]!.shards[0]!);
    const concerns = page.locator('.concerns');
    await concerns.getByText(/alder-0001 does not answer: no answer within 1 s\. .*start it again/).waitFor();
    const said = await concerns.textContent();
    t.match(said, /different views of the cluster \(12, 13\).*look at Redis/);
    t.match(said, /birch-0002 has no lease/);
    t.match(said, /Regular work of birch-0002 is late: daily-check, 4 min\. See jobs and rounds/);
    t.match(await page.locator('.node').nth(0).locator('dl').textContent(), /Roundslate: daily-check, 4 min/);
    t.match(said, /Events of 2 properties cannot be sent by birch-0002: see kafka/);
    t.match(said, new RegExp(`${gone!.shards.length} shards belong to no node`));
    t.match(said, /1 shard is claimed by two nodes/);

    world.cluster.status = 503;
    await alert.getByText(/answered 503\. It is retried every two seconds/).waitFor();
    await page.locator('.connection[data-state=offline]').waitFor();
    t.match(await page.locator('.connection').textContent(), /As of \d+ s ago/);
    t.equal(await page.locator('.node').count(), 2, 'what was known stays');
    world.cluster.status = 200;
    await page.locator('.connection[data-state=live]').waitFor();
    t.equal(await alert.textContent(), '');
    world.cluster.status = 401;
    await page.getByLabel('Operator token').waitFor();
    t.equal(await page.locator('.node').count(), 2, 'also when the token has expired');
  });

  for (const [colorScheme, width, height] of [
    ['light', 1440, 900],
    ['dark', 1440, 900],
    ['light', 390, 844],
    ['dark', 390, 844],
  ] as const) {
    t.test(`can be read by everybody: ${colorScheme}, ${width} x ${height}`, async (t) => {
      await using world = await scriptedPage(dir, today);
      const { page } = await openPage(browser, `${world.url}/ops`, { colorScheme, viewport: { width, height } });
      await page.getByLabel('Operator token').waitFor();
      await checkWithAxe(t, page);
      await page.screenshot({ path: join(dir, `token-${colorScheme}-${width}.png`) });
      await enter(page, OPERATOR);
      await page.locator('.node').first().waitFor();
      Object.assign(world.cluster.answer, { missing: [{ nodeId: 'elm-0005', why: 'no answer within 1 s' }] });
      await page.locator('.concerns').waitFor();
      await checkWithAxe(t, page);
      const worst = await worstContrast(page, READ);
      t.ok(worst.ratio >= 4.5, `worst contrast ${worst.ratio.toFixed(2)} at ${worst.text}`);
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      t.ok(overflow <= 0, 'the page itself never scrolls sideways');
      await page.screenshot({ path: join(dir, `${colorScheme}-${width}.png`), fullPage: true });
    });
  }
});
