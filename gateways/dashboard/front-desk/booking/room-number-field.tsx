import { bookingMessages as words } from './messages.ts';
import type { NewReservation } from './new-reservation.ts';

/** The room that is given at once: of a walk-in one that is ready now. */
export function RoomNumberField({ state }: { state: NewReservation }) {
  const fits = state.fits.value;
  return (
    <label class="field">
      {words.giveRoom}
      <select
        name="roomNumber"
        value={state.roomNumber.value}
        onChange={(event) => state.change({ roomNumber: event.currentTarget.value })}
      >
        {(!state.isWalkIn || fits.length === 0) && (
          <option value="">{state.isWalkIn ? words.noReady : words.anyRoom}</option>
        )}
        {fits.map(({ room }) => (
          <option key={room.roomNumber} value={room.roomNumber}>
            {room.roomNumber}
          </option>
        ))}
      </select>
    </label>
  );
}
