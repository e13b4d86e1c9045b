import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';

import { noServiceReason } from '../../access/messages.ts';
import { locale } from '../../language/texts.ts';
import { network } from '../../live/network.ts';
import type { AdminStore } from '../admin.ts';
import { admin as adminWords } from '../messages.ts';
import { FiltersForm, NarrowedItems } from '../narrowed-view.tsx';
import { trail as words } from './messages.ts';
import { entityLink, linesOf, type TrailEntry, type TrailFilter, TrailList } from './trail-list.ts';

type Props = { list: TrailList; admin: AdminStore };

/** Every change of the tenant, narrowed by what, who and when. */
export function TrailView({ admin }: { admin: AdminStore }) {
  const list = useMemo(() => new TrailList(admin), [admin]);
  useEffect(() => {
    void list.find();
    return () => list.close();
  }, [list]);
  return (
    <>
      <Filters list={list} admin={admin} />
      <NarrowedItems list={list} reason={noServiceReason(network.value)} none={words.none} more={words.more}>
        {(entries) => <Entries entries={entries} />}
      </NarrowedItems>
    </>
  );
}

function Filters({ list, admin }: Props) {
  const { filters } = list;
  const text = (name: TrailFilter, label: string, hint: string) => (
    <label class="admin-field">
      {label}
      <input name={name} defaultValue={filters.peek()[name]} placeholder={hint} maxLength={255} autocomplete="off" />
    </label>
  );
  const day = (name: TrailFilter, label: string) => (
    <label class="admin-field">
      {label}
      <input name={name} type="date" defaultValue={filters.peek()[name]} />
    </label>
  );
  return (
    <FiltersForm list={list} name={words.name} find={words.find}>
      <label class="admin-field">
        {words.property}
        <select name="of">
          <option value="">{words.allProperties}</option>
          {admin.properties.value.map(({ propertyId, name }) => (
            <option key={propertyId} value={propertyId} selected={propertyId === filters.peek().of}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {text('entity', words.entity, words.entityHint)}
      {text('who', words.who, words.whoHint)}
      {text('action', words.action, words.actionHint)}
      {day('from', words.from)}
      {day('to', words.to)}
    </FiltersForm>
  );
}

function Entries({ entries }: { entries: readonly TrailEntry[] }) {
  return (
    <div class="admin-table" tabIndex={0} role="region" aria-label={words.list}>
      <table>
        <thead>
          <tr>
            <th scope="col">{words.when}</th>
            <th scope="col">{words.who}</th>
            <th scope="col">{words.action}</th>
            <th scope="col">{words.what}</th>
            <th scope="col">{words.property}</th>
            <th scope="col">
              <span class="visually-hidden">{adminWords.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <Entry key={`${entry.propertyId} ${entry.seq}`} entry={entry} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const TIME = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });

function Entry({ entry }: { entry: TrailEntry }) {
  const isOpen = useSignal(false);
  const link = entityLink(entry);
  const what = `${entry.entity} ${entry.entityId}`;
  return (
    <>
      <tr data-open={isOpen.value ? true : undefined}>
        <td>{TIME.format(new Date(entry.at))}</td>
        <td>{entry.userId}</td>
        <td>{entry.action}</td>
        <td class="trail-what">{link === undefined ? what : <a href={link}>{what}</a>}</td>
        <td>{entry.propertyId}</td>
        <td class="admin-row-verbs">
          <button
            type="button"
            aria-expanded={isOpen.value}
            aria-label={words.details(`${entry.action} ${what}`)}
            onClick={() => (isOpen.value = !isOpen.peek())}
          >
            {words.show}
          </button>
        </td>
      </tr>
      {isOpen.value && (
        <tr>
          <td colSpan={6}>
            <div class="trail-images">
              <Image name={words.before} image={entry.before} />
              <Image name={words.after} image={entry.after} />
            </div>
            <small class="muted">{words.request(entry.requestId)}</small>
          </td>
        </tr>
      )}
    </>
  );
}

function Image({ name, image }: { name: string; image: TrailEntry['before'] }) {
  const lines = linesOf(image);
  return (
    <div>
      <b>{name}</b>
      {lines.length === 0 ? (
        <p class="muted">{words.nothing}</p>
      ) : (
        <dl>
          {lines.map((line) => (
            <div key={line.name}>
              <dt>{line.name}</dt>
              <dd>{line.text}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
