import { useSignal, type Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { addDays, longDay, shortDay, timeOfDay } from './days.ts';
import type { Desk } from './desk.ts';
import type { CellChange, PriceStep } from './revenue-shapes.ts';
import { changesText, deedWord, marketRange, money, night as words, ruleWord, signed, totalWord } from './words.ts';

/** Days back that pickup is told for. */
const PICKUP_DAYS = [1, 3, 7, 14];
const HISTORY_ITEMS = 12;
/** A cell that is sold fast changes many times a second; its story is fetched after that. */
const SETTLE_MS = 400;

/** `undefined` while it is loading, `null` where it could not be had. */
type Loaded<T> = T | null | undefined;
type Story = {
  key: string;
  steps: Loaded<PriceStep[] | 'none'>;
  pickup: Loaded<number>[];
  history: Loaded<CellChange[]>;
};

/** Everything about one night of one room type: its price, how it sells, the market, what happened to it. */
export function NightPanel({ desk }: { desk: Desk }) {
  const key = desk.selected.value;
  const story = useSignal<Story | undefined>(undefined);
  const item = key === undefined ? undefined : desk.cell(key).value.item;
  useEffect(() => (key === undefined ? undefined : follow(desk, key, story)), [key, item, desk.role.value]);
  const shown = story.value?.key === key ? story.value : undefined;
  return (
    <section class="sheet night" aria-label={words.title}>
      <h2>
        {item ? `${item.roomType}, ${longDay(item.date)}` : words.title}
        {item?.rate !== null && item?.rate !== undefined && <strong>{money(item.rate, item.currency)}</strong>}
      </h2>
      {key === undefined || !item ? (
        <p class="muted">{words.none}</p>
      ) : (
        <div class="columns">
          <Price story={shown} currency={item.currency} />
          <div>
            <PickupTable story={shown} />
            <Market desk={desk} cellKey={key} />
          </div>
          <History story={shown} />
        </div>
      )}
    </section>
  );
}

function Price({ story, currency }: { story: Story | undefined; currency: string }) {
  const steps = story?.steps;
  return (
    <div>
      <h3>{words.price}</h3>
      {!Array.isArray(steps) ? (
        <Missing value={steps === 'none' ? 'none' : steps} none={words.priceNone} />
      ) : (
        <table class="steps">
          <tbody>
            {steps.map(({ rule, amount }, index) => (
              <tr key={rule} data-zero={amount === 0 || undefined}>
                <th scope="row">{ruleWord(rule)}</th>
                <td>{index === 0 ? money(amount, currency) : withSign(amount, currency)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{totalWord}</th>
              <td>
                {money(
                  steps.reduce((sum, { amount }) => sum + amount, 0),
                  currency,
                )}
              </td>
            </tr>
          </tfoot>
        </table>
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

function Market({ desk, cellKey }: { desk: Desk; cellKey: string }) {
  const market = desk.market(cellKey).value;
  const currency = desk.currency.value;
  return (
    <>
      <h3>{words.market}</h3>
      {market ? (
        <p>
          <strong>{money(market.median, currency)}</strong>{' '}
          {marketRange(money(market.low, currency), money(market.high, currency), market.count)}
        </p>
      ) : (
        <p class="muted">{words.marketNone}</p>
      )}
    </>
  );
}

function History({ story }: { story: Story | undefined }) {
  const history = story?.history;
  return (
    <div class="happened">
      <h3>{words.history}</h3>
      {!history || history.length === 0 ? (
        <Missing value={history && 'none'} none={words.historyNone} />
      ) : (
        <ol tabIndex={0} aria-label={words.history}>
          {history.map(({ seq, at, type, changes }) => (
            <li key={seq}>
              <time dateTime={at}>{when(at)}</time> <strong>{deedWord(type)}</strong> {changesText(changes)}
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

/** Fetches what is told of a cell, after a pause; what was fetched before stays until then. */
function follow(desk: Desk, key: string, story: Signal<Story | undefined>): () => void {
  let [stopped, known] = [false, story.peek()];
  if (known?.key !== key) known = { key, steps: undefined, pickup: [], history: undefined };
  story.value = known;
  const put = (part: Partial<Story>): void => {
    if (!stopped) story.value = { ...story.peek()!, ...part };
  };
  const load = (): void => {
    const [date, roomType] = [key.slice(0, 10), key.slice(11)];
    const { api } = desk.revenue;
    if (!api) return;
    const cell = { roomType, date };
    api.priceSteps(cell, addDays(date, 1)).then(
      (steps) => put({ steps: steps ?? 'none' }),
      () => put({ steps: null }),
    );
    api.history(cell, HISTORY_ITEMS).then(
      (history) => put({ history }),
      () => put({ history: null }),
    );
    PICKUP_DAYS.forEach((days, index) => {
      const took = (rooms: number | null): void => put({ pickup: replaced(story.peek()!.pickup, index, rooms) });
      api.pickup({ start: date, end: date }, days).then(
        ({ items }) => took(items.find((one) => one.roomType === roomType)?.pickup ?? null),
        () => took(null),
      );
    });
  };
  const due = setTimeout(load, known.steps === undefined ? 0 : SETTLE_MS);
  return () => {
    stopped = true;
    clearTimeout(due);
  };
}

function replaced<T>(list: readonly T[], index: number, item: T): T[] {
  const copy = [...list];
  copy[index] = item;
  return copy;
}

function withSign(amount: number, currency: string): string {
  if (amount === 0) return '–';
  return `${amount > 0 ? '+' : '\u2212'}${money(Math.abs(amount), currency)}`;
}

/** The time of a change of today, the day of an older one. */
function when(at: string): string {
  const [instant, now] = [new Date(at), new Date()];
  return instant.toDateString() === now.toDateString() ? timeOfDay(instant.getTime()) : shortDay(at.slice(0, 10));
}
