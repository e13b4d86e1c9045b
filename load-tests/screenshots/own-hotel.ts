import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';

import { ownHotel } from '../../test/blackbox/own-hotel.ts';
import type { Service } from '../../test/blackbox/service.ts';
import { makeTenants } from '../../test/blackbox/tenants.ts';

const TENANT = 'bay-hotels';
const JPEG_QUALITY = 70;
const SETTLED_MS = 300;

/** From a tenant without a property to a guest's paid stay on the desk, a picture at each step. */
export async function filmedOwnHotel(browser: Browser, service: Service, into: string): Promise<void> {
  mkdirSync(into, { recursive: true });
  await service.up();
  await makeTenants(service, [{ tenantId: TENANT }]);
  let number = 0;
  const { ownerClicks, guestClicks, seconds } = await ownHotel(
    { service, browser },
    { tenantId: TENANT, token: service.token('demo', 'OWNER') },
    async (name, page) => {
      number += 1;
      await page.waitForTimeout(SETTLED_MS);
      const path = join(into, `${String(number).padStart(2, '0')}-${name}.jpg`);
      await page.screenshot({ path, type: 'jpeg', quality: JPEG_QUALITY });
      console.log(path);
    },
  );
  console.log(
    `${ownerClicks} clicks of the owner, ${guestClicks} of the guest, ${seconds.toFixed(1)} s by a program`,
  );
}
