import { useSignal } from '@preact/signals';

import { EVENT_EFFECTS, type EventEffect } from '../../../../src/rates/rules/calendar-event.ts';
import type { RevenueStore } from '../store.ts';
import { eventPreview, events as words } from './event-messages.ts';
import { type CalendarEventView, thenRefreshed, wantedOf, type WantedEvent } from './night-api.ts';
import { NoteField, NoteForm } from './note-form.tsx';

type Props = {
  desk: RevenueStore;
  /** The event that is changed; a new one without it. */
  before: CalendarEventView | undefined;
  /** Nights of a new event. */
  nights: { from: string; to: string };
  onClose: () => void;
};

/** Adds an event to the calendar, or changes one. */
export function EventForm({ desk, before, nights, onClose }: Props) {
  const draft = useSignal<WantedEvent>(before ? wantedOf(before) : { name: '', effect: 'MEDIUM', ...nights });
  const wasSent = useSignal(false);
  /** As the typed text was compared with it: another one after somebody else's change. */
  const seen = useSignal(before);
  const { name, from, to, effect, note = '' } = draft.value;
  const set = (part: Partial<WantedEvent>): void => void (draft.value = { ...draft.peek(), ...part });
  const fault = faultOf(draft.value);
  const isWrong = fault !== undefined && wasSent.value;
  const save = async (): Promise<void> => {
    wasSent.value = true;
    if (fault !== undefined) return;
    if (await store(desk, draft.peek(), seen.peek())) return onClose();
    const now = before && desk.revenue.calendar.withId(before.eventId);
    if (now) seen.value = now;
  };
  return (
    <NoteForm
      desk={desk}
      label={before ? words.editOne(before.name) : words.addTitle}
      words={words}
      line={{ text: fault === undefined ? eventPreview(name, { from, to }) : isWrong ? fault : '', isWrong }}
      onSave={() => void save()}
      onClose={onClose}
    >
      {seen.value !== undefined && seen.value.version !== before?.version && (
        <p class="wide">{words.now(seen.value)}</p>
      )}
      <NoteField label={words.name} value={name} maxLength={100} isFirst onText={(text) => set({ name: text })} />
      <NoteField label={words.from} value={from} kind="date" onText={(text) => set({ from: text })} />
      <NoteField label={words.to} value={to} kind="date" onText={(text) => set({ to: text })} />
      <label>
        {words.effect}
        <select value={effect} onChange={(event) => set({ effect: event.currentTarget.value as EventEffect })}>
          {EVENT_EFFECTS.map((one) => (
            <option key={one} value={one}>
              {words.effects[one]}
            </option>
          ))}
        </select>
      </label>
      <NoteField label={words.note} value={note} maxLength={500} isWide onText={(text) => set({ note: text })} />
    </NoteForm>
  );
}

function faultOf({ name, from, to }: WantedEvent): string | undefined {
  if (name.trim() === '') return words.noName;
  if (from === '' || to === '') return words.noDay;
  return to < from ? words.reversed : undefined;
}

/** @returns whether it is stored */
function store(desk: RevenueStore, { note, ...draft }: WantedEvent, before?: CalendarEventView): Promise<boolean> {
  const { revenue } = desk;
  const wanted = { ...draft, ...(note !== undefined && note.trim() !== '' && { note }) };
  return desk.changes.run('night', async () => {
    const api = revenue.api!.calendar;
    const stored = await thenRefreshed(desk, api.put(wanted, before));
    const { name } = stored;
    const undo = async (): Promise<void> => {
      await (before ? api.put(wantedOf(before), stored) : api.remove(stored));
      await revenue.refreshEvents();
    };
    return { text: before ? words.changed(name) : words.added(name), undo };
  });
}
