import { ItemRunner } from '../../kernel/operations/item-runner.ts';
import type { Services } from '../../kernel/operations/services.ts';
import { HEAD_PURPOSE, headText } from '../../kernel/rules/audit.ts';
import type { KeepHeads, TenantStore } from '../ports.ts';

const HOUR_MS = 3_600_000;

type Signing = Pick<Services, 'signed' | 'clock' | 'log'> & { tenants: TenantStore; keepHeads: KeepHeads };

/**
 * Signs the heads of all chains of every tenant that have grown since the last signature
 * (docs/concepts/audit-trail.md#chains-and-signed-heads). Runs hourly; a second run in the same hour signs what was
 * added since. A tenant that fails is retried the next time.
 */
export async function signHeads(
  { signed, clock, log, tenants, keepHeads }: Signing,
  each: ItemRunner = ItemRunner.uncounted(log),
): Promise<void> {
  const hour = Math.floor(clock.now() / HOUR_MS) * HOUR_MS;
  for (const tenantId of await tenants.running())
    await each.one(tenantId, () =>
      keepHeads(tenantId, hour, (head) => signed.sign(HEAD_PURPOSE, '', headText(head))),
    );
}
