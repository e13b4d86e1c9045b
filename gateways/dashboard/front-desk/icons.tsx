import type { RoomStatusName } from './shapes.ts';
import type { Task } from './tasks.ts';

const TASKS: Record<Task, string> = {
  overstay: 'M10 3l7.5 13.5h-15zM10 8v4M10 14.3v.2',
  'arrives-no-room': 'M3 10h9M9 6.5l3.5 3.5-3.5 3.5M15.5 5v.2M15.5 15v.2M15.5 10v.2',
  'arrives-unready': 'M10 3.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M10 6.5V10l2.5 1.5',
  'arrives-unpaid': 'M7.5 7.5a2.5 2.5 0 1 1 3.6 2.300c-.8.4-1.1.9-1.1 1.700M10 14.5v.2',
  'arrives-ready': 'M3 10h8M8 6.5l3.5 3.5L8 13.5M15.5 4v12',
  'leaves-owing': 'M13.5 6A4.5 4.5 0 1 0 13.5 14M4 8.8h6M4 11.2h6',
  leaves: 'M9 10h8M13.5 6.5L17 10l-3.5 3.5M4.5 4v12',
  'in-house': 'M4 16.5V9l6-4.5L16 9v7.5zM8.5 16.5V12h3v4.5',
  later: 'M4 5.5h12v11H4zM4 9h12M7.5 3.5v3.5M12.5 3.5v3.5',
  left: 'M4.5 10.5l3.5 3.5 7.5-8',
};

const ROOMS: Record<RoomStatusName, string> = {
  AVAILABLE: 'M4.5 10.5l3.5 3.5 7.5-8',
  CLEAN: 'M4.5 10.5l3.5 3.5 7.5-8',
  INSPECTED: 'M2.5 10.5l3 3 6.5-7M9 12.5l1.5 1L17 6.5',
  DIRTY: 'M5 16.5l1.5-7h7l1.5 7zM10 9.5v-6',
  OCCUPIED: 'M10 4a3 3 0 1 0 0 6 3 3 0 0 0 0-6M4 16.5c.5-3.5 3-5 6-5s5.5 1.5 6 5',
  OUT_OF_ORDER: 'M5 5l10 10M15 5L5 15',
};

/** Icon of a task; always beside its word, or on a bar with a name. */
export function TaskIcon({ task }: { task: Task }) {
  return <Line path={TASKS[task]} />;
}

export function RoomIcon({ status }: { status: RoomStatusName }) {
  return <Line path={ROOMS[status]} />;
}

function Line({ path }: { path: string }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
