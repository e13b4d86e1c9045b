import type { TargetedSubmitEvent } from 'preact';
import { useEffect } from 'preact/hooks';

import { mediumDay } from '../grid/days.ts';
import { ServiceButton } from '../service-button.tsx';
import { Fact } from './fact.tsx';
import type { FrontDesk } from './front-desk.ts';
import { housekeeping as words, taskStatusMessages, taskTypeMessages } from './messages.ts';
import type { TaskStep, TaskView } from './shapes.ts';

type Props = {
  desk: FrontDesk;
  roomNumber: string;
  /** Runs a change, and shows its error. */
  run: (work: Promise<void>) => void;
};

/** What has to be done in a room, who does it, and the steps that somebody at the desk may record. */
export function RoomTask({ desk, roomNumber, run }: Props) {
  const room = desk.screen.value.rooms.get(roomNumber);
  useEffect(() => void desk.readTask(roomNumber), [roomNumber, room?.status, desk.taskChanges.value]);
  const task = desk.roomTask.value;
  if (task?.roomNumber !== roomNumber) return null;
  return (
    <section class="maintenances" aria-labelledby="task-title">
      <h3 id="task-title">{words.title}</h3>
      <dl class="facts">
        <Fact name={taskTypeMessages[task.taskType]} value={taskStatusMessages[task.status]} strong />
        <Fact name={words.attendant} value={task.attendant ?? words.nobody} />
        {task.nextArrival !== null && <Fact name={words.nextArrival} value={mediumDay(task.nextArrival)} />}
        {task.notes !== null && <Fact name={words.notes} value={task.notes} />}
      </dl>
      {desk.mayAct && (
        <>
          <fieldset class="statuses">
            <legend>{words.steps}</legend>
            {stepsOf(task).map((step) => (
              <ServiceButton key={step} desk={desk} data-step={step} onClick={() => run(desk.stepTask(task, step))}>
                {words[step]}
              </ServiceButton>
            ))}
          </fieldset>
          <AttendantForm desk={desk} task={task} run={run} />
        </>
      )}
    </section>
  );
}

/** Steps that fit the state of a task. */
function stepsOf({ status }: TaskView): TaskStep[] {
  if (status === 'PENDING') return ['start', 'complete'];
  if (status === 'IN_PROGRESS') return ['complete'];
  return ['pass', 'fail'];
}

function AttendantForm({ desk, task, run }: { desk: FrontDesk; task: TaskView; run: Props['run'] }) {
  const give = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const said = new FormData(event.currentTarget).get('attendant');
    const attendant = typeof said === 'string' && said.trim() !== '' ? said.trim() : null;
    run(desk.giveTask(task, attendant));
  };
  return (
    <form class="confirm-form" onSubmit={give} key={task.attendant ?? ''}>
      <label>
        {words.attendant}
        <input type="text" name="attendant" maxLength={50} defaultValue={task.attendant ?? ''} />
      </label>
      <ServiceButton desk={desk} type="submit">
        {words.give}
      </ServiceButton>
    </form>
  );
}
