import { execFileSync } from 'node:child_process';
import type { Locator, Page } from 'playwright-core';
import t from 'tap';

import { EVERY_LOOK, lookName } from '../../src/testing/live/looks.ts';
import {
  browserFor,
  checkWithAxe,
  type Look,
  openPage,
  PAGE_FILE_MS,
  pageTestOptions,
  signInWithToken,
} from '../../src/testing/live/page-browser.ts';
import { expiredInvitations, invitations } from './groups/invitations.ts';
import { outbox } from './outbox.ts';
import { pngWithPlace } from './pictures.ts';
import { BlackboxProperty, must } from './property.ts';
import { type Role, Service } from './service.ts';
import type { Page as ListPage } from './shapes.ts';
import { until } from './waiting.ts';

t.setTimeout(PAGE_FILE_MS);

const photo = (name: string, width: number) => ({
  name,
  mimeType: 'image/png',
  buffer: Buffer.from(pngWithPlace(width)),
});

/** Links to other sections, and what is read there. */
const OTHERS = [
  ['Limits', 'Open invitations of the tenant'],
  ['API access', 'Description of all requests'],
  ['Photos', 'Add photos'],
  ['Booking page', 'In a frame of'],
  ['Danger zone', 'What stays'],
] as const;

/** What an owner does to a tenant: users and their roles, on the real services (docs/reference/set-up.md#tenant). */
void t.test('the tenant in the administration', pageTestOptions, async (t) => {
  const service = await Service.start();
  t.teardown(() => service.remove());
  const browser = await browserFor(t);
  const open = async (path: string, look: Look = {}, role: Role = 'OWNER') => {
    const opened = await openPage(browser, `${service.dev.liveUrl}${path}`, look);
    await signInWithToken(opened.page, service.token('demo', role));
    return opened;
  };
  const property = await BlackboxProperty.open(service);
  const { propertyId } = property;
  type Named = { name: string };
  const { name } = must(await service.tenants<Named>('GET', `/properties/${propertyId}`), 200).json;
  const section = (id: string, look: Look = {}) => open(`/admin/${id}?property=${propertyId}`, look);
  const panel = (page: Page) => page.getByRole('complementary');
  const owner = <T>(method: string, path: string) => service.tenants<T>(method, path, { role: 'OWNER' });

  await t.test('invitations', (group) => invitations(group, service));

  await t.test('a colleague is invited in four clicks', async (t) => {
    const { page, complaints } = await open('/admin');
    let clicks = 0;
    const click = async (what: Locator) => {
      clicks += 1;
      await what.click();
    };
    await click(page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Users' }));
    await click(page.getByRole('button', { name: 'Invite user' }));
    await panel(page).getByLabel('E-mail').fill('nora@example.com');
    clicks += 1;
    await panel(page).getByLabel('Role').selectOption('MANAGER');
    await panel(page).getByText('sets prices, sees revenue').waitFor();
    await click(panel(page).getByRole('button', { name: 'Invite', exact: true }));
    await page.getByText('nora@example.com is invited.').waitFor();
    t.equal(clicks, 4);
    const row = page.getByRole('row', { name: 'nora@example.com' });
    await row.getByText('Invited until').waitFor();
    await row.getByText(/^Sent /).waitFor();
    const address = `${service.dev.liveUrl}/auth/sign-in?tenant=demo`;
    await page.getByText(address).waitFor();
    const sent = (await outbox(service)).items.find(({ to }) => to === 'nora@example.com');
    t.match(sent, { kind: 'INVITATION', subject: /^Your access to /, text: /Role: +Manager/ });
    t.match(sent?.text, address);
    t.equal(await page.getByRole('link', { name: /^Write to/ }).count(), 0);
    const { items } = must(await owner<ListPage<{ email: string; role: Role }>>('GET', '/invitations'), 200).json;
    t.match(items, [{ email: 'nora@example.com', role: 'MANAGER' }]);

    // By keyboard alone: without a letter, the inviter passes on the link.
    await row.getByRole('button', { name: /^Invite again/ }).press('Enter');
    const language = panel(page).getByLabel('Letter');
    await language.focus();
    await page.keyboard.press('End');
    await panel(page).getByText('pass on the link of the sign-in yourself').waitFor();
    await panel(page).getByRole('button', { name: 'Invite again' }).press('Enter');
    await row.getByText('None was sent: pass on the link').waitFor();
    const letter = await page.getByRole('link', { name: 'Write to nora@example.com' }).getAttribute('href');
    t.match(letter, /^mailto:nora%40example\.com\?subject=.*sign-in.*Manager/);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy link' }).press('Enter');
    await page.getByText('Copied').waitFor();
    t.equal(await page.evaluate<string>('navigator.clipboard.readText()'), address);

    await row.getByRole('button', { name: /^Revoke/ }).click();
    await panel(page).getByRole('button', { name: 'Revoke invitation' }).click();
    await page.getByText('The invitation of nora@example.com is revoked.').waitFor();
    await row.waitFor({ state: 'detached' });
    t.strictSame(complaints, []);
  });

  await t.test('a program is added by its subject, gets another role, and is removed', async (t) => {
    const { page, complaints } = await open('/admin/users?form=subject');
    await panel(page).getByLabel('Subject').fill('channel-manager');
    await panel(page).getByRole('button', { name: 'Show curl' }).click();
    const curl = (await panel(page).locator('pre').textContent()) ?? '';
    execFileSync('sh', ['-c', curl], { env: { ...process.env, TOKEN: service.token('demo', 'OWNER') } });
    await page.reload();
    const row = page.getByRole('row', { name: 'channel-manager' });
    await row.getByRole('button', { name: /^Change role/ }).click();
    await panel(page).getByLabel('Role').selectOption('ADMIN');
    await panel(page).getByRole('button', { name: 'Change role' }).click();
    await page.getByText('channel-manager has the role Administrator.').waitFor();
    await row.getByRole('cell', { name: 'Administrator' }).waitFor();
    await row.getByRole('button', { name: /^Remove/ }).click();
    await panel(page).getByRole('button', { name: 'Remove user' }).click();
    await page.getByText('channel-manager is removed.').waitFor();
    await row.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await row.getByRole('cell', { name: 'Administrator' }).waitFor();
    t.strictSame(complaints, []);
  });

  await t.test('the last owner stays, and the page says why before', async (t) => {
    const { page } = await open('/admin/users');
    await page.getByRole('button', { name: 'Remove: Olivia Marsh' }).click();
    await panel(page).getByText('This is the only owner of the tenant').waitFor();
    t.ok(await panel(page).getByRole('button', { name: 'Remove user' }).isDisabled());
    await page.getByRole('button', { name: 'Change role: Olivia Marsh' }).click();
    await panel(page).getByText('This is the only owner of the tenant').waitFor();
  });

  await t.test('limits say what they do, and those of the property can be changed', async (t) => {
    const { page, complaints } = await section('limits');
    await page.getByRole('row', { name: 'Requests of the tenant a second' }).getByText('2,000').waitFor();
    await page.getByRole('button', { name: 'Edit: Rooms held unpaid' }).click();
    await panel(page).getByLabel('Rooms held unpaid').fill('40');
    await panel(page).getByRole('button', { name: 'Save' }).click();
    const row = page.getByRole('row', { name: 'Rooms held unpaid' });
    await row.getByRole('cell', { name: '40', exact: true }).waitFor();
    t.equal(await page.getByRole('button', { name: 'Edit: Requests of the tenant a second' }).count(), 0);
    type View = { metadata: { policies: { maxHeldPercent: number } } };
    const { json } = must(await owner<View>('GET', `/properties/${propertyId}`), 200);
    t.equal(json.metadata.policies.maxHeldPercent, 40);
    t.strictSame(complaints, []);
  });

  await t.test('the language of messages is a policy', async (t) => {
    const { page, complaints } = await section('policies');
    await page.getByRole('button', { name: 'Edit: Language of messages' }).click();
    await panel(page).getByLabel('Language of messages').selectOption('fr');
    await panel(page).getByRole('button', { name: 'Save' }).click();
    await page.getByText('get their messages in Français.').waitFor();
    t.strictSame(complaints, []);
  });

  await t.test('a program gets access as the page says', async (t) => {
    const { page } = await section('api-access');
    const command = async (name: string) => (await page.getByRole('region', { name }).textContent()) ?? '';
    const script = [await command('1. Get an access token'), await command('2. Read something')].join('\n');
    const env = { ...process.env, CLIENT_ID: 'demo-manager', CLIENT_SECRET: 'development-only' };
    const said = execFileSync('sh', ['-c', script], { env, encoding: 'utf8' });
    t.match(said, propertyId);
    await page.getByRole('link', { name: 'Add its subject as a user' }).click();
    await panel(page).getByLabel('Subject').waitFor();
  });

  await t.test('a property is deleted once its name is typed, and comes back', async (t) => {
    const { page, complaints } = await section('danger-zone');
    await page.getByRole('button', { name: 'Show curl: Audit trail' }).click();
    const curl = (await page.getByRole('region', { name: 'Show curl: Audit trail' }).textContent()) ?? '';
    const env = { ...process.env, TOKEN: service.token('demo', 'OWNER') };
    t.match(execFileSync('sh', ['-c', curl], { env, encoding: 'utf8' }), /^at,userId,/);
    await page.getByText('npm run export -- --tenant demo').waitFor();
    await page.getByText('The property itself: it can be restored').waitFor();
    await page.getByRole('button', { name: 'Delete property' }).click();
    const send = panel(page).getByRole('button', { name: 'Delete property' });
    t.ok(await send.isDisabled());
    await panel(page)
      .getByLabel(/^Type .* to confirm/)
      .fill(name);
    await send.click();
    await page.getByText(`${name} is deleted.`).waitFor();
    t.equal((await owner('GET', `/properties/${propertyId}`)).status, 404);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    t.equal((await owner('GET', `/properties/${propertyId}`)).status, 200);
    t.strictSame(complaints, []);
  });

  await t.test('photos are added, described, ordered and deleted', async (t) => {
    const { page, complaints } = await section('photos');
    await page.getByText('There is no photo yet.').waitFor();
    const files = [
      photo('front.png', 4),
      photo('room.png', 8),
      { ...photo('plan.png', 9), buffer: Buffer.from('<svg/>') },
      { ...photo('wall.png', 9), buffer: Buffer.alloc(4 * 1024 * 1024) },
    ];
    await page.getByLabel('Add photos').setInputFiles(files);
    await page.getByText('plan.png was not added: It is no photo in JPEG, PNG, WebP or AVIF.').waitFor();
    await page.getByText('wall.png was not added: It has more than 3 MB.').waitFor();
    await page.getByText('2 photos are added.').waitFor();
    const item = (index: number) =>
      page
        .getByRole('listitem')
        .filter({ has: page.getByRole('img') })
        .nth(index);
    await item(1).getByLabel('What it shows').fill('Bed by the window');
    await item(1).getByLabel('Of', { exact: true }).selectOption('DLX');
    await item(1).getByRole('button', { name: 'Save: Photo 2' }).click();
    await page.getByText('The photo is saved.').waitFor();
    await item(1).getByRole('button', { name: 'Earlier: Photo 2' }).click();
    await page.getByRole('img', { name: 'Bed by the window' }).waitFor();
    type Photos = { items: { alt: string; roomType: string | null }[] };
    const photos = async () => must(await owner<Photos>('GET', `/properties/${propertyId}/photos`), 200).json.items;
    await until(
      'the order is stored',
      5_000,
      async () => (await photos())[0]?.alt === 'Bed by the window' || undefined,
    );
    t.match(await photos(), [{ roomType: 'DLX' }, { alt: '' }]);
    await page.getByRole('button', { name: 'Delete: Photo 2' }).click();
    await page.getByText('The photo is deleted.').waitFor();
    t.equal((await photos()).length, 1);
    await checkWithAxe(t, page);
    t.equal(complaints.length, 1, 'the refused one alone');
  });

  await t.test('the booking page is opened by a form', async (t) => {
    const late = { name: 'Late breakfast', price: 12 };
    must(await service.tenants('PUT', `/properties/${propertyId}/services/LATE`, { body: late }), 200);
    const { page, complaints } = await section('booking-page');
    await page.getByRole('button', { name: /^Edit/ }).click();
    await panel(page).getByLabel('Guests can book').check();
    await panel(page).getByLabel('About the property').fill('By the harbor.');
    await panel(page).getByRole('checkbox', { name: 'Best available rate' }).check();
    await panel(page).getByRole('button', { name: 'Save' }).click();
    await page.getByText('The booking page is saved.').waitFor();
    await page.getByRole('link', { name: `${service.dev.liveUrl}/book/demo/${propertyId}` }).waitFor();
    const shown = await fetch(`${service.dev.liveUrl}/book/demo/${propertyId}`);
    t.equal(shown.status, 200);
    t.match(await shown.text(), 'By the harbor.');
    type View = { metadata: { bookingPage: { ratePlans: string[]; extras?: string[] } } };
    const settings = async () =>
      must(await owner<View>('GET', `/properties/${propertyId}`), 200).json.metadata.bookingPage;
    t.match(await settings(), { ratePlans: ['BAR'], extras: undefined });

    const choose = async (which: string): Promise<void> => {
      await page.getByRole('button', { name: /^Edit/ }).click();
      await panel(page).getByLabel('Extras that guests add').selectOption(which);
      if (which === 'Only some') await panel(page).getByRole('checkbox', { name: 'Late breakfast' }).check();
      await panel(page).getByRole('button', { name: 'Save' }).click();
      await panel(page).waitFor({ state: 'detached' });
      await page.getByText('The booking page is saved.').waitFor();
    };
    await choose('Only some');
    t.match(await settings(), { ratePlans: ['BAR'], extras: ['LATE'] });
    await page.getByRole('cell', { name: 'Late breakfast' }).waitFor();
    await choose('None');
    t.strictSame((await settings()).extras, []);
    await choose('Every one on sale');
    t.equal((await settings()).extras, undefined);
    t.strictSame(complaints, []);
  });

  await t.test('an administrator reads who may open it', async () => {
    const { page } = await open('/admin/users', {}, 'ADMIN');
    await page.getByText('This needs the role owner').waitFor();
  });

  for (const look of EVERY_LOOK)
    await t.test(`everybody can use it: ${lookName(look)}`, async (t) => {
      const { page } = await open('/admin/users?form=new', look);
      await panel(page).getByRole('button', { name: 'Show curl' }).click();
      await page.getByRole('row', { name: 'Olivia Marsh' }).waitFor();
      await checkWithAxe(t, page);
      await page.keyboard.press('Escape');
      for (const [link, said] of OTHERS) {
        await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: link }).click();
        await page.getByText(said).first().waitFor();
        await checkWithAxe(t, page);
      }
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      t.ok(overflow <= 0, 'the page itself never scrolls sideways');
    });

  await t.test('an invitation ends after a week', (t) => expiredInvitations(t, service));

  await t.test(
    'an owner who gives away his role writes his name first, and sees a page that he may open',
    async () => {
      const body = { subject: 'next-owner', role: 'OWNER' };
      must(await service.tenants('POST', '/users', { role: 'OWNER', body }), 201);
      const { page } = await open('/admin/users');
      await page.getByRole('button', { name: 'Change role: Olivia Marsh' }).click();
      await panel(page).getByLabel('Role').selectOption('VIEWER');
      await panel(page).getByText('This is you. You cannot open this page any more').waitFor();
      const change = panel(page).getByRole('button', { name: 'Change role' });
      await panel(page).getByLabel('Type Olivia Marsh to confirm').waitFor();
      await change.and(page.locator(':disabled')).waitFor();
      await panel(page).getByLabel('Type Olivia Marsh to confirm').fill('Olivia Marsh');
      await change.click();
      await page.waitForURL('**/me');
      await page.getByRole('heading', { name: 'Your settings' }).waitFor();
    },
  );
});
