import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { ServiceButton } from '../../service-button.tsx';
import { lazily } from '../../shell/lazy.tsx';
import type { RevenueStore } from '../store.ts';
import { eventDays, events as words } from './event-messages.ts';
import { type CalendarEventView, thenRefreshed, wantedOf } from './night-api.ts';

const EventForm = lazily(async () => (await import('./event-form.tsx')).EventForm);

/** Events of a night, which a manager adds, changes and deletes. */
export function NightEvents({ desk, date }: { desk: RevenueStore; date: string }) {
  /** The event that is edited, or a new one. */
  const edited = useSignal<CalendarEventView | 'new' | undefined>(undefined);
  useEffect(() => void (edited.value = undefined), [date]);
  const { isAdding } = desk.revenue.calendar;
  useEffect(() => {
    if (!isAdding.value) return;
    isAdding.value = false;
    edited.value = 'new';
  }, [isAdding.value]);
  const list = desk.revenue.calendar.byDate.value.get(date) ?? [];
  const form = edited.value;
  if (form !== undefined)
    return (
      <EventForm
        key={form === 'new' ? form : form.eventId}
        desk={desk}
        before={form === 'new' ? undefined : form}
        nights={chosenNights(desk, date)}
        onClose={() => (edited.value = undefined)}
      />
    );
  return (
    <div class="night-events">
      <h3>{words.title}</h3>
      {list.length === 0 && <p class="muted">{words.none}</p>}
      <ul>
        {list.map((event) => (
          <li key={event.eventId}>
            <p>
              <strong>{event.name}</strong> {eventDays(event)}, {words.effect.toLowerCase()}{' '}
              {words.effects[event.effect].toLowerCase()}
              {event.note !== null && <small> {event.note}</small>}
            </p>
            {desk.editor.isOpen && (
              <p class="one">
                <ServiceButton
                  desk={desk}
                  aria-label={words.editOne(event.name)}
                  onClick={() => (edited.value = event)}
                >
                  {words.edit}
                </ServiceButton>
                <ServiceButton
                  desk={desk}
                  disabled={desk.changes.busy.value}
                  aria-label={words.removeOne(event.name)}
                  onClick={() => void remove(desk, event)}
                >
                  {words.remove}
                </ServiceButton>
              </p>
            )}
          </li>
        ))}
      </ul>
      {desk.editor.isOpen && (
        <p class="one">
          <ServiceButton desk={desk} onClick={() => (edited.value = 'new')}>
            {words.add}
          </ServiceButton>
        </p>
      )}
    </div>
  );
}

/** The chosen range of the grid, where the night is in it. */
function chosenNights(desk: RevenueStore, date: string): { from: string; to: string } {
  const chosen = desk.editor.chosen.peek();
  return chosen ? { from: chosen.start, to: chosen.end } : { from: date, to: date };
}

function remove(desk: RevenueStore, event: CalendarEventView): Promise<boolean> {
  const { revenue } = desk;
  return desk.changes.run('night', async () => {
    const api = revenue.api!.calendar;
    // What somebody else has made of it is shown, also where that stopped the removal.
    await thenRefreshed(desk, api.remove(event));
    const undo = async (): Promise<void> => {
      await api.put(wantedOf(event));
      await revenue.refreshEvents();
    };
    return { text: words.removed(event.name), undo };
  });
}
