import { useSignal, type Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { cellKey } from '../../../packages/client/src/live/replica.ts';
import { Aged } from '../grid/aged.tsx';
import { addDays, shownDayOf, longDay, shortDay, timeOfDay } from '../grid/days.ts';
import { travel } from '../history/messages.ts';
import { Icon } from '../icons.tsx';
import { returns } from '../live/network.ts';
import {
  advice,
  changesText,
  marketRange,
  moneyText,
  night as words,
  ruleWord,
  signed,
  totalWord,
} from '../messages.ts';
import { ServiceButton } from '../service-button.tsx';
import { lazily } from '../shell/lazy.tsx';
import { whoText } from '../who.ts';
import { ChangeOutcome } from './change-outcome.tsx';
import type { EditedLine } from './night/breakdown-edit.tsx';
import { breakdown } from './night/breakdown-messages.ts';
import { deedWord } from './night/deed-messages.ts';
import { NightNotes } from './night/night-notes.tsx';
import type { CellHistoryEntry, PriceStepView } from './shapes.ts';
import type { RevenueStore } from './store.ts';

/** Days of the pickup figures. */
const PICKUP_DAYS = [1, 3, 7, 14];
const HISTORY_ITEMS = 12;
/** Changes after the shown instant are left out. */
const MAX_HISTORY_ITEMS = 100;
/** A hot cell changes many times a second; its details are fetched after a pause. */
const SETTLE_MS = 400;
/** Age from which the panel is marked as old: without a connection changes are not reported. */
const BUDGET_MS = 120_000;

/** `undefined` while loading, `null` when not available. */
type Loaded<T> = T | null | undefined;
type Story = {
  key: string;
  steps: Loaded<PriceStepView[] | 'none'>;
  pickup: Loaded<number>[];
  history: Loaded<CellHistoryEntry[]>;
  /** The shown instant, where it is past. */
  asOf: number | undefined;
};

/** Details of one night of one room type: price, sales, market and history. */
export function NightPanel({ desk }: { desk: RevenueStore }) {
  const key = desk.selected.value;
  const story = useSignal<Story | undefined>(undefined);
  const item = key === undefined ? undefined : desk.cell(key).value.item;
  useEffect(
    () => (key === undefined ? undefined : follow(desk, key, story)),
    [key, item, desk.role.value, desk.isPast.value, returns.value],
  );
  const shown = story.value?.key === key ? story.value : undefined;
  return (
    <Aged desk={desk} class="sheet night" label={words.title} at={desk.oldSince.value} budgetMs={BUDGET_MS}>
      <h2>
        {item ? `${item.roomType}, ${longDay(item.date)}` : words.title}
        {item?.rate !== null && item?.rate !== undefined && <strong>{moneyText(item.rate, item.currency)}</strong>}
      </h2>
      {key === undefined || !item ? (
        <p class="muted">{words.none}</p>
      ) : (
        <div class="columns">
          <div>
            <Price desk={desk} story={shown} cell={item} isPast={desk.isPast.value} />
            {desk.seesAmounts && !desk.isPast.value && item.rate !== null && <Lock desk={desk} cell={item} />}
          </div>
          <div>
            <PickupTable story={shown} />
            <Market desk={desk} cellKey={key} />
          </div>
          <History story={shown} now={desk.tick.value} currency={item.currency} />
          <NightNotes desk={desk} roomType={item.roomType} date={item.date} />
          <ChangeOutcome desk={desk} place="night" />
        </div>
      )}
    </Aged>
  );
}

/** Lock of the night's rate against optimizations. */
function Lock({ desk, cell }: { desk: RevenueStore; cell: { roomType: string; date: string } }) {
  const isLocked = desk.revenue.locked.value.has(cellKey(cell));
  const toggle = (): void => {
    desk.revenue
      .lock([cell], !isLocked)
      .catch((error: unknown) => (desk.notice.value = error instanceof Error ? error.message : advice.failed));
  };
  return (
    <p class="lock">
      <ServiceButton desk={desk} aria-pressed={isLocked} onClick={toggle}>
        {advice.lockRate}
      </ServiceButton>{' '}
      <small>{advice.lockHint}</small>
    </p>
  );
}

type PriceProps = {
  desk: RevenueStore;
  story: Story | undefined;
  cell: { roomType: string; date: string; currency: string };
  isPast: boolean;
};

const BreakdownEdit = lazily(async () => (await import('./night/breakdown-edit.tsx')).BreakdownEdit);
const isEdited = (rule: string): rule is EditedLine => rule === 'base' || rule === 'season';

function Price({ desk, story, cell, isPast }: PriceProps) {
  const edited = useSignal<EditedLine | undefined>(undefined);
  const { roomType, date, currency } = cell;
  useEffect(() => void (edited.value = undefined), [roomType, date]);
  const steps = story?.steps;
  return (
    <div>
      <h3>{words.price}</h3>
      {!Array.isArray(steps) ? (
        <Missing value={steps === 'none' ? 'none' : steps} none={isPast ? travel.onlyNow : words.priceNone} />
      ) : (
        <table class="steps">
          <tbody>
            {steps.map(({ rule, amount }, index) => (
              <tr key={rule} data-zero={amount === 0 || undefined}>
                <th scope="row">{ruleWord(rule)}</th>
                <td>{index === 0 ? moneyText(amount, currency) : withSign(amount, currency)}</td>
                {desk.editor.isOpen && (
                  <td class="edit">
                    {isEdited(rule) && (
                      <ServiceButton
                        desk={desk}
                        class="quiet"
                        aria-label={breakdown.editOne[rule]}
                        aria-expanded={edited.value === rule}
                        onClick={() => (edited.value = edited.value === rule ? undefined : rule)}
                      >
                        <Icon name="edit" />
                      </ServiceButton>
                    )}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{totalWord}</th>
              <td>
                {moneyText(
                  steps.reduce((sum, { amount }) => sum + amount, 0),
                  currency,
                )}
              </td>
            </tr>
          </tfoot>
        </table>
      )}
      {edited.value && (
        <BreakdownEdit
          key={edited.value}
          desk={desk}
          cell={{ roomType, date }}
          line={edited.value}
          onClose={() => (edited.value = undefined)}
        />
      )}
    </div>
  );
}

function PickupTable({ story }: { story: Story | undefined }) {
  return (
    <>
      <h3>{words.pickup}</h3>
      <table class="pickup">
        <caption class="visually-hidden">{words.pickupCaption}</caption>
        <thead>
          <tr>
            {PICKUP_DAYS.map((days) => (
              <th key={days} scope="col">
                {words.days(days)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            {PICKUP_DAYS.map((days, index) => {
              const rooms = story?.pickup[index];
              return <td key={days}>{rooms === undefined || rooms === null ? '–' : signed(rooms)}</td>;
            })}
          </tr>
        </tbody>
      </table>
    </>
  );
}

function Market({ desk, cellKey }: { desk: RevenueStore; cellKey: string }) {
  const market = desk.market(cellKey).value;
  const currency = desk.currency.value;
  return (
    <>
      <h3>{words.market}</h3>
      {market ? (
        <p>
          <strong>{moneyText(market.median, currency)}</strong>{' '}
          {marketRange(moneyText(market.low, currency), moneyText(market.high, currency), market.count)}
        </p>
      ) : (
        <p class="muted">{words.marketNone}</p>
      )}
    </>
  );
}

type HistoryProps = { story: Story | undefined; now: number; currency: string };

function History({ story, now, currency }: HistoryProps) {
  const history = story?.history;
  return (
    <div class="happened">
      <h3>{words.history}</h3>
      {!history || history.length === 0 ? (
        <Missing value={history && 'none'} none={story?.asOf === undefined ? words.historyNone : words.historyPast} />
      ) : (
        <ol tabIndex={0} aria-label={words.history}>
          {history.map(({ seq, at, type, by, byName, changes }) => (
            <li key={seq}>
              <time dateTime={at}>{when(at, now)}</time> <small>{whoText(by, byName)}</small>{' '}
              <strong>{deedWord(type, changes)}</strong> {changesText(changes, currency)}
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

function Missing({ value, none }: { value: Loaded<'none'>; none: string }) {
  return <p class="muted">{value === undefined ? words.loading : value === null ? words.failed : none}</p>;
}

/** Fetches the details of a cell after a pause; the previous ones stay until then. */
function follow(desk: RevenueStore, key: string, story: Signal<Story | undefined>): () => void {
  let stopped = false;
  let known = story.peek();
  const isPast = desk.isPast.peek();
  if (known?.key !== key || (known.asOf !== undefined) !== isPast)
    known = { key, steps: undefined, pickup: [], history: undefined, asOf: undefined };
  story.value = known;
  const put = (part: Partial<Story>): void => {
    if (!stopped) story.value = { ...story.peek()!, ...part };
  };
  const isNew = known.history === undefined && !isPast;
  const due = setTimeout(() => load(desk, key, story, put), isNew ? 0 : SETTLE_MS);
  return () => {
    stopped = true;
    clearTimeout(due);
  };
}

function load(
  desk: RevenueStore,
  key: string,
  story: Signal<Story | undefined>,
  put: (part: Partial<Story>) => void,
): void {
  const { api } = desk.revenue;
  if (!api) return;
  const cell = { roomType: key.slice(11), date: key.slice(0, 10) };
  const asOf = desk.travel.shown.peek();
  put({ asOf });
  // A price breakdown exists only for the present.
  if (asOf !== undefined) put({ steps: 'none' });
  else
    api.priceSteps(cell, addDays(cell.date, 1)).then(
      (steps) => put({ steps: steps ?? 'none' }),
      () => put({ steps: null }),
    );
  api.history(cell, asOf === undefined ? HISTORY_ITEMS : MAX_HISTORY_ITEMS).then(
    (all) => put({ history: all.filter(({ at }) => asOf === undefined || Date.parse(at) <= asOf) }),
    () => put({ history: null }),
  );
  PICKUP_DAYS.forEach((days, index) => {
    const took = (rooms: number | null): void => put({ pickup: replaced(story.peek()!.pickup, index, rooms) });
    api.pickup({ start: cell.date, end: cell.date }, days, asOf).then(
      ({ items }) => took(items.find((one) => one.roomType === cell.roomType)?.pickup ?? null),
      () => took(null),
    );
  });
}

function replaced<T>(list: readonly T[], index: number, item: T): T[] {
  const copy = [...list];
  copy[index] = item;
  return copy;
}

function withSign(amount: number, currency: string): string {
  if (amount === 0) return '–';
  return `${amount > 0 ? '+' : '\u2212'}${moneyText(Math.abs(amount), currency)}`;
}

/** Time of today's changes, date of older ones. */
function when(at: string, now: number): string {
  const instant = Date.parse(at);
  return shownDayOf(instant) === shownDayOf(now) ? timeOfDay(instant) : shortDay(shownDayOf(instant));
}
