import { shortTime } from '../../grid/days.ts';
import type { SentSlip } from '../folio/terminal-fields.tsx';
import type { FrontDesk } from '../front-desk.ts';
import { errorText } from '../problem-messages.ts';
import { afterwards, bookedText } from './messages.ts';
import type { BookingForm, CreatedStay } from './shapes.ts';

/**
 * What follows a booking: cash, or the slip of the terminal, is recorded, the room is given, a walk-in is checked in. Then the stay is selected in
 * the chart. The booking stands whatever fails after it: that is said, and done by hand in the drawer.
 */
export async function finishBooking(
  desk: FrontDesk,
  form: BookingForm,
  made: readonly CreatedStay[],
  { isInvoiced, slip, isOpen }: { isInvoiced: boolean; slip?: SentSlip | undefined; isOpen: () => boolean },
): Promise<void> {
  const [first] = made;
  if (!first) return;
  const said = [
    bookedText(
      `${form.firstName} ${form.lastName}`.trim(),
      made.map(({ confirmationNumber }) => confirmationNumber),
    ),
  ];
  const attempt = async (what: string, work: () => Promise<string | void>): Promise<boolean> => {
    try {
      const text = await work();
      if (text) said.push(text);
      return true;
    } catch (error) {
      said.push(afterwards.but(what, errorText(error)));
      return false;
    }
  };
  const id = first.reservationId;
  let isPaid = true;
  const paysNow = form.pays === 'CASH' || form.pays === 'TERMINAL';
  if (paysNow && !isInvoiced)
    for (const { reservationId, financial } of made)
      if (financial.balanceDue > 0)
        isPaid =
          (await attempt(slip ? afterwards.terminal : afterwards.cash, () =>
            desk.api.pay({ id: reservationId, etag: '' }, financial.balanceDue, slip),
          )) && isPaid;
  const isHeld = first.holdExpiresAt !== undefined && (!paysNow || !isPaid);
  if (isHeld) said.push(afterwards.held(shortTime(Date.parse(first.holdExpiresAt!))));
  const change = { id, etag: '', dryRun: false };
  const mayGive = form.roomNumber !== '' && made.length === 1 && !isHeld;
  if (mayGive && first.stayDetails.roomNumber !== form.roomNumber)
    await attempt(afterwards.room, async () => void (await desk.api.room(change, form.roomNumber)));
  if (form.kind === 'walk-in' && !isHeld)
    await attempt(afterwards.checkIn, async () => {
      const { roomDetails } = await desk.api.checkIn(change, 1);
      return afterwards.checkedIn(roomDetails.roomNumber);
    });
  for (const { reservationId } of made) desk.refresh(reservationId);
  const text = said.join(' ');
  desk.say(text);
  if (!isOpen()) return;
  desk.booking.close('replace');
  desk.chart.showDay(form.checkIn);
  await desk.drawer.open(id);
  desk.drawer.done.value = text;
}
