import type { FeedItem } from '../../src/contracts/live.ts';
import { dayRange, timeOfDay } from './days.ts';
import type { Desk } from './desk.ts';
import { Icon } from './icons.tsx';
import { happeningOf, money } from './words.ts';

/** What happens to bookings, newest first: one entry a reservation, with the latest that is known of it. */
export function Feed({ desk }: { desk: Desk }) {
  const items = latestOfEach(desk.feed.value);
  return (
    <aside class="feed" aria-label="Bookings as they come in">
      <h2>
        Bookings <small>for these nights</small>
      </h2>
      {items.length === 0 ? (
        <p class="muted">Nothing yet. New bookings appear here by themselves.</p>
      ) : (
        <ol tabIndex={0} aria-label="Newest bookings">
          {items.map((item) => (
            <Entry key={`${item.reservationId} ${item.at}`} item={item} currency={desk.currency.value} />
          ))}
        </ol>
      )}
    </aside>
  );
}

function Entry({ item, currency }: { item: FeedItem; currency: string }) {
  const { verb, kind } = happeningOf(item);
  return (
    <li data-kind={kind}>
      <Icon name={kind} />
      <p class="who-when">
        <strong>{item.guestName ?? 'Guest'}</strong>
        <time dateTime={new Date(item.at).toISOString()}>{timeOfDay(item.at)}</time>
      </p>
      <p class="what">
        <span class="verb">{verb}</span> {item.roomType}, {dayRange(item.checkIn, item.checkOut)}
      </p>
      <p class="number">
        <span>
          {item.nights === 1 ? '1 night' : `${item.nights} nights`}, {item.confirmationNumber}
        </span>
        {item.totalAmount !== undefined && currency !== '' && <span>{money(item.totalAmount, currency)}</span>}
      </p>
    </li>
  );
}

function latestOfEach(items: readonly FeedItem[]): FeedItem[] {
  const seen = new Set<string>();
  return items.filter(({ reservationId }) => !seen.has(reservationId) && seen.add(reservationId));
}
