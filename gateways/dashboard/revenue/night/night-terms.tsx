import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { BAR } from '../../../../src/rates/rules/rate-plan.ts';
import { returns } from '../../live/network.ts';
import { ServiceButton } from '../../service-button.tsx';
import type { RevenueStore } from '../store.ts';
import { BoundsForm } from './bounds-form.tsx';
import { PromotionForm } from './promotion-form.tsx';
import { type PlanView, type PromotionView, TermsApi } from './terms-api.ts';
import { boundsText, promotionText, terms as words } from './terms-messages.ts';

type Props = { desk: RevenueStore; roomType: string; date: string };
type Known = { promotions: readonly PromotionView[]; bar: PlanView | undefined };

/** Promotions that apply to a night, and the bounds of its rate. */
export function NightTerms({ desk, roomType, date }: Props) {
  const known = useSignal<Known | 'failed' | undefined>(undefined);
  const open = useSignal<'promotion' | 'bounds' | undefined>(undefined);
  const { api } = desk.revenue;
  const currency = desk.currency.value;
  const load = async (): Promise<void> => {
    if (!api) return;
    const terms = new TermsApi(api);
    known.value = await Promise.all([terms.promotions(), terms.plans()]).then(
      ([promotions, plans]) => ({ promotions, bar: plans.find(({ code }) => code === BAR) }),
      () => 'failed' as const,
    );
  };
  useEffect(() => void load(), [api, date, returns.value]);
  useEffect(() => void (open.value = undefined), [roomType, date]);
  const close = (): void => void (open.value = undefined);
  if (open.value === 'promotion') return <PromotionForm desk={desk} onChanged={load} onClose={close} />;
  const found = known.value;
  if (found === 'failed') return <p role="alert">{words.failed}</p>;
  if (open.value === 'bounds' && found?.bar)
    return <BoundsForm desk={desk} plan={found.bar} onChanged={load} onClose={close} />;
  return (
    <>
      <div>
        <h3>{words.promotions}</h3>
        {found && <Promotions desk={desk} list={applying(found.promotions, roomType, date)} onChanged={load} />}
        <p class="one">
          <ServiceButton desk={desk} onClick={() => (open.value = 'promotion')}>
            {words.add}
          </ServiceButton>
        </p>
      </div>
      <div>
        <h3>{words.bounds}</h3>
        {found?.bar && <p>{boundsText(found.bar, currency)}</p>}
        <p class="one">
          <ServiceButton desk={desk} disabled={!found?.bar} onClick={() => (open.value = 'bounds')}>
            {words.editBounds}
          </ServiceButton>
        </p>
      </div>
    </>
  );
}

type ListProps = { desk: RevenueStore; list: readonly PromotionView[]; onChanged: () => Promise<void> };

function Promotions({ desk, list, onChanged }: ListProps) {
  if (list.length === 0) return <p class="muted">{words.noPromotions}</p>;
  return (
    <ul>
      {list.map((one) => (
        <li key={one.promotionId}>
          <p>
            <strong>{one.promotionName}</strong> {promotionText(one, desk.currency.value)}
          </p>
          {(one.status === 'ACTIVE' || one.status === 'PAUSED') && (
            <p class="one">
              <ServiceButton
                desk={desk}
                disabled={desk.changes.busy.value}
                aria-label={
                  one.status === 'ACTIVE' ? words.pauseOne(one.promotionName) : words.resumeOne(one.promotionName)
                }
                onClick={() => void pause(desk, one, onChanged)}
              >
                {one.status === 'ACTIVE' ? words.pause : words.resume}
              </ServiceButton>
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

function pause(desk: RevenueStore, one: PromotionView, onChanged: () => Promise<void>): Promise<boolean> {
  const paused = one.status === 'ACTIVE';
  const terms = new TermsApi(desk.revenue.api!);
  const set = async (to: boolean): Promise<void> => {
    await terms.pausePromotion(one.promotionId, to);
    await onChanged();
  };
  return desk.changes.run('night', async () => {
    await set(paused);
    const text = paused ? words.paused(one.promotionName) : words.resumed(one.promotionName);
    return { text, undo: () => set(!paused) };
  });
}

/** Promotions that a stay over a night can have, those that are paused too. */
function applying(all: readonly PromotionView[], roomType: string, date: string): PromotionView[] {
  return all.filter(({ status, roomTypes, conditions, validity: { stayPeriod } }) => {
    if (status !== 'ACTIVE' && status !== 'PAUSED') return false;
    if (roomTypes !== null && !roomTypes.includes(roomType)) return false;
    if (conditions.blackoutDates.includes(date)) return false;
    return stayPeriod === null || (date >= stayPeriod.startDate && date <= stayPeriod.endDate);
  });
}
