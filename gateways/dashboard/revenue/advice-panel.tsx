import { useSignal } from '@preact/signals';

import { cellKey } from '../../../src/live/contracts/replica.ts';
import { Aged } from '../grid/aged.tsx';
import { percentFrom } from '../grid/cell-face.ts';
import { dayRange, shortDay, timeOfDay } from '../grid/days.ts';
import { travel } from '../history/messages.ts';
import { advice as words, nightsWord, signedPercent, wholeAmount } from '../messages.ts';
import { ServiceButton, WhyDisabled } from '../service-button.tsx';
import { accept, grouped, standingOf } from './advice.ts';
import type { Advice, OptimizationView } from './shapes.ts';
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
  const ask = (): Promise<void> => attempt(() => revenue.recommend(NIGHTS_TO_OPTIMIZE));
  return (
    <Aged desk={desk} class="sheet advice" label={words.title} at={revenue.adviceAt.value} budgetMs={BUDGET_MS}>
      <h2>
        {words.title} {newest && <small>{words.from(timeOfDay(Date.parse(newest.createdAt)))}</small>}
      </h2>
      <Newest desk={desk} newest={newest} busy={busy.value} attempt={attempt} />
      <p class="actions">
        <ServiceButton desk={desk} disabled={busy.value} onClick={() => void ask()}>
          {newest ? words.again : words.ask}
        </ServiceButton>
        <WhyDisabled desk={desk} />
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

function Newest({ desk, newest, busy, attempt }: NewestProps) {
  if (!newest) return <p class="muted">{words.none}</p>;
  if (newest.status !== 'COMPLETED')
    return <p class="muted">{newest.status === 'RUNNING' ? words.running(newest.progress) : words.failed}</p>;
  if (newest.recommendations.length === 0) return <p class="muted">{words.nothing}</p>;
  const stands = newest.recommendations.map((one) => ({ one, stands: standingOf(desk, one) }));
  const open = stands.filter(({ stands }) => stands === 'open').map(({ one }) => one);
  const shown = stands.filter(({ stands }) => stands !== 'rejected').map(({ one }) => one);
  return (
    <>
      {newest.results && <p class="gain">{words.more(newest.results.revenueIncrease)}</p>}
      <ol tabIndex={0} aria-label={words.title}>
        {grouped(shown, (one) => standingOf(desk, one)).map((group) => (
          <Group key={cellKey(group[0]!)} desk={desk} group={group} busy={busy} attempt={attempt} />
        ))}
      </ol>
      {shown.length < stands.length && (
        <p class="actions">
          <span class="muted">{words.rejected(stands.length - shown.length)}</span>
          <button type="button" onClick={() => desk.revenue.reconsider()}>
            {words.undo}
          </button>
        </p>
      )}
      {open.length > 0 && <All desk={desk} open={open} busy={busy} attempt={attempt} />}
    </>
  );
}

type AllProps = Pick<NewestProps, 'desk' | 'busy' | 'attempt'> & { open: Advice[] };

/** All open recommendations at once: accepting needs a confirmation, since it changes many prices. */
function All({ desk, open, busy, attempt }: AllProps) {
  const asking = useSignal(false);
  const take = async (): Promise<void> => {
    asking.value = false;
    await accept(desk, open, words.accepted);
  };
  return asking.value ? (
    <p class="actions" role="group" aria-label={words.question(open.length)}>
      <span>{words.question(open.length)}</span>
      <ServiceButton desk={desk} class="primary" disabled={busy} onClick={() => void attempt(take)}>
        {words.confirm}
      </ServiceButton>
      <button type="button" onClick={() => (asking.value = false)}>
        {words.keep}
      </button>
    </p>
  ) : (
    <p class="actions">
      <ServiceButton desk={desk} class="primary" disabled={busy} onClick={() => (asking.value = true)}>
        {words.accept(open.length)}
      </ServiceButton>
      <button type="button" onClick={() => desk.revenue.reject(open)}>
        {words.rejectAll}
      </button>
    </p>
  );
}

type GroupProps = Pick<NewestProps, 'desk' | 'busy' | 'attempt'> & { group: Advice[] };

function Group({ desk, group, busy, attempt }: GroupProps) {
  const first = group[0]!;
  const last = group.at(-1)!;
  const percent = Math.round(percentFrom(first.optimizedRate, first.currentRate));
  const standing = standingOf(desk, first);
  const mark = standing === 'open' || standing === 'rejected' ? undefined : standing;
  const lock = (locked: boolean): Promise<void> => attempt(() => desk.revenue.lock(group, locked));
  const days = group.length === 1 ? shortDay(first.date) : dayRange(first.date, last.date);
  const what = `${first.roomType}, ${days}`;
  return (
    <li data-mark={mark}>
      <p class="who-when">
        <strong>{what}</strong>
        <span class="change">
          {wholeAmount(first.currentRate)} → {wholeAmount(first.optimizedRate)}
        </span>
      </p>
      <p class="number">
        <span>
          {nightsWord(group.length)}
          {mark && `, ${words[mark]}`}
        </span>
        <span>{signedPercent(percent)}</span>
      </p>
      {mark === 'locked' && (
        <p class="one">
          <ServiceButton
            desk={desk}
            disabled={busy}
            aria-label={words.unlockOne(what)}
            onClick={() => void lock(false)}
          >
            {words.unlock}
          </ServiceButton>
        </p>
      )}
      {standing === 'open' && (
        <p class="one">
          <ServiceButton
            desk={desk}
            disabled={busy}
            aria-label={words.acceptOne(what)}
            onClick={() => void attempt(() => accept(desk, group, words.accepted))}
          >
            {words.take}
          </ServiceButton>
          <ServiceButton desk={desk} disabled={busy} aria-label={words.lockOne(what)} onClick={() => void lock(true)}>
            {words.lock}
          </ServiceButton>
          <button type="button" aria-label={words.rejectOne(what)} onClick={() => desk.revenue.reject(group)}>
            {words.reject}
          </button>
        </p>
      )}
    </li>
  );
}
