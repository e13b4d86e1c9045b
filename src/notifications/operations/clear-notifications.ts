import type { TenantId } from '../../kernel/rules/ids.ts';
import { RETENTION_MS, type Posting } from './posting.ts';

const MAX_PAGES = 100;

/** Gives up deliveries that a dead process left in progress, and removes notifications that ended 30 days ago. */
export async function clearNotifications({ notifications, clock, log }: Posting, tenantId: TenantId): Promise<void> {
  const lost = await notifications.giveUp(tenantId, clock.now(), clock.now() + RETENTION_MS);
  if (lost > 0) log.warn({ tenantId, lost }, 'notifications were cut off; whether they arrived is not known');
  for (let page = 0; page < MAX_PAGES; page++) if ((await notifications.forget(tenantId, clock.now())) === 0) return;
}
