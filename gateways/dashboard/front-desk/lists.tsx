import { useSteady } from '../live/use-steady.ts';
import { WaitingEntries } from '../live/waiting-entries.tsx';
import { ServiceButton } from '../service-button.tsx';
import { Skeleton } from '../shell/skeleton.tsx';
import { assigning as assignWords } from './assigning/messages.ts';
import { openAssignAll } from './assigning/open.ts';
import { BookingButtons } from './booking/open.tsx';
import type { FrontDesk } from './front-desk.ts';
import { TaskIcon } from './icons.tsx';
import { isLateArrival } from './late-arrival.ts';
import { desk as words, listLine, listRoom, listMessages } from './messages.ts';
import { search as searchWords } from './search/messages.ts';
import type { BoardStay } from './shapes.ts';
import { later } from './stay/later.tsx';
import { LIST_NAMES, type ListName, taskOf } from './tasks.ts';

const DayExtras = later(async () => (await import('./stay/day-extras.tsx')).DayExtras);

/** Search results shown; typing narrows them. */
const MAX_FOUND = 50;

/** Arrivals, departures and guests in house today with progress, or search results. */
export function Lists({ desk }: { desk: FrontDesk }) {
  const { search } = desk;
  const isSearch = search.isOn.value;
  const scope = isSearch
    ? `${search.query.value} ${search.beyond.value === undefined}`
    : `${desk.property.value?.propertyId} ${desk.today.value} ${desk.list.value}`;
  const listed = isSearch ? search.found.value : desk.lists.value[desk.list.value];
  const { shown: stays, waiting, showAll, watch } = useSteady(listed, keyOf, scope);
  const none = isSearch ? searchWords.nothing : words.nobody[desk.list.value];
  const isLooking = isSearch && search.beyond.value === undefined && search.error.value === undefined;
  return (
    <section class="day-lists" aria-label={words.lists}>
      <BookingButtons desk={desk} />
      <form
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          void search.now();
        }}
      >
        <label>
          <span class="visually-hidden">{searchWords.label}</span>
          <input
            type="search"
            value={search.query.value}
            placeholder={searchWords.hint}
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => search.type(event.currentTarget.value)}
          />
        </label>
      </form>
      <fieldset class="day-tabs" disabled={isSearch}>
        <legend class="visually-hidden">{words.lists}</legend>
        {LIST_NAMES.map((name) => (
          <Tab key={name} desk={desk} name={name} />
        ))}
      </fieldset>
      {!isSearch && desk.mayAct && desk.list.value === 'arrivals' && (
        <div class="list-actions">
          <ServiceButton desk={desk} onClick={() => openAssignAll(desk)}>
            {assignWords.button}
          </ServiceButton>
          <a href="/desk/housekeeping">{words.housekeeping}</a>
        </div>
      )}
      {isSearch && (
        <p class="muted results" role="status">
          {searchWords.results(stays.length)}
          {isLooking && search.query.value.trim().length > 1 && ` · ${searchWords.looking}`}
        </p>
      )}
      {isSearch && search.error.value !== undefined && <p class="form-error results">{search.error.value}</p>}
      {stays.length === 0 && !isLooking && <p class="muted none">{desk.loaded.value ? none : words.loading}</p>}
      {!desk.loaded.value && <Skeleton rows={4} />}
      {stays.length > 0 && (
        <div class="steady" {...watch}>
          <ol tabIndex={0} aria-label={isSearch ? searchWords.results(stays.length) : listMessages[desk.list.value]}>
            {stays.slice(0, isSearch ? MAX_FOUND : undefined).map((stay) => (
              <Entry key={stay.reservationId} desk={desk} stay={stay} list={isSearch ? undefined : desk.list.value} />
            ))}
          </ol>
          <WaitingEntries waiting={waiting} onShow={showAll} />
        </div>
      )}
      {!isSearch && desk.loaded.value && <DayExtras desk={desk} />}
    </section>
  );
}

const keyOf = ({ reservationId }: BoardStay): string => reservationId;

function Tab({ desk, name }: { desk: FrontDesk; name: ListName }) {
  const lists = desk.lists.value;
  const total = lists[name].length;
  // Before they are read, their place stays empty.
  const shown = (text: string): string => (desk.loaded.value ? text : '\u00a0');
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
        <strong>{shown(name === 'inHouse' ? String(total) : `${of}/${total}`)}</strong>
        <small>{shown(name === 'inHouse' ? words.inHouse(total) : words.progress(name, of, total))}</small>
        {name !== 'inHouse' && (
          <progress value={of} max={Math.max(1, total)} aria-hidden="true">
            {of}
          </progress>
        )}
      </span>
    </label>
  );
}

function Entry({ desk, stay: listed, list }: { desk: FrontDesk; stay: BoardStay; list: ListName | undefined }) {
  // A list that is steady may still have what is over.
  const stay = desk.screen.value.stays.get(listed.reservationId) ?? listed;
  const room = desk.screen.value.rooms.get(stay.roomNumber ?? '');
  const task = taskOf(stay, room, desk.today.value, desk.inspectsRooms);
  const isDone = task === 'left' || (list === 'arrivals' && stay.status === 'CHECKED_IN');
  const opened = desk.drawer.opened.value;
  const property = desk.property.value;
  const isOverdue =
    list === 'arrivals' && desk.mayAct && property !== undefined && isLateArrival(stay, property, desk.clock.value);
  return (
    <li data-done={isDone || undefined} data-late={isOverdue || undefined}>
      <button
        type="button"
        aria-current={(opened?.kind === 'stay' && opened.id === stay.reservationId) || undefined}
        onClick={() => (list === undefined ? desk.search.open(stay) : void desk.drawer.open(stay.reservationId))}
      >
        <span class="swatch" data-task={task}>
          <TaskIcon task={task} />
        </span>
        <strong>{stay.name}</strong> <span class="where">{listRoom(stay)}</span>
        <span class="line">
          {list === undefined ? searchWords.line(stay) : listLine(stay, task, desk.property.value?.timezone)}
        </span>
      </button>
      {isOverdue && (
        <ServiceButton
          desk={desk}
          class="mark-late"
          aria-label={words.noShowOf(stay.name)}
          onClick={() => void desk.drawer.openVerb(stay.reservationId, 'noShow')}
        >
          {words.noShow}
        </ServiceButton>
      )}
    </li>
  );
}
