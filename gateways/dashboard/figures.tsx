import type { Desk } from './desk.ts';
import { NIGHTS } from './desk.ts';
import { cellKey } from '../../src/contracts/replica.ts';
import { daysFrom, shortDay } from './days.ts';

type Figure = { label: string; value: string; detail: string };

/** The few numbers that one looks for first. */
export function Figures({ desk }: { desk: Desk }) {
  return (
    <dl class="figures">
      {figuresOf(desk).map(({ label, value, detail }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <strong>{value}</strong> <small>{detail}</small>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function figuresOf(desk: Desk): Figure[] {
  const start = desk.start.value;
  const first = desk.night(start).value;
  const types = desk.roomTypes.value;
  const left = (date: string): number =>
    types.reduce(
      (sum, roomType) => sum + (desk.cell(cellKey({ date, roomType })).value.item?.availableRooms ?? 0),
      0,
    );
  let [sold, all, full] = [0, 0, 0];
  for (const { date } of start === '' ? [] : daysFrom(start, NIGHTS)) {
    const night = desk.night(date).value;
    if (!night) continue;
    sold += night.roomsSold;
    all += night.roomsAvailable;
    if (left(date) === 0) full += 1;
  }
  const when = start === '' ? '' : start === desk.today.value ? 'Tonight' : shortDay(start);
  return [
    { label: `${when} sold`, value: percent(first?.roomsSold, first?.roomsAvailable), detail: of(first) },
    { label: `${when} left`, value: first ? String(left(start)) : '–', detail: 'rooms' },
    { label: `${NIGHTS} nights sold`, value: percent(sold, all), detail: '' },
    { label: 'Sold out', value: all === 0 ? '–' : String(full), detail: full === 1 ? 'night' : 'nights' },
  ];
}

function of(night: { roomsSold: number; roomsAvailable: number } | undefined): string {
  return night ? `${night.roomsSold} of ${night.roomsAvailable}` : '';
}

function percent(part: number | undefined, whole: number | undefined): string {
  return !part && !whole ? '–' : `${Math.round(((part ?? 0) / (whole || 1)) * 100)} %`;
}
