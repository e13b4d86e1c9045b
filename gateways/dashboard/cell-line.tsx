import type { Desk } from './desk.ts';
import { mediumDay } from './days.ts';
import { money } from './words.ts';

/** The line below the table: everything about the cell under the pointer or the keyboard, and how to read a cell. */
export function CellLine({ desk }: { desk: Desk }) {
  const key = desk.inspected.value;
  const item = key === undefined ? undefined : desk.cell(key).value.item;
  return (
    <div class="cell-line">
      {item ? (
        <p>
          <strong>
            {item.roomType}, {mediumDay(item.date)}
          </strong>
          <span>
            {item.availableRooms} left of {item.totalRooms}
          </span>
          <span>{item.bookedRooms} booked</span>
          <span>{item.heldRooms} held</span>
          <span>{item.blockedRooms} blocked</span>
          <span>{item.rate === null ? 'no rate' : money(item.rate, item.currency)}</span>
        </p>
      ) : (
        <p class="muted">Choose a night to see all its numbers.</p>
      )}
      <p class="legend">
        <span>Empty</span>
        <span class="scale" aria-hidden="true">
          {[0, 3, 6, 8, 10].map((taken) => (
            <i key={taken} data-step={taken} />
          ))}
        </span>
        <span>full{desk.currency.value && `, prices in ${desk.currency.value}`}</span>
      </p>
    </div>
  );
}
