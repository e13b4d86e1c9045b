import type { FrontDesk } from './front-desk.ts';
import { TaskIcon } from './icons.tsx';
import { desk as words, listLine, listRoom, listMessages } from './messages.ts';
import type { BoardStay } from './shapes.ts';
import { LIST_NAMES, type ListName, taskOf } from './tasks.ts';

/** Search results shown; typing narrows them. */
const MAX_FOUND = 50;

/** Arrivals, departures and guests in house today with progress, or search results. */
export function Lists({ desk }: { desk: FrontDesk }) {
  const isSearch = desk.query.value.trim() !== '';
  const stays = isSearch ? desk.found.value : desk.lists.value[desk.list.value];
  const none = isSearch ? words.nothingFound : words.nobody[desk.list.value];
  return (
    <section class="day-lists" aria-label={words.lists}>
      <form
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          void desk.search();
        }}
      >
        <label>
          <span class="visually-hidden">{words.searchHint}</span>
          <input
            type="search"
            value={desk.query.value}
            placeholder={words.search}
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => (desk.query.value = event.currentTarget.value)}
          />
        </label>
      </form>
      <fieldset class="day-tabs" disabled={isSearch}>
        <legend class="visually-hidden">{words.lists}</legend>
        {LIST_NAMES.map((name) => (
          <Tab key={name} desk={desk} name={name} />
        ))}
      </fieldset>
      {isSearch && <p class="muted results">{words.results(desk.found.value.length)}</p>}
      {stays.length === 0 && <p class="muted none">{desk.loaded.value ? none : words.loading}</p>}
      {stays.length > 0 && (
        <ol tabIndex={0} aria-label={isSearch ? words.results(stays.length) : listMessages[desk.list.value]}>
          {stays.slice(0, isSearch ? MAX_FOUND : undefined).map((stay) => (
            <Entry key={stay.reservationId} desk={desk} stay={stay} list={isSearch ? undefined : desk.list.value} />
          ))}
        </ol>
      )}
    </section>
  );
}

function Tab({ desk, name }: { desk: FrontDesk; name: ListName }) {
  const lists = desk.lists.value;
  const total = lists[name].length;
  const of = name === 'arrivals' ? lists.arrived : name === 'departures' ? lists.departed : total;
  return (
    <label>
      <input
        type="radio"
        name="list"
        class="visually-hidden"
        checked={desk.list.value === name}
        onChange={() => (desk.list.value = name)}
      />
      <span class="tab">
        <span>{listMessages[name]}</span>
        <strong>{name === 'inHouse' ? total : `${of}/${total}`}</strong>
        <small>{name === 'inHouse' ? words.inHouse(total) : words.progress(name, of, total)}</small>
        {name !== 'inHouse' && (
          <progress value={of} max={Math.max(1, total)} aria-hidden="true">
            {of}
          </progress>
        )}
      </span>
    </label>
  );
}

function Entry({ desk, stay, list }: { desk: FrontDesk; stay: BoardStay; list: ListName | undefined }) {
  const room = desk.screen.value.rooms.get(stay.roomNumber ?? '');
  const task = taskOf(stay, room, desk.today.value, desk.inspectsRooms);
  const isDone = task === 'left' || (list === 'arrivals' && stay.status === 'CHECKED_IN');
  const opened = desk.drawer.opened.value;
  return (
    <li data-done={isDone || undefined}>
      <button
        type="button"
        aria-current={(opened?.kind === 'stay' && opened.id === stay.reservationId) || undefined}
        onClick={() => void desk.drawer.open(stay.reservationId)}
      >
        <span class="swatch" data-task={task}>
          <TaskIcon task={task} />
        </span>
        <strong>{stay.name}</strong> <span class="where">{listRoom(stay)}</span>
        <span class="line">{listLine(stay, task)}</span>
      </button>
    </li>
  );
}
