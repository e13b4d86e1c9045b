import { ServiceButton } from '../../service-button.tsx';
import type { FrontDesk } from '../front-desk.ts';
import type { ReservationRead } from '../shapes.ts';
import { GuestLink } from './guest-link.tsx';
import { verbWords as words } from './messages.ts';
import { Notes } from './notes.tsx';
import { OnlineCheckInSection } from './online-check-in.tsx';
import { StayHistory, StayMessages } from './papers.tsx';
import type { VerbName, WholeStay } from './shapes.ts';
import { VerbForm } from './verb-form.tsx';
import { offeredVerbs, STAY_VERBS } from './verbs.ts';

type Props = { desk: FrontDesk; read: ReservationRead };

/** Further verbs of a stay, or the form of the one that somebody has chosen. */
export function StayVerbs({ desk, read }: Props) {
  const { reservationId } = read.reservation;
  const { verb, confirming } = desk.drawer;
  const name = verb.value as VerbName | undefined;
  if (name !== undefined) return <VerbForm key={`${reservationId} ${name}`} desk={desk} read={read} name={name} />;
  return confirming.value ? null : <MoreVerbs desk={desk} read={read} />;
}

/** The guest of a stay, notes of staff, messages and history. */
export function StaySections({ desk, read }: Props) {
  const { reservationId, guestInfo } = read.reservation;
  const { guestId } = guestInfo;
  return (
    <>
      <GuestLink key={guestId} desk={desk} guestId={guestId} />
      {desk.mayAct && (
        <OnlineCheckInSection key={`page ${reservationId}`} desk={desk} reservationId={reservationId} />
      )}
      {desk.mayAct && <Notes key={`notes ${reservationId}`} desk={desk} reservationId={reservationId} />}
      {desk.mayAct && <StayMessages key={`messages ${reservationId}`} desk={desk} read={read} />}
      <StayHistory key={`history ${reservationId}`} desk={desk} read={read} />
    </>
  );
}

function MoreVerbs({ desk, read }: Props) {
  const names = offeredVerbs(read.reservation as WholeStay, desk);
  const { status } = read.reservation;
  const isOpen = status === 'PENDING' || status === 'CONFIRMED' || status === 'CHECKED_IN';
  if (names.length === 0) return isOpen ? null : <p class="muted">{words.nothing}</p>;
  return (
    <div class="steps-of-stay">
      {names.map((name) => (
        <ServiceButton
          key={name}
          desk={desk}
          data-opens={name}
          class={STAY_VERBS[name].grave ? 'grave' : undefined}
          onClick={() => desk.drawer.choose(name)}
        >
          {STAY_VERBS[name].label}
        </ServiceButton>
      ))}
    </div>
  );
}
