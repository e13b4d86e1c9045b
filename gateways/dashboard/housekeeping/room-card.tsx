import type { TargetedSubmitEvent } from 'preact';

import { RoomIcon } from '../front-desk/icons.tsx';
import { roomStatusMessages, taskStatusMessages, taskTypeMessages } from '../front-desk/messages.ts';
import type { TaskView } from '../front-desk/shapes.ts';
import { ServiceButton } from '../service-button.tsx';
import { type BoardRoom, canDo, VERBS } from './board.ts';
import type { Housekeeping } from './housekeeping.ts';
import { housekeepingBoard as words } from './messages.ts';

/** A room: its state, what has to be done, who does it, who comes next, and one tap for what is done most. */
export function RoomCard({ desk, one }: { desk: Housekeeping; one: BoardRoom }) {
  const { room, task, priority } = one;
  const { roomNumber, status } = room;
  const error = desk.errors.value.get(roomNumber);
  const isBusy = desk.busy.value.has(roomNumber);
  const id = `room ${roomNumber}`.replaceAll(' ', '-');
  return (
    <li class="room-card" data-card={roomNumber} data-status={status}>
      <div class="room-card-top">
        <h3 id={id}>
          <span class="visually-hidden">{words.room('')}</span>
          {roomNumber} <small>{room.roomType}</small>
        </h3>
        <span class="room-state">
          <RoomIcon status={status} /> {roomStatusMessages[status]}
        </span>
      </div>
      <p class="room-task">
        {task ? `${taskTypeMessages[task.taskType]}: ${taskStatusMessages[task.status].toLowerCase()}` : words.noTask}
      </p>
      <p class="room-next" data-priority={priority}>
        {words.priority(one)}
      </p>
      {task && <Attendant desk={desk} task={task} />}
      {desk.mayAct && (
        <div class="room-verbs" role="group" aria-labelledby={id}>
          {VERBS.map((verb) => (
            <ServiceButton
              key={verb}
              desk={desk}
              disabled={isBusy || !canDo(one, verb)}
              onClick={() => void desk.tap(one, verb)}
            >
              {words.verbs[verb]}
            </ServiceButton>
          ))}
        </div>
      )}
      {error !== undefined && (
        <p class="form-error" role="alert">
          {error}
        </p>
      )}
    </li>
  );
}

function Attendant({ desk, task }: { desk: Housekeeping; task: TaskView }) {
  if (!desk.mayAct) return <p class="room-attendant">{task.attendant ?? words.nobody}</p>;
  const give = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = event.currentTarget;
    const said = new FormData(form).get('attendant');
    const name = typeof said === 'string' ? said.trim() : '';
    void desk.give(task, name === '' ? null : name).then(() => form.closest('details')?.removeAttribute('open'));
  };
  const list = `attendants ${task.roomNumber}`.replaceAll(' ', '-');
  return (
    <details class="room-attendant">
      <summary>{task.attendant ?? words.nobody}</summary>
      <form onSubmit={give}>
        <input
          type="text"
          name="attendant"
          maxLength={50}
          list={list}
          aria-label={words.giveTo(task.roomNumber)}
          defaultValue={task.attendant ?? ''}
          autocomplete="off"
        />
        <datalist id={list}>
          {desk.attendants.value.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <ServiceButton desk={desk} type="submit">
          {words.give}
        </ServiceButton>
      </form>
    </details>
  );
}
