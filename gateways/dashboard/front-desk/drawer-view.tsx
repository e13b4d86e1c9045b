import { useEffect, useRef } from 'preact/hooks';

import { isCut } from '../access/messages.ts';
import { mediumDay } from '../grid/days.ts';
import { Icon } from '../icons.tsx';
import { moneyText, OFFLINE } from '../messages.ts';
import { ServiceButton, WhyDisabled } from '../service-button.tsx';
import { ConfirmForm } from './confirm-form.tsx';
import type { ConfirmRequest, Drawer } from './drawer.ts';
import { Fact } from './fact.tsx';
import { MoneySection } from './folio/money-section.tsx';
import type { FrontDesk } from './front-desk.ts';
import { TaskIcon } from './icons.tsx';
import { desk as deskWords, drawer as words, taskAdvice, taskMessages } from './messages.ts';
import { RoomPanel } from './room-panel.tsx';
import { NO_ROOM_ASSIGNED, type ReservationRead, stayOf } from './shapes.ts';
import { later } from './stay/later.tsx';
import { type Task, taskOf } from './tasks.ts';

const MoreOfStay = {
  Verbs: later(async () => (await import('./stay/stay-extras.tsx')).StayVerbs),
  Sections: later(async () => (await import('./stay/stay-extras.tsx')).StaySections),
};

/** The side drawer. */
export function DrawerView({ desk }: { desk: FrontDesk }) {
  const { opened } = desk.drawer;
  const heading = useRef<HTMLHeadingElement>(null);
  const what = opened.value;
  const key = what && (what.kind === 'room' ? what.roomNumber : what.id);
  const { done } = desk.drawer;
  useEffect(() => {
    if (key !== undefined) heading.current?.focus();
  }, [key, done.value]);
  if (!what) return null;
  const stay = what.kind === 'stay' ? desk.screen.value.stays.get(what.id) : undefined;
  const title =
    what.kind === 'panel'
      ? what.title
      : what.kind === 'room'
        ? deskWords.room(what.roomNumber)
        : (stay?.name ?? nameOf(desk.drawer));
  return (
    <div class="drawer" role="dialog" aria-labelledby="drawer-title">
      <div class="drawer-head">
        <h2 id="drawer-title" ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <button type="button" class="quiet" aria-label={words.close} onClick={() => desk.drawer.close()}>
          <Icon name="bad" />
        </button>
      </div>
      {what.kind === 'panel' ? (
        <what.view key={what.id} desk={desk} />
      ) : what.kind === 'room' ? (
        <RoomPanel desk={desk} roomNumber={what.roomNumber} />
      ) : (
        <StayPanel desk={desk} />
      )}
    </div>
  );
}

function nameOf(drawer: Drawer): string {
  const guest = drawer.read.value?.reservation.guestInfo;
  return guest ? fullName(guest) : words.title;
}

function StayPanel({ desk }: { desk: FrontDesk }) {
  const { read, confirming: request, verb, changedMeanwhile, done } = desk.drawer;
  const now = read.value;
  if (!now) return <NotRead desk={desk} />;
  const stay = stayOf(now.reservation);
  const isOver = stay.status === 'CANCELLED' || stay.status === 'NO_SHOW';
  const room = desk.screen.value.rooms.get(stay.roomNumber ?? '');
  const task = taskOf(stay, room, desk.today.value, desk.inspectsRooms);
  return (
    <>
      {done.value !== undefined && (
        <p class="done">
          <Icon name="good" />
          {done.value}
        </p>
      )}
      {!isOver && (
        <p class="todo">
          <span class="swatch" data-task={task}>
            <TaskIcon task={task} />
          </span>
          <span>
            <strong>{taskMessages[task]}</strong> {taskAdvice[task]}
          </span>
        </p>
      )}
      <Facts read={now} />
      <OtherRooms desk={desk} read={now} />
      {changedMeanwhile.value && (
        <p class="changed-meanwhile" role="status">
          {words.changedMeanwhile}
        </p>
      )}
      {desk.mayAct ? (
        request.value ? (
          <ConfirmForm desk={desk} read={now} request={request.value} />
        ) : verb.value !== undefined ? null : (
          <Steps desk={desk} read={now} task={task} />
        )
      ) : (
        <p class="muted">{words.lookOnly}</p>
      )}
      {desk.mayAct && <MoreOfStay.Verbs desk={desk} read={now} />}
      <MoneySection key={now.reservation.reservationId} desk={desk} read={now} />
      <MoreOfStay.Sections desk={desk} read={now} />
    </>
  );
}

/** A stay that is not read yet: what its list says of it, and why that is all. */
function NotRead({ desk }: { desk: FrontDesk }) {
  const { opened, error } = desk.drawer;
  const stay = opened.value?.kind === 'stay' ? desk.screen.value.stays.get(opened.value.id) : undefined;
  const isWithout = isCut(desk.connection.value);
  return (
    <>
      {stay && isWithout && (
        <dl class="facts">
          <Fact name={words.number} value={stay.confirmationNumber} />
          <Fact name={words.stay} value={`${mediumDay(stay.checkIn)} – ${mediumDay(stay.checkOut)}`} />
          <Fact name={words.room} value={`${stay.roomNumber ?? words.noRoom}, ${stay.roomType}`} />
        </dl>
      )}
      <p class="muted">{isWithout ? OFFLINE : (error.value?.text ?? words.loading)}</p>
    </>
  );
}

function Facts({ read: { reservation } }: { read: ReservationRead }) {
  const { stayDetails: stay, financial, guestInfo: guest, specialRequests } = reservation;
  // A node of the release before does not know companions and sharers.
  const { companions: others = [], sharer = null } = reservation as Partial<typeof reservation>;
  const amount = (value: number): string => moneyText(value, financial.currency);
  return (
    <dl class="facts">
      <Fact name={words.number} value={reservation.confirmationNumber} />
      <Fact name={words.stay} value={`${mediumDay(stay.checkIn)} – ${mediumDay(stay.checkOut)}`} />
      <Fact
        name={words.room}
        value={`${stay.roomNumber === NO_ROOM_ASSIGNED ? words.noRoom : stay.roomNumber}, ${stay.roomType}`}
      />
      <Fact name={words.guests} value={words.guestsOf(stay.adults, stay.children)} />
      {sharer && <Fact name={words.sharer} value={fullName(sharer)} />}
      {others.length > 0 && <Fact name={words.companions} value={others.map(fullName).join(', ')} />}
      <Fact name={words.contact} value={[guest.email, guest.phone].filter(Boolean).join(', ')} />
      {guest.loyaltyTier !== 'NONE' && <Fact name={words.member} value={guest.loyaltyTier} />}
      <Fact name={words.total} value={amount(financial.totalAmount)} />
      <Fact name={words.paid} value={amount(financial.paidAmount)} />
      {financial.balanceDue !== 0 && <Fact name={words.balance} value={amount(financial.balanceDue)} strong />}
      {specialRequests.length > 0 && <Fact name={words.requests} value={specialRequests.join('; ')} />}
    </dl>
  );
}

const fullName = ({ firstName, lastName }: { firstName: string; lastName: string }): string =>
  `${firstName} ${lastName}`;

/** The other rooms of a booking, each of which opens its stay. */
function OtherRooms({ desk, read: { others } }: { desk: FrontDesk; read: ReservationRead }) {
  if (others.length === 0) return null;
  return (
    <section class="steps-of-stay" aria-label={words.otherRooms}>
      <p class="muted">{words.otherRooms}</p>
      {others.map(({ reservationId, guestInfo, stayDetails: { roomType, roomNumber } }) => (
        <button key={reservationId} type="button" onClick={() => void desk.drawer.open(reservationId)}>
          {roomNumber === NO_ROOM_ASSIGNED ? roomType : `${roomNumber}, ${roomType}`}: {fullName(guestInfo)}
        </button>
      ))}
    </section>
  );
}

/** Actions on a stay; today's task comes first. */
function Steps({ desk, read: { reservation }, task }: { desk: FrontDesk; read: ReservationRead; task: Task }) {
  const { drawer } = desk;
  const { status, stayDetails: stay } = reservation;
  const isDue = status === 'CONFIRMED' && stay.checkIn <= desk.today.value;
  const isIn = status === 'CHECKED_IN';
  const isOpen = status === 'CONFIRMED' || status === 'PENDING';
  if (!isOpen && !isIn) return null;
  const isFirst = (name: 'room' | 'check-in' | 'check-out'): string | undefined =>
    (name === 'room' ? task === 'arrives-no-room' : name === 'check-out' ? isIn : task === 'arrives-ready')
      ? 'primary'
      : undefined;
  const room = stay.roomNumber === NO_ROOM_ASSIGNED ? words.assign : words.move;
  const dates = { checkIn: stay.checkIn, checkOut: stay.checkOut };
  const step = (text: string, request: ConfirmRequest, look?: string) => (
    <ServiceButton desk={desk} data-opens={request.kind} class={look} onClick={() => void drawer.ask(request)}>
      {text}
    </ServiceButton>
  );
  return (
    <div class="steps-of-stay">
      {isDue && step(words.checkIn, { kind: 'check-in', keyCards: 1 }, isFirst('check-in'))}
      {isIn && step(words.checkOut, { kind: 'check-out' }, isFirst('check-out'))}
      {status !== 'PENDING' && step(room, { kind: 'room' }, isFirst('room'))}
      {step(words.dates, { kind: 'dates', ...dates })}
      {isOpen && step(words.cancel, { kind: 'cancel', reason: 'GUEST_REQUEST' }, 'grave')}
      {isDue &&
        stay.checkIn === desk.today.value &&
        desk.mayWalk &&
        step(words.walk, { kind: 'walk', to: '', compensation: 0, reason: '' }, 'grave')}
      <WhyDisabled desk={desk} />
    </div>
  );
}
