import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { propertyPath } from '../../api.ts';
import { mediumDay, momentText } from '../../grid/days.ts';
import { returns } from '../../live/network.ts';
import { needsService } from '../../service-button.tsx';
import { whoText } from '../../who.ts';
import type { FrontDesk } from '../front-desk.ts';
import { TaskIcon } from '../icons.tsx';
import { errorText } from '../problem-messages.ts';
import { dayWords as words } from './messages.ts';
import { useNewest } from './newest.ts';
import { StaffNoteForm } from './note-form.tsx';
import type { DeskTaskView, ShiftNote, StayTaskView } from './shapes.ts';

/** How often both lists are read without a change that names them: two changes at once tell of the last one only. */
const READ_EVERY_MS = 20_000;

/** What nobody has decided of earlier days, and what one shift leaves to the next. */
export function DayExtras({ desk }: { desk: FrontDesk }) {
  if (!desk.mayAct || desk.property.value === undefined) return null;
  const { propertyId } = desk.property.value;
  return (
    <div class="day-extras">
      <DeskTasks key={`tasks ${propertyId}`} desk={desk} propertyId={propertyId} />
      <ShiftNotes key={`notes ${propertyId}`} desk={desk} propertyId={propertyId} />
    </div>
  );
}

type Props = { desk: FrontDesk; propertyId: string };

/** Arrivals of earlier days that nobody has checked in or marked a no-show, and stays that a channel has overbooked. */
function DeskTasks({ desk, propertyId }: Props) {
  const tasks = useSignal<readonly DeskTaskView[]>([]);
  const load = async (): Promise<void> => {
    const path = `/api/v1/admin/desk-tasks?${new URLSearchParams({ propertyId, limit: '200' }).toString()}`;
    const answer = await desk.api.call(path).catch(() => undefined);
    const items = (answer?.body as { items: DeskTaskView[] } | undefined)?.items;
    if (items) tasks.value = items;
  };
  const { arrived } = desk.lists.value;
  useEffect(() => void load(), [desk.today.value, arrived, desk.drawer.done.value, returns.value]);
  useRegularly(load);
  const ofKind = (wanted: DeskTaskView['kind']): StayTaskView[] =>
    tasks.value.filter((task): task is StayTaskView => task.kind === wanted && task.channel === undefined);
  const shown = { desk, line: (one: StayTaskView) => words.notMarkedLine(mediumDay(one.checkIn), one.mayArrive) };
  const overbookedLine = ({ checkIn, roomType }: StayTaskView): string =>
    words.overbookedLine(mediumDay(checkIn), roomType);
  return (
    <>
      <ChannelTasks desk={desk} tasks={tasks.value} />
      <TaskList
        {...shown}
        id="overbooked"
        name={words.overbooked}
        tasks={ofKind('OVERBOOKED')}
        line={overbookedLine}
      />
      <TaskList {...shown} id="not-marked" name={words.notMarked} tasks={ofKind('ARRIVAL_NOT_MARKED')} />
    </>
  );
}

type TaskListProps = {
  desk: FrontDesk;
  id: string;
  name: string;
  tasks: readonly StayTaskView[];
  line(task: StayTaskView): string;
};

function TaskList({ desk, id, name, tasks, line }: TaskListProps) {
  if (tasks.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>
        <TaskIcon task="overstay" /> {name}: {tasks.length}
      </h2>
      <ul>
        {tasks.map((task) => (
          <li key={task.reservationId}>
            <button type="button" onClick={() => void desk.drawer.open(task.reservationId)}>
              <strong>{task.guestName}</strong>
              <span class="line">{line(task)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What channels have sold or changed and the property could not take. */
function ChannelTasks({ desk, tasks }: { desk: FrontDesk; tasks: readonly DeskTaskView[] }) {
  const open = tasks.filter(({ kind }) => kind === 'CHANNEL_BOOKING');
  if (open.length === 0) return null;
  return (
    <section aria-labelledby="not-taken">
      <h2 id="not-taken">
        <TaskIcon task="overstay" /> {words.notTaken}: {open.length}
      </h2>
      <ul>
        {open.map((task) => (
          <li key={`${task.channel?.channelCode} ${task.channel?.externalId}`}>
            <ChannelTask desk={desk} task={task} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function ChannelTask({ desk, task }: { desk: FrontDesk; task: DeskTaskView }) {
  const { channel, checkIn, checkOut, reservationId } = task;
  const name = channel?.name ?? '';
  const text = (
    <>
      <strong>
        {name} {channel?.externalId}
      </strong>
      <span class="line">
        {checkIn !== null && checkOut !== null
          ? words.notTakenLine(mediumDay(checkIn), mediumDay(checkOut), name)
          : words.notCancelledLine(name)}
      </span>
    </>
  );
  if (reservationId === null) return <p>{text}</p>;
  return (
    <button type="button" onClick={() => void desk.drawer.open(reservationId)}>
      {text}
    </button>
  );
}

/** Notes to the next shift: those of today, and earlier ones that are not done. */
function ShiftNotes({ desk, propertyId }: Props) {
  const notes = useSignal<readonly ShiftNote[] | undefined>(undefined);
  const error = useSignal<string | undefined>(undefined);
  const path = `${propertyPath(desk.user, propertyId)}/shift-notes`;
  const newest = useNewest();
  const load = async (): Promise<void> => {
    const isNewest = newest.begin();
    try {
      const { items } = (await desk.api.call(path)).body as { items: ShiftNote[] };
      if (!isNewest()) return;
      notes.value = items;
      error.value = undefined;
    } catch (failure) {
      if (isNewest()) error.value = errorText(failure);
    }
  };
  useEffect(() => void load(), [desk.noteChanges.value, desk.today.value, returns.value]);
  useRegularly(load);
  const mark = async ({ noteId }: ShiftNote, done: boolean): Promise<void> => {
    try {
      await desk.api.call(`${path}/${noteId}`, { method: 'PUT', body: { done } });
    } catch (failure) {
      error.value = errorText(failure);
      return;
    }
    await load();
  };
  const open = notes.value?.filter(({ doneAt }) => doneAt === null).length ?? 0;
  const isOpen = useSignal(false);
  useEffect(() => {
    if (open > 0) isOpen.value = true;
  }, [open > 0]);
  return (
    <details class="hand-over" open={isOpen.value} onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
      <summary>
        <h2>
          {words.shiftNotes}
          {open > 0 && `: ${open}`}
        </h2>
      </summary>
      {notes.value?.length === 0 && <p class="muted">{words.none}</p>}
      <ul class="note-list">
        {notes.value?.map((note) => (
          <ShiftNoteEntry key={note.noteId} desk={desk} note={note} mark={(done) => void mark(note, done)} />
        ))}
      </ul>
      {error.value && <p class="form-error">{error.value}</p>}
      <StaffNoteForm
        desk={desk}
        id={`hand-over ${propertyId}`}
        label={words.label}
        button={words.write}
        save={async (text, key) => {
          await desk.api.call(path, { method: 'POST', body: { text }, key });
          desk.say(words.saved);
          await load();
        }}
      />
    </details>
  );
}

type EntryProps = { desk: FrontDesk; note: ShiftNote; mark: (done: boolean) => void };

function ShiftNoteEntry({ desk, note, mark }: EntryProps) {
  return (
    <li data-done={note.doneAt !== null || undefined}>
      <label class="check">
        <input
          type="checkbox"
          aria-label={words.done(note.text)}
          checked={note.doneAt !== null}
          {...needsService(desk)}
          onChange={(event) => mark(event.currentTarget.checked)}
        />
        <span class="note-text">{note.text}</span>
      </label>
      <small>
        {whoText(note.by, note.byName)}, {momentText(note.at)}
        {note.doneBy !== null && `; ${words.doneBy(whoText(note.doneBy, note.doneByName))}`}
      </small>
    </li>
  );
}

/** Reads again from time to time, while the page is looked at. */
function useRegularly(load: () => Promise<void>): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void load();
    }, READ_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
}
