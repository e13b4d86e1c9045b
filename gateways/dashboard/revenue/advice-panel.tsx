import { useSignal } from '@preact/signals';

import { Aged } from '../grid/aged.tsx';
import { timeOfDay } from '../grid/days.ts';
import { travel } from '../history/messages.ts';
import { advice as words } from '../messages.ts';
import { ServiceButton, WhyDisabled } from '../service-button.tsx';
import { lazily } from '../shell/lazy.tsx';
import { workspaceNames } from '../workspace-messages.ts';
import type { OptimizationView } from './shapes.ts';
import type { RevenueStore } from './store.ts';

const NIGHTS_TO_OPTIMIZE = 30;
/** Polled every minute: two missing answers are too old. */
const BUDGET_MS = 150_000;

/** The newest recommended rates, to accept or to reject. */
export function AdvicePanel({ desk }: { desk: RevenueStore }) {
  const busy = useSignal(false);
  const { revenue } = desk;
  const newest = revenue.optimization.value;
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    busy.value = true;
    desk.notice.value = undefined;
    await work().catch(
      (error: unknown) => (desk.notice.value = error instanceof Error ? error.message : words.failed),
    );
    busy.value = false;
  };
  if (desk.isPast.value)
    return (
      <section class="sheet advice" aria-label={words.title}>
        <h2>{words.title}</h2>
        <p class="muted">{travel.onlyNow}</p>
      </section>
    );
  const ask = async (): Promise<void> => {
    await attempt(() => revenue.recommend(NIGHTS_TO_OPTIMIZE));
    if (desk.notice.peek() === undefined) await (await import('./advice.ts')).sayByRule(desk);
  };
  return (
    <Aged desk={desk} class="sheet advice" label={words.title} at={revenue.adviceAt.value} budgetMs={BUDGET_MS}>
      <h2>
        {words.title} {newest && <small>{words.from(timeOfDay(Date.parse(newest.createdAt)))}</small>}
      </h2>
      <Newest desk={desk} newest={newest} busy={busy.value || desk.changes.busy.value} attempt={attempt} />
      <RuleSwitch desk={desk} />
      <OutcomesLine desk={desk} />
      <p class="actions">
        <ServiceButton desk={desk} disabled={busy.value} onClick={() => void ask()}>
          {newest ? words.again : words.ask}
        </ServiceButton>
        <WhyDisabled desk={desk} />
        <a href={`/revenue/experiments?property=${encodeURIComponent(desk.property.value?.propertyId ?? '')}`}>
          {workspaceNames.experiments}
        </a>
      </p>
    </Aged>
  );
}

type NewestProps = {
  desk: RevenueStore;
  newest: OptimizationView | undefined;
  busy: boolean;
  attempt: (work: () => Promise<void>) => Promise<void>;
};

const RuleSwitch = lazily(async () => (await import('./acceptance-rule.tsx')).RuleSwitch);
const OutcomesLine = lazily(async () => (await import('./outcomes-line.tsx')).OutcomesLine);
const AdviceSettings = lazily(async () => (await import('./advice-list.tsx')).AdviceSettings);
const AdviceList = lazily(async () => (await import('./advice-list.tsx')).AdviceList);

function Newest({ desk, newest, busy, attempt }: NewestProps) {
  if (!newest) return <p class="muted">{words.none}</p>;
  if (newest.status !== 'COMPLETED')
    return <p class="muted">{newest.status === 'RUNNING' ? words.running(newest.progress) : words.failed}</p>;
  const { settings } = newest;
  return (
    <>
      {settings && <AdviceSettings settings={settings} currency={desk.currency.value} />}
      {newest.recommendations.length === 0 ? (
        <p class="muted">{words.nothing}</p>
      ) : (
        <AdviceList desk={desk} newest={newest} busy={busy} attempt={attempt} />
      )}
    </>
  );
}
