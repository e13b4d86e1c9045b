import type { FrontDesk } from '../front-desk.ts';
import { roomStatusMessages, taskMessages } from '../messages.ts';
import { DESK_TASKS } from '../tasks.ts';
import { type ChartFilter, ROOM_STATUS_NAMES } from './chart-filter.ts';
import { shown as words } from './messages.ts';

/** Narrows the tape chart by floor, type, state and task; says what it hides. */
export function FilterBar({ desk }: { desk: FrontDesk }) {
  const filter = desk.chart.filter.value;
  const floors = [...new Set(desk.chart.floors.value.values())].sort((a, b) => a - b);
  const types = desk.groups.value.map(({ roomType }) => roomType);
  const set = (changed: ChartFilter): void => desk.chart.narrow({ ...filter, ...changed });
  const isOn = Object.keys(filter).length > 0;
  return (
    <div class="chart-filters" role="group" aria-label={words.filters}>
      <Choice
        name={words.floor}
        value={filter.floor?.toString()}
        options={floors.map((floor) => [String(floor), words.floorName(floor)])}
        choose={(floor) => set({ floor: floor === undefined ? undefined : Number(floor) })}
      />
      <Choice
        name={words.roomType}
        value={filter.roomType}
        options={types.map((type) => [type, desk.names.value.get(type) ?? type])}
        choose={(roomType) => set({ roomType })}
      />
      <Choice
        name={words.status}
        value={filter.status}
        options={ROOM_STATUS_NAMES.map((status) => [status, roomStatusMessages[status]])}
        choose={(status) => set({ status })}
      />
      <Choice
        name={words.task}
        value={filter.task}
        options={DESK_TASKS.map((task) => [task, taskMessages[task]])}
        choose={(task) => set({ task })}
      />
      <span role="status" class="hidden-count">
        {isOn && words.hidden(desk.chart.shown.value)}
      </span>
      <button type="button" class="quiet" disabled={!isOn} onClick={() => desk.chart.narrow({})}>
        {words.clear}
      </button>
    </div>
  );
}

type ChoiceProps<T extends string> = {
  name: string;
  value: T | undefined;
  options: readonly (readonly [T, string])[];
  choose: (value: T | undefined) => void;
};

function Choice<T extends string>({ name, value, options, choose }: ChoiceProps<T>) {
  // What the address names stays to be seen, also where nothing has it.
  const known = value === undefined || options.some(([one]) => one === value);
  return (
    <label data-on={value !== undefined || undefined}>
      {name}
      <select
        value={value ?? ''}
        onChange={({ currentTarget: at }) => choose(options.find(([one]) => one === at.value)?.[0])}
      >
        <option value="">{words.all}</option>
        {!known && <option value={value}>{value}</option>}
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
