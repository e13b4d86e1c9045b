import { cellFacts, grid as words, legends, pricesIn } from '../messages.ts';
import type { RevenueStore } from '../revenue/store.ts';
import { mediumDay } from './days.ts';

/** The line below the table: details of the cell under the pointer or focus, and the legend. */
export function CellLine({ desk }: { desk: RevenueStore }) {
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
      <Legend desk={desk} />
    </div>
  );
}

/** Tints of cells, in tenths. */
const FILLS = [0, 3, 6, 8, 10].map((step) => ['fill', step] as const);
const AWAY = [-5, -3, -1, 1, 3, 5].map((step) => [step < 0 ? 'below' : 'above', Math.abs(step)] as const);

/** The legend of the colours in this mode. */
function Legend({ desk }: { desk: RevenueStore }) {
  const mode = desk.mode.value;
  const { from, to, marks } = legends[mode];
  const compares = mode === 'recommended' || mode === 'market';
  return (
    <p class="legend" data-legend={mode}>
      <span>{from}</span>
      <span class="scale" aria-hidden="true">
        {(compares ? AWAY : FILLS).map(([tint, step]) => (
          <i
            key={tint + step}
            data-tint={tint}
            data-step={step}
            data-full={(step === 10 && mode === 'occupancy') || undefined}
          />
        ))}
      </span>
      <span>{to}</span>
      {marks.map(({ mark, says }) => (
        <span key={mark} class="mark-key">
          <i aria-hidden="true" data-mark={mark} /> {says}
        </span>
      ))}
      <span>{pricesIn(desk.currency.value)}</span>
    </p>
  );
}
