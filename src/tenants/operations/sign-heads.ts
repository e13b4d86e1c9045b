import { ItemRunner } from '../../kernel/operations/item-runner.ts';
import type { Services } from '../../kernel/operations/services.ts';
import { HEAD_PURPOSE, headText } from '../../kernel/rules/audit.ts';
import type { KeepHeads, TenantStore } from '../ports.ts';

const HOUR_MS = 3_600_000;

type Signing = Pick<Services, 'signed' | 'clock' | 'log'> & { tenants: TenantStore; keepHeads: KeepHeads };

/**
 * Signs the heads of all chains of every tenant that have grown since they were signed
 * (docs/concepts/audit-trail.md#chains-and-signed-heads). To be done hourly; again in the same hour, it signs what came
 * since. A tenant that cannot be signed waits for the next time.
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
