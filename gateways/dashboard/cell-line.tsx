import type { Desk } from './desk.ts';
import { mediumDay } from './days.ts';
import { cellFacts, grid as words } from './words.ts';

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
          {cellFacts(item).map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
        </p>
      ) : (
        <p class="muted">{words.choose}</p>
      )}
      <p class="legend">
        <span>{words.empty}</span>
        <span class="scale" aria-hidden="true">
          {[0, 3, 6, 8, 10].map((taken) => (
            <i key={taken} data-step={taken} />
          ))}
        </span>
        <span>{words.fullIn(desk.currency.value)}</span>
      </p>
    </div>
  );
}
