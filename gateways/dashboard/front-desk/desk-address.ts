import { batch, effect } from '@preact/signals';

import { parameter, writeParameters } from '../address.ts';
import type { FrontDesk } from './front-desk.ts';
import { stayOf } from './shapes.ts';
import {
  DEFAULT_SPAN,
  dateFrom,
  dayOfStart,
  filterFrom,
  filterParameters,
  homeOf,
  spanFrom,
} from './shown/chart-filter.ts';
import { LIST_NAMES } from './tasks.ts';

/** Shows the days, the filters, the list, and the stay or room that the address names; otherwise the usual ones. */
export function showDeskAddress(desk: FrontDesk): void {
  const span = spanFrom(parameter);
  const filter = filterFrom(parameter);
  const start = homeOf(dateFrom(parameter) ?? desk.today.peek(), span);
  const list = LIST_NAMES.find((name) => name === parameter('list')) ?? 'arrivals';
  const stay = parameter('stay');
  const room = parameter('room');
  // All at once: half of it would be written to the address, and what is not shown yet would be lost.
  batch(() => {
    desk.chart.show(start, span);
    desk.chart.narrow(filter);
    desk.list.value = list;
    const opened = desk.drawer.opened.peek();
    if (stay !== undefined && !(opened?.kind === 'stay' && opened.id === stay)) void openLinked(desk, stay);
    else if (room !== undefined && !(opened?.kind === 'room' && opened.roomNumber === room))
      desk.drawer.openRoom(room);
    else if (stay === undefined && room === undefined) desk.drawer.close();
  });
}

/** Opens a stay, and brings it into view in the chart. */
async function openLinked(desk: FrontDesk, id: string): Promise<void> {
  await desk.drawer.open(id);
  const reservation = desk.drawer.read.peek()?.reservation;
  if (reservation?.reservationId === id) desk.chart.reveal(stayOf(reservation), reservation);
}

/** Keeps the address as the view changes. Back leaves a stay, a room, a list and a zoom; moves along the days are small. */
export function writeDeskAddress(desk: FrontDesk): () => void {
  return effect(() => {
    const opened = desk.drawer.opened.value;
    const stay = opened?.kind === 'stay' ? opened.id : undefined;
    const room = opened?.kind === 'room' ? opened.roomNumber : undefined;
    const list = desk.list.value === 'arrivals' ? undefined : desk.list.value;
    const span = desk.chart.span.value;
    const view = span === DEFAULT_SPAN ? undefined : String(span);
    const filter = filterParameters(desk.chart.filter.value);
    if (desk.start.value === '' || desk.property.value === undefined) return;
    const day = dayOfStart(desk.start.value, span);
    const large = Object.entries({ stay, room, list, view });
    const isSmall = large.every(([name, value]) => value === parameter(name));
    const date = day === desk.today.value ? undefined : day;
    writeParameters({ date, view, list, stay, room, ...filter }, isSmall ? 'replace' : 'push');
  });
}
