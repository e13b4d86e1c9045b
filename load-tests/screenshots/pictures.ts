import type { Page } from 'playwright-core';

import type { Role } from '../../src/kernel/rules/caller.ts';
import type { Look } from '../../src/testing/live/page-browser.ts';
import { must } from '../../test/blackbox/property.ts';
import type { Service } from '../../test/blackbox/service.ts';

/** A view to be photographed; nobody is signed in where there is no role. */
export type Picture = { name: string; role?: Role; path: string; before?: (page: Page) => Promise<void> };

const PROPERTY = 'harbor-hotel';
const REVENUE = `/revenue?property=${PROPERTY}`;
const DESK = `/desk?property=${PROPERTY}`;

const SIZES = {
  1440: { viewport: { width: 1440, height: 900 } },
  1024: { viewport: { width: 1024, height: 768 }, colorScheme: 'dark' },
  390: { viewport: { width: 390, height: 844 } },
} as const satisfies Record<number, Look>;

/** The pictures that README shows, by the name of their file. */
export const README_PICTURES: readonly (Picture & { look: Look })[] = [
  { name: 'workspace-1440', role: 'MANAGER', path: REVENUE, look: SIZES[1440], before: recommend },
  { name: 'workspace-1024', role: 'MANAGER', path: REVENUE, look: SIZES[1024] },
  { name: 'workspace-390', role: 'MANAGER', path: REVENUE, look: SIZES[390] },
  { name: 'time-travel-1440', role: 'MANAGER', path: REVENUE, look: SIZES[1440], before: goBack },
  { name: 'desk-1440', role: 'STAFF', path: DESK, look: SIZES[1440] },
  { name: 'desk-1024', role: 'STAFF', path: DESK, look: SIZES[1024], before: beginCheckIn },
  { name: 'desk-390', role: 'STAFF', path: DESK, look: SIZES[390] },
];

/** Every view, with a guest and a group that the demo has, and an experiment that begins here. */
export async function viewsOf(service: Service): Promise<readonly Picture[]> {
  const { reservationUrl } = service.dev;
  const first = async <T>(path: string): Promise<T> => {
    const { items } = must(await service.call<{ items: T[] }>('GET', `${reservationUrl}/api/v1${path}`), 200).json;
    return items[0]!;
  };
  const { guestId } = await first<{ guestId: string }>('/guests?limit=1');
  const { groupId } = await first<{ groupId: string }>(`/reservations/groups?propertyId=${PROPERTY}&limit=1`);
  const tried = { propertyId: PROPERTY, name: 'Five percent more', treatment: { adjustmentPercent: 5 } };
  must(await service.rates('POST', '/experiments', { body: tried }), 201);
  return [
    { name: 'sign-in', path: '/' },
    { name: 'revenue', role: 'MANAGER', path: REVENUE },
    { name: 'experiments', role: 'MANAGER', path: `/revenue/experiments?property=${PROPERTY}` },
    { name: 'fleet', role: 'MANAGER', path: '/fleet' },
    { name: 'desk', role: 'STAFF', path: DESK },
    { name: 'housekeeping', role: 'STAFF', path: `/desk/housekeeping?property=${PROPERTY}` },
    { name: 'guests', role: 'STAFF', path: '/guests' },
    { name: 'guest', role: 'STAFF', path: `/guests/${guestId}` },
    { name: 'groups', role: 'MANAGER', path: `/groups?property=${PROPERTY}` },
    { name: 'group', role: 'MANAGER', path: `/groups/${groupId}?property=${PROPERTY}` },
    { name: 'reports', role: 'MANAGER', path: `/reports?property=${PROPERTY}` },
    { name: 'admin', role: 'OWNER', path: `/admin?property=${PROPERTY}` },
    { name: 'admin-taxes', role: 'OWNER', path: `/admin/taxes?property=${PROPERTY}` },
    { name: 'own-settings', role: 'MANAGER', path: '/me' },
    { name: 'ops', path: '/ops', before: (page) => operate(page, service.dev.operatorToken) },
    { name: 'booking-page', path: `/book/demo/${PROPERTY}`, before: search },
  ];
}

async function operate(page: Page, token: string): Promise<void> {
  await page.getByLabel('Operator token').fill(token);
  await page.getByRole('button', { name: 'Show the nodes' }).click();
  await page.locator('.node').first().waitFor();
}

/** As a guest, for the nights that the page proposes. */
async function search(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('button', { name: 'Select' }).first().waitFor();
}

async function recommend(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Recommend for 30 nights' }).click();
  await page
    .getByRole('button', { name: /^Accept/ })
    .first()
    .waitFor();
}

/** Three days. */
async function goBack(page: Page): Promise<void> {
  await page.keyboard.press('t');
  for (let days = 0; days < 3; days += 1) await page.getByRole('button', { name: /a day back$/ }).click();
  await page.getByText(/^Viewing .* – not live$/).waitFor();
}

async function beginCheckIn(page: Page): Promise<void> {
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Arrives, room ready' })
    .first()
    .getByRole('button')
    .first()
    .click();
  await page.getByRole('button', { name: 'Check in' }).click();
  await page.getByText('What would happen').waitFor();
}
