import { join } from 'node:path';
import type { Browser } from 'playwright-core';

import { openPage, signInWithToken } from '../../src/testing/live/page-browser.ts';
import { must } from '../../test/blackbox/property.ts';
import type { Service } from '../../test/blackbox/service.ts';

const EXAMPLE = join(import.meta.dirname, '../../examples/import/extract.csv');
const JPEG_QUALITY = 70;

/** The columns of a file and the fields that they are (docs/guide/import.md#with-the-mouse). */
export async function takeImport(browser: Browser, service: Service, into: string): Promise<void> {
  await service.up();
  const propertyId = 'resort';
  const metadata = { currency: 'EUR', timezone: 'Europe/Lisbon' };
  must(await service.tenants('POST', '/properties', { body: { propertyId, name: 'Resort', metadata } }), 201);
  for (const roomType of ['A', 'C', 'D', 'E', 'F', 'G']) {
    const body = { roomType, name: `Type ${roomType}`, maxAdults: 6, totalRooms: 40 };
    must(await service.tenants('POST', `/properties/${propertyId}/room-types`, { body }), 201);
  }
  const look = { viewport: { width: 1440, height: 1100 } };
  const { page } = await openPage(browser, `${service.dev.liveUrl}/admin/import?property=${propertyId}`, look);
  await signInWithToken(page, service.token('demo', 'ADMIN'));
  await page.getByLabel('Choose a file').setInputFiles(EXAMPLE);
  await page.getByRole('heading', { name: 'Which column is which field' }).waitFor();
  const path = join(into, 'import-columns.jpg');
  await page.screenshot({ path, type: 'jpeg', quality: JPEG_QUALITY });
  console.log(path);
}
