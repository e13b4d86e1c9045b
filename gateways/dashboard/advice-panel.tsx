import { useSignal } from '@preact/signals';
import { cellKey } from '../../src/contracts/replica.ts';
import { Aged } from './aged.tsx';
import { addDays, dayRange, shortDay, timeOfDay } from './days.ts';
import type { Desk } from './desk.ts';
import { percentFrom } from './cell-face.ts';
import type { Advice, Optimization } from './revenue-shapes.ts';
import { advice as words, nightsWord, signedPercent, wholeAmount } from './words.ts';
import { travel } from './words-travel.ts';

const NIGHTS_TO_OPTIMIZE = 30;
/** The services are asked every minute: twice without an answer is too old. */
const BUDGET_MS = 150_000;

/** The newest recommended rates, to take over or to put aside. */
export function AdvicePanel({ desk }: { desk: Desk }) {
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
      {newest && revenue.rejected.value ? (
        <p class="actions">
          <span class="muted">{words.rejected}</span>
          <button type="button" onClick={() => revenue.reject(false)}>
            {words.undo}
          </button>
        </p>
      ) : (
        <Newest desk={desk} newest={newest} busy={busy.value} attempt={attempt} />
      )}
      <p class="actions">
        <button type="button" disabled={busy.value} onClick={() => void ask()}>
          {newest ? words.again : words.ask}
        </button>
      </p>
    </Aged>
  );
}

type NewestProps = {
  desk: Desk;
  newest: Optimization | undefined;
  busy: boolean;
  attempt: (work: () => Promise<void>) => Promise<void>;
};

function Newest({ desk, newest, busy, attempt }: NewestProps) {
  const asking = useSignal(false);
  if (!newest) return <p class="muted">{words.none}</p>;
  if (newest.status !== 'COMPLETED')
    return <p class="muted">{newest.status === 'RUNNING' ? words.running(newest.progress) : words.failed}</p>;
  const open = newest.recommendations.filter((one) => standing(desk, one) !== 'done');
  if (newest.recommendations.length === 0) return <p class="muted">{words.nothing}</p>;
  const accept = async (): Promise<void> => {
    asking.value = false;
    const nights = await desk.revenue.api!.implement(newest.optimizationId);
    desk.announcement.value = words.accepted(nights);
  };
  return (
    <>
      {newest.results && <p class="gain">{words.more(newest.results.revenueIncrease)}</p>}
      <ol tabIndex={0} aria-label={words.title}>
        {grouped(newest.recommendations).map((group) => (
          <Group key={cellKey(group[0]!)} desk={desk} group={group} />
        ))}
      </ol>
      {open.length === 0 ? null : asking.value ? (
        <p class="actions" role="group" aria-label={words.question(open.length)}>
          <span>{words.question(open.length)}</span>
          <button type="button" class="primary" disabled={busy} onClick={() => void attempt(accept)}>
            {words.confirm}
          </button>
          <button type="button" onClick={() => (asking.value = false)}>
            {words.keep}
          </button>
        </p>
      ) : (
        <p class="actions">
          <button type="button" class="primary" disabled={busy} onClick={() => (asking.value = true)}>
            {words.accept(open.length)}
          </button>
          <button type="button" onClick={() => desk.revenue.reject(true)}>
            {words.reject}
          </button>
        </p>
      )}
    </>
  );
}

function Group({ desk, group }: { desk: Desk; group: Advice[] }) {
  const [first, last] = [group[0]!, group.at(-1)!];
  const percent = Math.round(percentFrom(first.optimizedRate, first.currentRate));
  const stands = group.map((one) => standing(desk, one));
  const mark = stands.every((one) => one === 'done') ? 'done' : stands.includes('moved') ? 'moved' : undefined;
  const days = group.length === 1 ? shortDay(first.date) : dayRange(first.date, last.date);
  return (
    <li data-mark={mark}>
      <p class="who-when">
        <strong>
          {first.roomType}, {days}
        </strong>
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
    </li>
  );
}

/** Whether a recommended rate is the rate already, or the rate is another than the recommendation began with. */
function standing(desk: Desk, one: Advice): 'open' | 'done' | 'moved' {
  const rate = desk.cell(cellKey(one)).value.item?.rate;
  if (rate === one.optimizedRate) return 'done';
  return rate === undefined || rate === one.currentRate ? 'open' : 'moved';
}

/** The same change of one room type on nights that follow each other is told once, in the order of the first night. */
function grouped(all: readonly Advice[]): Advice[][] {
  const runs: Advice[][] = [];
  for (const one of all.toSorted((a, b) => a.date.localeCompare(b.date))) {
    const run = runs.find((nights) => continues(nights.at(-1)!, one));
    if (run) run.push(one);
    else runs.push([one]);
  }
  return runs;
}

function continues(before: Advice, one: Advice): boolean {
  if (before.roomType !== one.roomType || addDays(before.date, 1) !== one.date) return false;
  return before.currentRate === one.currentRate && before.optimizedRate === one.optimizedRate;
}
