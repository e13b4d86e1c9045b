import { mediumDay } from '../grid/days.ts';
import { ServiceButton, WhyDisabled } from '../service-button.tsx';
import { closing as closingWords } from './closing/messages.ts';
import { openClosing } from './closing/open-closing.tsx';
import { Fact } from './fact.tsx';
import type { FrontDesk } from './front-desk.ts';
import { RoomIcon } from './icons.tsx';
import {
  desk as deskWords,
  drawer as words,
  maintenances as maintenanceWords,
  roomStatusMessages,
} from './messages.ts';
import { errorText } from './problem-messages.ts';
import { RoomTask } from './room-task.tsx';
import type { RoomStatusName } from './shapes.ts';

/** Housekeeping states that can be set; occupancy follows from check-in and check-out, out of order has nights. */
const SETTABLE: readonly RoomStatusName[] = ['DIRTY', 'CLEAN', 'INSPECTED'];

/** A room: who is in it, who comes next, its state, its housekeeping task, and its maintenances. */
export function RoomPanel({ desk, roomNumber }: { desk: FrontDesk; roomNumber: string }) {
  const room = desk.screen.value.rooms.get(roomNumber);
  if (!room) return null;
  const stays = [...desk.screen.value.stays.values()].filter((stay) => stay.roomNumber === roomNumber);
  const inIt = stays.find(({ status }) => status === 'CHECKED_IN');
  const coming = stays
    .filter(({ status }) => status === 'CONFIRMED')
    .sort((a, b) => (a.checkIn < b.checkIn ? -1 : 1));
  const set = (status: RoomStatusName): void => saying(desk, desk.setRoomStatus(roomNumber, status));
  return (
    <>
      <dl class="facts">
        <Fact name={words.room} value={`${roomNumber}, ${room.roomType}`} />
        <Fact name={words.roomStatus} value={roomStatusMessages[room.status]} strong />
        {inIt && <Fact name={words.guestInRoom} value={inIt.name} />}
        {coming[0] && <Fact name={words.nextIn} value={`${coming[0].name}, ${mediumDay(coming[0].checkIn)}`} />}
      </dl>
      {inIt && (
        <p>
          <button type="button" onClick={() => void desk.drawer.open(inIt.reservationId)}>
            {words.openStay}
          </button>
        </p>
      )}
      {desk.mayAct && (
        <fieldset class="statuses">
          <legend>{words.setStatus}</legend>
          {SETTABLE.map((status) => (
            <ServiceButton
              key={status}
              desk={desk}
              data-status={status}
              aria-pressed={room.status === status}
              onClick={() => set(status)}
            >
              <RoomIcon status={status} />
              {roomStatusMessages[status]}
            </ServiceButton>
          ))}
          <WhyDisabled desk={desk} />
        </fieldset>
      )}
      <RoomTask desk={desk} roomNumber={roomNumber} run={(work) => saying(desk, work)} />
      <Maintenances desk={desk} roomNumber={roomNumber} />
      {desk.drawer.error.value && <p class="form-error">{desk.drawer.error.value.text}</p>}
    </>
  );
}

/** Runs a change of a room, and shows its error in the drawer. */
function saying(desk: FrontDesk, work: Promise<void>): void {
  desk.drawer.error.value = undefined;
  work.catch((error: unknown) => (desk.drawer.error.value = { code: '', text: errorText(error) }));
}

function Maintenances({ desk, roomNumber }: { desk: FrontDesk; roomNumber: string }) {
  const own = desk.screen.value.maintenances
    .filter((one) => one.roomNumber === roomNumber)
    .sort((a, b) => (a.from < b.from ? -1 : 1));
  return (
    <section class="maintenances" aria-labelledby="maintenances-title">
      <h3 id="maintenances-title">{maintenanceWords.title}</h3>
      {own.length === 0 && <p class="muted">{maintenanceWords.none}</p>}
      <ul>
        {own.map((one) => (
          <li key={one.maintenanceId}>
            <span>{deskWords.maintenance(one)}</span>
            {desk.mayAct && (
              <ServiceButton
                desk={desk}
                aria-label={maintenanceWords.endLong(one)}
                onClick={() => saying(desk, desk.endMaintenance(one))}
              >
                {maintenanceWords.end}
              </ServiceButton>
            )}
          </li>
        ))}
      </ul>
      {desk.mayAct && (
        <ServiceButton desk={desk} onClick={() => void openClosing(desk, roomNumber)}>
          <RoomIcon status="OUT_OF_ORDER" />
          {closingWords.verb}
        </ServiceButton>
      )}
    </section>
  );
}
