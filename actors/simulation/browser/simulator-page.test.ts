import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import t from 'tap';

import {
  browserFor,
  checkWithAxe,
  type Look,
  openPage,
  PAGE_FILE_MS,
  pageTestOptions,
} from '../../../src/testing/live/page-browser.ts';
import { ROOT } from '../../../test/loop/needs.ts';
import { type Fault, FAULTS } from '../faults.ts';
import { runSimulate } from '../program.ts';
import { simulate } from '../simulate.ts';

/** Chromium, and a simulation of which each step is shown. */
t.setTimeout(PAGE_FILE_MS);

const FOLDER = join(ROOT, 'docs/simulator');
const SCRIPT = join(FOLDER, 'simulator.js');
const SPLIT = 'do=cut-redis:0@100,cut-redis:1@200,cut-redis:2@300';
const OWN_FAULTS =
  'seed=14&faults=crash,misrouted&do=kill:0@200,lose-answer:1@300,pause:1@400,cut-database:2@700,jump@2000';
const NO_FENCE = `seed=55&faults=none&${SPLIT}&fence=off`;

/** The page as a file, at a link; for each test the one that is in the repository. */
async function open(t: Test, link: string, look: Look = {}): Promise<Page> {
  const url = `${pathToFileURL(join(FOLDER, 'index.html')).href}#${link}`;
  const { page, complaints } = await openPage(browser, url, look);
  await played(page);
  t.same(complaints, []);
  return page;
}
type Test = Parameters<typeof browserFor>[0];

const browser = pageTestOptions.skip ? (undefined as never) : await browserFor(t);

async function played(page: Page): Promise<string> {
  await page.locator('section[aria-busy="false"] .outcome').waitFor();
  return (await page.locator('.outcome').textContent())!;
}

/** Another link in the same window, as if it had been opened there. */
async function goTo(page: Page, link: string): Promise<void> {
  await page.goto(page.url().replace(/#.*/, `#${link}`));
  await page.reload();
  await played(page);
}

const figureOf = (page: Page, name: string): Promise<string | null> =>
  page.locator('.figures > div', { hasText: name }).locator('dd').textContent();

/** Runs of the first seeds that draw all faults together. */
async function runsOfAllFaults(): Promise<Awaited<ReturnType<typeof simulate>>[]> {
  const left = new Set<Fault>(FAULTS);
  const runs = [];
  for (let seed = 1; left.size > 0; seed++) {
    const run = await simulate(seed);
    const added = [...left].filter((fault) => run.fired[fault] > 0);
    for (const fault of added) left.delete(fault);
    if (added.length > 0) runs.push(run);
  }
  return runs;
}

const REBUILD = 'if not, the actors behave differently than when the page was built: npm run simulator:build';

void t.test('a seed has the outcome of the simulation in Node, to the last event', pageTestOptions, async (t) => {
  const page = await open(t, 'seed=7');
  t.match(await played(page), /Every promise held: 0 rooms sold twice, 0 violations/);
  for (const { seed, fingerprint } of await runsOfAllFaults()) {
    await goTo(page, `seed=${seed}`);
    t.equal(await figureOf(page, 'Fingerprint'), fingerprint, `seed ${seed}: ${REBUILD}`);
  }
});

void t.test('the command that the page names prints what the page shows', pageTestOptions, async (t) => {
  const page = await open(t, 'seed=7');
  for (const link of [OWN_FAULTS, NO_FENCE]) {
    await goTo(page, link);
    const command = (await page.locator('p code').last().textContent())!;
    const { output } = await runSimulate(ROOT, command.replace('npm run simulate -- ', '').split(' '));
    const [, fingerprint, violations] = /seed \d+: (\w+), (\d+) violations/.exec(output)!;
    t.equal(await figureOf(page, 'Fingerprint'), fingerprint, `${command}: ${REBUILD}`);
    t.match(await played(page), new RegExp(` ${violations} violations?\\.`), command);
  }
});

void t.test('with the fence no room is sold twice, without it one is, and is shown', pageTestOptions, async (t) => {
  const page = await open(t, NO_FENCE.replace('&fence=off', ''));
  t.match(await played(page), /Every promise held: 0 rooms sold twice, 0 violations/);
  t.ok(Number(await figureOf(page, 'Commits refused by the fence')) > 5);
  await page.getByRole('switch', { name: 'Fence' }).click();
  await page.getByText('Promises are broken').waitFor();
  t.match(await played(page), /: [1-9]\d* rooms? sold twice/);
  t.equal(await figureOf(page, 'Commits refused by the fence'), '0');
  await page.getByRole('button', { name: 'Show the room that is sold twice' }).click();
  const night = page.locator('.night-sold-twice');
  const [, booked, rooms] = /^(\d+) of (\d+).* ✗ sold twice$/.exec((await night.textContent())!)!;
  t.ok(Number(booked) > Number(rooms), `${booked} booked of ${rooms}`);
  t.ok((await page.getByText('✗ believes so').count()) > 0, 'a node that is not the owner any more');
  t.ok((await page.locator('tr.wrong').count()) > 0, 'its rows are marked');
});

void t.test('a link shows the same step of the same run', pageTestOptions, async (t) => {
  const page = await open(t, NO_FENCE);
  await page.getByRole('button', { name: 'Show the room that is sold twice' }).click();
  const shown = await page.locator('.now').textContent();
  const fingerprint = await figureOf(page, 'Fingerprint');
  const link = page.url();
  t.match(link, /#seed=55&faults=none&do=[^&]+&fence=off&step=\d+$/);
  const { page: other } = await openPage(browser, link);
  await played(other);
  t.equal(await other.locator('.now').textContent(), shown);
  t.equal(await figureOf(other, 'Fingerprint'), fingerprint);
});

void t.test(
  'a fault of one’s own happens at the step that is shown, by keyboard alone',
  pageTestOptions,
  async (t) => {
    const page = await open(t, 'seed=4&faults=none');
    await page.getByRole('slider', { name: 'Step' }).focus();
    for (let n = 0; n < 30; n++) await page.keyboard.press('ArrowRight');
    const before = await page.locator('.now').textContent();
    t.match(before, /^Step 31 of /);
    const kill = page.getByRole('button', { name: 'Kill, node-0' });
    await kill.focus();
    await page.keyboard.press('Enter');
    await page.getByText('you: kill node-0').waitFor();
    t.match(page.url(), /do=kill:0@\d+&/);
    await page.getByRole('button', { name: 'Forward' }).press('Enter');
    await page.getByText('○ Down').waitFor();
    t.match(await played(page), /Every promise held/);
    await page.getByRole('button', { name: /^Remove: Kill, node-0/ }).press('Enter');
    await page.waitForFunction(`!location.hash.includes('do=')`);
  },
);

void t.test('axe finds nothing, in both themes and on a phone', pageTestOptions, async (t) => {
  const looks: Look[] = [
    { colorScheme: 'light' },
    { colorScheme: 'dark', reducedMotion: 'reduce' },
    { viewport: { width: 390, height: 844 } },
  ];
  for (const look of looks) {
    const page = await open(t, `${NO_FENCE}&step=60`, look);
    for (const summary of await page.locator('summary').all()) await summary.click();
    await checkWithAxe(t, page);
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    t.ok(width <= (look.viewport?.width ?? 1280), `${width} pixels wide`);
  }
});

void t.test('an address that says nothing playable is answered with a way on', pageTestOptions, async (t) => {
  const url = pathToFileURL(join(FOLDER, 'index.html')).href;
  const { page } = await openPage(browser, `${url}#seed=7&do=burn:1@5`);
  await page.getByRole('alert').waitFor();
  t.match(await page.getByRole('alert').textContent(), 'no intervention: burn:1@5');
  await page.getByRole('link', { name: 'Start again with seed 7' }).click();
  await page.getByText('Every promise held').waitFor();
  t.equal(await page.getByRole('alert').count(), 0);
});

void t.test('the page shows nothing whose address it would not take again', pageTestOptions, async (t) => {
  const own = Array.from({ length: 50 }, () => 'lose-answer:0@100').join(',');
  const page = await open(t, `seed=4294967295&faults=none&do=${own}`);
  t.ok(await page.getByRole('button', { name: 'Next seed' }).isDisabled());
  t.ok(await page.getByRole('button', { name: 'Kill, node-0' }).isDisabled());
  const seed = page.getByRole('spinbutton', { name: 'Seed' });
  for (const wrong of ['1e3', '-3', '4294967296', '']) {
    await seed.fill(wrong);
    await seed.press('Tab');
    await page.getByRole('alert').waitFor();
    await seed.fill('7');
    await seed.press('Tab');
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await played(page);
  }
  t.match(page.url(), /#seed=7&/);
  await page.goto(page.url().replace(/#.*/, '#seed=7&fence=OFF'));
  t.match(await page.getByRole('alert').textContent(), 'no fence: OFF');
});

void t.test('without its script the page says how to make it', pageTestOptions, async (t) => {
  const folder = t.testdir({});
  copyFileSync(join(FOLDER, 'index.html'), join(folder, 'index.html'));
  const { page } = await openPage(browser, pathToFileURL(join(folder, 'index.html')).href);
  await page.getByText('npm run simulator:build').waitFor();
  t.match(readFileSync(join(ROOT, 'package.json'), 'utf8'), '"simulator:build"');
});

void t.test('the page in the repository is that of the sources', async (t) => {
  const folder = t.testdir({});
  const program = ['--import', './src/platform/launch/strip-types.mjs', 'src/commands/simulator-build.ts', folder];
  execFileSync(process.execPath, program, { cwd: ROOT, stdio: 'ignore' });
  // The simulation in it is compared by what it does: most changes of a rule are none to it.
  const pageOf = (path: string): string => readFileSync(path, 'utf8').replace(/"H4sI[^"]+"/, '"simulation"');
  const built = pageOf(join(folder, 'simulator.js'));
  t.match(built, '"simulation"');
  t.ok(built === pageOf(SCRIPT), 'if not: npm run simulator:build');
  t.ok(readFileSync(SCRIPT).length < 300_000, 'small enough to be in the repository');
});
