import { pageUrl } from '../address.ts';
import { NO_ROOM_ASSIGNED } from '../front-desk/shapes.ts';
import { dayRange } from '../grid/days.ts';
import { moneyText } from '../messages.ts';
import { ServiceButton } from '../service-button.tsx';
import { whoText } from '../who.ts';
import type { ProfileView, GuestStay } from './api.ts';
import type { GuestsStore } from './guests.ts';
import { guests as words, languageName, stayStates, wishText } from './messages.ts';
import { GuestNotesView } from './notes.tsx';
import { GuestPanel } from './panel.tsx';

type Props = { guests: GuestsStore };

const TO_COME: ReadonlySet<string> = new Set(['PENDING', 'CONFIRMED', 'CHECKED_IN']);

/** One guest: contact data, loyalty, and stays past and to come. */
export function GuestProfileView({ guests }: Props) {
  const profile = guests.profile.value;
  return (
    <>
      <section class="guest-profile" aria-labelledby="guest-title">
        <a class="back" href="/guests">
          {words.back}
        </a>
        <header class="guest-head">
          <h1 id="guest-title">{profile ? `${profile.firstName} ${profile.lastName}` : '\u00a0'}</h1>
          {profile && <Verbs guests={guests} />}
        </header>
        <p role="status">{guests.done.value ?? (profile || guests.trouble.value ? '' : words.loading)}</p>
        {guests.done.value === words.erased && <p>{words.gone}</p>}
        {profile && <Facts profile={profile} />}
        {guests.notes.value && <GuestNotesView key={guests.guestId.value} guests={guests} />}
        {guests.stays.value && <Stays guests={guests} />}
      </section>
      {profile && guests.panel.value !== undefined && <GuestPanel guests={guests} profile={profile} />}
    </>
  );
}

function Verbs({ guests }: Props) {
  return (
    <div class="verbs">
      {guests.panels.value.map((panel) => (
        <ServiceButton
          key={panel}
          desk={guests}
          aria-expanded={guests.panel.value === panel}
          onClick={() => guests.openPanel(guests.panel.peek() === panel ? undefined : panel)}
        >
          {words[panel]}
        </ServiceButton>
      ))}
    </div>
  );
}

function Facts({ profile }: { profile: ProfileView }) {
  const { email, phone, language, preferences, loyalty, history, consent, merged } = profile;
  const wishes = Object.entries(preferences ?? {}).map(([name, value]) => wishText(name, value));
  return (
    <dl class="guest-facts" aria-label={words.profile}>
      <dt>{words.email}</dt>
      <dd>{email}</dd>
      <dt>{words.phone}</dt>
      <dd>{phone ?? words.noPhone}</dd>
      <dt>{words.language}</dt>
      <dd>{languageName(language)}</dd>
      <dt>{words.loyalty}</dt>
      <dd>
        {loyalty.tier.toLowerCase()}, {words.nights(loyalty.nights, loyalty.days)}
      </dd>
      <dt>{words.wishes}</dt>
      <dd>{wishes.length === 0 ? words.noWishes : wishes.join('; ')}</dd>
      <dt>{words.consent}</dt>
      <dd>
        {consent
          ? words.consentSaid(consent.marketingByMail, consent.at, whoText(consent.by, consent.byName))
          : words.notAsked}
      </dd>
      {merged.length > 0 && (
        <>
          <dt>{words.mergedLabel}</dt>
          <dd>{merged.map((one) => words.mergedOne(`${one.firstName} ${one.lastName}`, one.email)).join('; ')}</dd>
        </>
      )}
      <dt>{words.past}</dt>
      <dd>{words.history(history.stays, history.cancelled, history.noShows)}</dd>
    </dl>
  );
}

function Stays({ guests }: Props) {
  const { items, nextCursor } = guests.stays.value!;
  const toCome = items.filter(({ status }) => TO_COME.has(status)).toReversed();
  const past = items.filter(({ status }) => !TO_COME.has(status));
  return (
    <>
      <StayTable guests={guests} title={words.upcoming} none={words.noUpcoming} stays={toCome} />
      <StayTable guests={guests} title={words.past} none={words.noPast} stays={past} />
      {nextCursor !== null && <p class="muted">{words.moreStays(items.length)}</p>}
    </>
  );
}

type TableProps = Props & { title: string; none: string; stays: readonly GuestStay[] };

function StayTable({ guests, title, none, stays }: TableProps) {
  return (
    <section class="guest-stays" aria-label={title}>
      <h2>{title}</h2>
      {stays.length === 0 ? (
        <p class="muted">{none}</p>
      ) : (
        <div class="guests-table" tabIndex={0} role="group" aria-label={title}>
          <table>
            <thead>
              <tr>
                <th scope="col">{words.dates}</th>
                <th scope="col">{words.property}</th>
                <th scope="col">{words.room}</th>
                <th scope="col">{words.status}</th>
                <th scope="col" class="amount">
                  {words.total}
                </th>
                <th scope="col" class="amount">
                  {words.balance}
                </th>
              </tr>
            </thead>
            <tbody>
              {stays.map((stay) => (
                <StayRow key={stay.reservationId} guests={guests} stay={stay} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function StayRow({ guests, stay }: Props & { stay: GuestStay }) {
  const { reservationId, propertyId, status, stayDetails, financial } = stay;
  const { checkIn, checkOut, roomType, roomNumber } = stayDetails;
  const desk = pageUrl('/desk', { property: propertyId, date: checkIn, stay: reservationId });
  return (
    <tr>
      <th scope="row">
        <a href={desk}>{dayRange(checkIn, checkOut)}</a>
      </th>
      <td>{guests.propertyNames.value.get(propertyId) ?? propertyId}</td>
      <td>{roomNumber === NO_ROOM_ASSIGNED ? words.noRoomYet(roomType) : `${roomNumber} ${roomType}`}</td>
      <td>{stayStates[status] ?? status}</td>
      <td class="amount">{moneyText(financial.totalAmount, financial.currency)}</td>
      <td class="amount">{moneyText(financial.balanceDue, financial.currency)}</td>
    </tr>
  );
}
