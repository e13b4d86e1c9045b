import { bookingMessages as words } from './messages.ts';
import type { NewReservation } from './new-reservation.ts';
import { hasAllAges } from './offers.ts';
import { MAX_ROOMS_OF_BOOKING, type RoomForm } from './shapes.ts';

const MAX_ADULTS = 6;
const MAX_CHILDREN = 6;
const MAX_AGE = 17;

const upTo = (most: number, from = 0): number[] => Array.from({ length: most - from + 1 }, (_, n) => n + from);

/** Dates, rooms and guests. */
export function StayFieldset({ state }: { state: NewReservation }) {
  const form = state.form.value;
  const today = state.desk.today.value;
  const problem = state.datesProblem;
  return (
    <fieldset>
      <legend>{words.dates}</legend>
      <div class="fields three">
        <label>
          {words.arrival}
          <input
            type="date"
            name="checkIn"
            required
            min={today}
            value={form.checkIn}
            onChange={(event) => state.setArrival(event.currentTarget.value)}
          />
        </label>
        <label>
          {words.departure}
          <input
            type="date"
            name="checkOut"
            required
            min={form.checkIn}
            value={form.checkOut}
            aria-invalid={problem !== undefined || undefined}
            aria-describedby={problem === undefined ? undefined : 'dates-problem'}
            onChange={(event) => event.currentTarget.value && state.change({ checkOut: event.currentTarget.value })}
          />
        </label>
        {problem !== undefined && (
          <p id="dates-problem" class="form-error wide" role="alert">
            {problem}
          </p>
        )}
        {!state.isWalkIn && (
          <Choice
            label={words.rooms}
            value={form.rooms.length}
            options={upTo(MAX_ROOMS_OF_BOOKING, 1)}
            on={(count) => state.setRooms(count)}
          />
        )}
        {state.isWalkIn && <PartyFields state={state} room={form.rooms[0]!} index={0} />}
      </div>
      {!state.isWalkIn && !form.differ && (
        <div class="fields three">
          <PartyFields state={state} room={form.rooms[0]!} index={0} />
        </div>
      )}
      {form.rooms.length > 1 && (
        <label class="check">
          <input
            type="checkbox"
            checked={form.differ}
            onChange={(event) => state.change({ differ: event.currentTarget.checked, rooms: evenRooms(form.rooms) })}
          />
          {words.differ}
        </label>
      )}
    </fieldset>
  );
}

/** Rooms that begin to differ, or no longer do, are as the first one. */
const evenRooms = (rooms: readonly RoomForm[]): RoomForm[] => rooms.map(() => rooms[0]!);

/** Guests of a room, with the ages of children. */
export function PartyFields({ state, room, index }: { state: NewReservation; room: RoomForm; index: number }) {
  return (
    <>
      <Choice
        label={words.adults}
        value={room.adults}
        options={upTo(MAX_ADULTS, 1)}
        on={(adults) => state.changeRoom(index, { adults })}
      />
      <Choice
        label={words.children}
        value={room.childAges.length}
        options={upTo(MAX_CHILDREN)}
        on={(count) => state.setChildren(index, count)}
      />
      {room.childAges.map((age, n) => (
        <label key={n}>
          {words.age(n + 1)}
          <select
            value={age ?? ''}
            required
            onChange={({ currentTarget: { value } }) =>
              state.changeRoom(index, {
                childAges: room.childAges.map((one, at) => (at === n ? Number(value) : one)),
              })
            }
          >
            <option value="" disabled>
              {words.noAge}
            </option>
            {upTo(MAX_AGE).map((years) => (
              <option key={years} value={years}>
                {years}
              </option>
            ))}
          </select>
        </label>
      ))}
      {!hasAllAges(room) && <small class="wide">{words.sayAges}</small>}
    </>
  );
}

type ChoiceProps = { label: string; value: number; options: readonly number[]; on: (value: number) => void };

function Choice({ label, value, options, on }: ChoiceProps) {
  return (
    <label>
      {label}
      <select value={value} onChange={(event) => on(Number(event.currentTarget.value))}>
        {options.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
    </label>
  );
}
