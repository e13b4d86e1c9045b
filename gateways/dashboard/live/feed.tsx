import type { FeedItem } from '../../../src/live/contracts/live.ts';
import { Aged } from '../grid/aged.tsx';
import { dayRange, timeOfDay } from '../grid/days.ts';
import { Icon } from '../icons.tsx';
import { feed as words, happeningOf, moneyText, nightsWord } from '../messages.ts';
import type { RevenueStore } from '../revenue/store.ts';
import { useSteady } from './use-steady.ts';
import { WaitingEntries } from './waiting-entries.tsx';

/** Age from which the feed is marked as old. */
const BUDGET_MS = 60_000;
/** A booking that an import has brought from another system. */
const IMPORTED = 'IMPORTED';

/** Newest changes of bookings, one entry per reservation with its latest state. */
export function Feed({ desk }: { desk: RevenueStore }) {
  const scope = `${desk.property.value?.propertyId} ${desk.isPast.value}`;
  const latest = latestOfEach(desk.feed.value);
  // Guests booked them long ago: among those who book now they would push out everything else.
  const booked = latest.filter(({ type }) => type !== IMPORTED);
  const { shown: items, waiting, showAll, watch } = useSteady(booked, keyOf, scope);
  return (
    <Aged desk={desk} class="feed" label={words.label} at={desk.oldSince.value} budgetMs={BUDGET_MS} watch={watch}>
      <h2>
        {words.title} <small>{words.scope}</small>
        <WaitingEntries waiting={waiting} onShow={showAll} />
      </h2>
      {items.length === 0 ? (
        <p class="muted">{words.none}</p>
      ) : (
        <ol tabIndex={0} aria-label={words.list}>
          {items.map((item, place) => (
            <Entry
              key={`${item.reservationId} ${item.at}`}
              item={item}
              place={place}
              currency={desk.currency.value}
            />
          ))}
        </ol>
      )}
      {booked.length < latest.length && <p class="muted">{words.imported(latest.length - booked.length)}</p>}
    </Aged>
  );
}

const keyOf = ({ reservationId }: FeedItem): string => reservationId;

/** Entries move by a transform, so that those below a new one need no layout. */
function Entry({ item, place, currency }: { item: FeedItem; place: number; currency: string }) {
  const { verb, kind } = happeningOf(item);
  return (
    <li data-kind={kind} style={{ '--place': String(place) }}>
      <Icon name={kind} />
      <p class="who-when">
        <strong>{item.guestName ?? words.guest}</strong>
        <time dateTime={new Date(item.at).toISOString()}>{timeOfDay(item.at)}</time>
      </p>
      <p class="what">
        <span class="verb">{verb}</span> {item.roomType}, {dayRange(item.checkIn, item.checkOut)}
      </p>
      <p class="number">
        <span>
          {nightsWord(item.nights)}, {item.confirmationNumber}
        </span>
        {item.totalAmount !== undefined && currency !== '' && <span>{moneyText(item.totalAmount, currency)}</span>}
      </p>
    </li>
  );
}

/** A change of several reservations, as when holds expire, names none of them: the earlier name stays. */
function latestOfEach(items: readonly FeedItem[]): FeedItem[] {
  const names = new Map<string, string>();
  for (const { reservationId, guestName } of items.toReversed()) if (guestName) names.set(reservationId, guestName);
  const seen = new Set<string>();
  return items
    .filter(({ reservationId }) => !seen.has(reservationId) && seen.add(reservationId))
    .map((item) => ({ ...item, guestName: item.guestName ?? names.get(item.reservationId) ?? null }));
}
