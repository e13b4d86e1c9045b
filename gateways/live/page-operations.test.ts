import type { Page } from 'playwright-core';
import t from 'tap';

import { worstContrast } from '../../src/testing/live/contrast.ts';
import { EVERY_LOOK, lookName } from '../../src/testing/live/looks.ts';
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

const READ =
  '.operations :is(dt, dd, p, h2, h3 span, li, button:enabled, small, time, th, td, summary, label), .connection span, .panel *';

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
    const name = await page.locator('.shards-map').getAttribute('aria-label');
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

  t.test('says how long rounds take, and which jobs have failed, and why', async (t) => {
    await using world = await scriptedPage(dir, today);
    const [first, second] = world.cluster.answer.reports;
    const { page, complaints } = await openPage(browser, `${world.url}/ops?view=work`);
    await enter(page, OPERATOR);
    await page.getByText('No job has failed.').waitFor();
    const error = 'acme: no answer';
    const sweep = { name: 'sweep', ageSeconds: 3, everyMs: 60_000, late: false, failures: 2 };
    first!.rounds = [{ ...sweep, tookMs: 2_460, error, failedItems: ['acme', 'rival'] }];
    const job = { queue: 'yield-optimization', at: new Date().toISOString(), attempts: 3 };
    const one = { ...job, id: 'j1', why: 'It does not answer.', tenantId: 'acme' };
    const other = { ...job, id: 'j2', why: 'There is none.', at: new Date(Date.now() - 60_000).toISOString() };
    first!.failedJobs = [one, other];
    second!.failedJobs = [one, other];
    const failed = page.getByRole('group', { name: 'Failed jobs' });
    await failed.getByText('It does not answer.').waitFor();
    t.strictSame(
      await failed.locator('tbody tr td:nth-child(5)').allTextContents(),
      ['It does not answer.', 'There is none.'],
      'each once, though every node lists it, the newest first',
    );
    const round = page.getByRole('group', { name: 'Rounds' }).getByRole('row', { name: /^sweep/ });
    t.match(await round.textContent(), /2\.5 s.*acme: no answer · acme, rival/);
    await checkWithAxe(t, page);
    t.strictSame(complaints, []);
  });

  t.test("an operator's tasks take few clicks, and Back leads back", async (t) => {
    await using world = await scriptedPage(dir, today);
    const { page, complaints } = await openPage(browser, `${world.url}/ops`);
    await enter(page, OPERATOR);
    let clicks = 0;
    const click = async (role: 'button' | 'link', name: string | RegExp, exact = true): Promise<void> => {
      await page.getByRole(role, { name, exact }).first().click();
      clicks += 1;
    };
    const done = (what: string, most: number): void => {
      t.comment(`${what}: ${clicks} clicks`);
      t.ok(clicks <= most, `${what} in ${most}`);
      clicks = 0;
    };
    await page.getByText('Nothing needs attention').waitFor();
    await page.getByRole('button', { name: /^Requests 96 1\/s/ }).waitFor();

    await click('button', /^Latency/);
    await page.getByText('Time to answer a request below /api').first().waitFor();
    await click('button', 'Slow requests');
    await page.getByRole('searchbox', { name: 'Tenant' }).fill('demo');
    await page.getByText('GET /api/v1/rates/calendar').waitFor({ state: 'detached' });
    await click('button', 'POST /api/v1/reservations');
    await page.locator('.ops-spans').getByText('lane commit').waitFor();
    t.match(await page.locator('.ops-spans').textContent(), /property harbor-hotel, command START_BOOKING/);
    t.match(page.url(), /view=requests.*request=r1/);
    done('why a tenant is slow', 3);

    await click('button', 'Actor of the property');
    await page.getByRole('group', { name: 'Journal tail' }).getByText('CONFIRM_BOOKING').waitFor();
    const actor = await page.locator('.ops-actor dl').textContent();
    t.match(actor, /Owneralder-00Epoch7Seq41Waiting commands3Oldest waits12\.5 ms/);
    done("an actor's journal tail, from the request", 1);
    await page.getByRole('button', { name: 'Audit', exact: true }).click();
    await page.getByText('No difference in 2,193 cells at seq 41.').waitFor();
    await page.goBack();
    await page.locator('.ops-spans').waitFor();

    await click('button', 'Tenants');
    await click('button', 'demo');
    const quotas = page.getByRole('group', { name: 'Quotas' });
    await quotas.getByRole('row', { name: 'Requests a second 2000 37' }).waitFor();
    await quotas.getByRole('row', { name: 'Open sockets none –' }).waitFor();
    await click('button', 'Suspend');
    await page.getByText(/Suspend demo: its users read, and change nothing/).waitFor();
    const confirm = page.locator('form.ops-form').getByRole('button', { name: 'Suspend' });
    t.ok(await confirm.isDisabled(), 'until its id is typed');
    await page.getByLabel('Type demo to confirm').fill('demo');
    await confirm.click();
    clicks += 1;
    await page.getByRole('button', { name: 'Resume', exact: true }).waitFor();
    t.equal(world.operator.tenants[0]!.status, 'SUSPENDED');
    done('suspend a tenant', 4);

    await click('button', 'Rounds and log');
    await page.getByLabel('Level of relay').selectOption('DEBUG');
    clicks += 1;
    await page.getByLabel('Level of relay').filter({ hasText: 'Inherited' }).waitFor();
    t.equal(world.operator.levels['relay']!.configuredLevel, 'DEBUG');
    done('change a log level', 2);

    world.operator.alerts[0]!.state = 'FIRING';
    await click('button', 'Overview');
    await click('button', 'RelayBehind');
    await page.getByText('See kafka of health.').waitFor();
    await page.getByRole('button', { name: 'Last day' }).click();
    await page.getByText('Nothing is stored of the last day yet').waitFor();
    t.strictSame(complaints, []);
  });

  t.test('every tenant is found, however many there are, and what cannot be read is said', async () => {
    await using world = await scriptedPage(dir, today);
    const createdAt = new Date().toISOString();
    const more = Array.from({ length: 250 }, (_, n) => ({
      tenantId: `t-${n}`,
      name: 'Inn',
      status: 'ACTIVE' as const,
    }));
    world.operator.tenants.unshift(...more.map((one) => ({ ...one, createdAt })));
    const { page } = await openPage(browser, `${world.url}/ops?view=tenants`);
    await enter(page, OPERATOR);
    await page.getByText('The newest 200 tenants are shown. Search for the others.').waitFor();
    await page.getByRole('searchbox', { name: 'Search tenants' }).fill('DEMO');
    await page.getByRole('button', { name: 'demo', exact: true }).click();
    await page.getByRole('button', { name: 'Suspend' }).waitFor();
    await page.goto(`${world.url}/ops?view=tenants&tenant=demo`);
    await page.getByRole('button', { name: 'Suspend' }).waitFor();
    world.operator.tenants[0]!.status = 'TRIAL';
    await page.goto(`${world.url}/ops?view=tenants&tenant=t-0`);
    await page.getByRole('heading', { name: 't-0 Trial' }).waitFor();
    await page.getByRole('button', { name: 'Suspend' }).waitFor();
    await page.goto(`${world.url}/ops?view=tenants&tenant=nobody`);
    await page.getByRole('article', { name: 'nobody' }).getByText('No such tenant.').waitFor();
    await page.route('**/ops/tenants?*', (route) => route.fulfill({ status: 503, json: { detail: 'No database.' } }));
    await page.goto(`${world.url}/ops?view=tenants`);
    await page.getByText('Failed: No database.').waitFor();
  });

  for (const look of EVERY_LOOK) {
    t.test(`can be read by everybody: ${lookName(look)}`, async (t) => {
      await using world = await scriptedPage(dir, today);
      const { page } = await openPage(browser, `${world.url}/ops`, look);
      await page.getByLabel('Operator token').waitFor();
      await checkWithAxe(t, page);
      await enter(page, OPERATOR);
      await page.locator('.node').first().waitFor();
      Object.assign(world.cluster.answer, { missing: [{ nodeId: 'elm-0005', why: 'no answer within 1 s' }] });
      await page.locator('.concerns').waitFor();
      await checkWithAxe(t, page);
      const worst = await worstContrast(page, READ);
      t.ok(worst.ratio >= 4.5, `worst contrast ${worst.ratio.toFixed(2)} at ${worst.text}`);
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      t.ok(overflow <= 0, 'the page itself never scrolls sideways');
      world.operator.alerts[0]!.state = 'FIRING';
      for (const [address, there] of [
        ['?alert=RelayBehind', '.ops-alert[data-state=FIRING]'],
        ['?view=requests&request=r1', '.ops-spans'],
        ['?view=tenants&tenant=demo&property=harbor-hotel', '.ops-actor dl'],
        ['?view=work', '.ops-form select'],
      ] as const) {
        await page.goto(`${world.url}/ops${address}`);
        await page.locator(there).first().waitFor();
        await checkWithAxe(t, page);
        const found = await worstContrast(page, READ);
        t.ok(found.ratio >= 4.5, `worst contrast of ${address} ${found.ratio.toFixed(2)} at ${found.text}`);
        const beyond = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        t.ok(beyond <= 0, `${address} never scrolls sideways`);
      }
    });
  }
});
