import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import type { WireOf } from '../../../src/kernel/contracts/answers.ts';
import type { outcomesAnswer } from '../../../src/revenue/contracts/outcomes.ts';
import { ask } from '../api.ts';
import { advising as words } from './advice-messages.ts';
import type { RevenueStore } from './store.ts';

type Totals = WireOf<typeof outcomesAnswer>['totals'];

/** What came of the recommendations that were accepted for the last thirty nights. */
export function OutcomesLine({ desk }: { desk: RevenueStore }) {
  const totals = useSignal<Totals | undefined>(undefined);
  const { api, optimization } = desk.revenue;
  const propertyId = api?.of.propertyId;
  useEffect(() => {
    totals.value = undefined;
    if (propertyId === undefined) return;
    const read = async (): Promise<void> => {
      const path = `/api/v1/rates/recommendations/outcomes?propertyId=${encodeURIComponent(propertyId)}`;
      const { body } = await ask(api!.of.access, 'rate', path);
      if (desk.revenue.api?.of.propertyId === propertyId)
        totals.value = (body as WireOf<typeof outcomesAnswer>).totals;
    };
    void read().catch(() => undefined);
  }, [propertyId, optimization.value?.optimizationId]);
  if (!totals.value || totals.value.over === 0) return null;
  return (
    <p class="muted outcomes">
      <small>{words.cameOf(totals.value, desk.currency.value)}</small>
    </p>
  );
}
