import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';

import { TOPIC_NAMES, TOPICS } from '../../../../src/events/rules/topics.ts';
import { noServiceReason } from '../../access/messages.ts';
import { locale } from '../../language/texts.ts';
import { network } from '../../live/network.ts';
import type { AdminStore } from '../admin.ts';
import { admin as adminWords } from '../messages.ts';
import { FiltersForm, NarrowedItems } from '../narrowed-view.tsx';
import { aboutOf, EventList, sentMomentOf, type PropertyEvent } from './event-list.ts';
import { eventTexts as words } from './messages.ts';

const SENT = TOPIC_NAMES.filter((topic) => TOPICS[topic].from === 'innkeeper');

/** Events of the property, narrowed by topic and text. */
export function EventsView({ admin }: { admin: AdminStore }) {
  const property = admin.property.value?.propertyId;
  const list = useMemo(() => new EventList(admin), [admin, property]);
  useEffect(() => {
    if (property !== undefined) void list.find();
    return () => list.close();
  }, [list]);
  return (
    <>
      <Filters list={list} />
      <NarrowedItems list={list} reason={noServiceReason(network.value)} none={words.none} more={words.more}>
        {(items) => <Events items={items} property={property} />}
      </NarrowedItems>
    </>
  );
}

function Filters({ list }: { list: EventList }) {
  const { topic, text } = list.filters.peek();
  return (
    <FiltersForm list={list} name={words.name} find={words.find}>
      <label class="admin-field">
        {words.topic}
        <select name="topic">
          <option value="">{words.allTopics}</option>
          {SENT.map((name) => (
            <option key={name} value={name} selected={name === topic}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="admin-field">
        {words.text}
        <input name="text" defaultValue={text} placeholder={words.textHint} maxLength={100} autocomplete="off" />
      </label>
    </FiltersForm>
  );
}

type Of = { items: readonly PropertyEvent[]; property: string | undefined };

function Events({ items, property }: Of) {
  return (
    <div class="admin-table" tabIndex={0} role="region" aria-label={words.list}>
      <table>
        <thead>
          <tr>
            {[words.when, words.topic, words.what].map((label) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
            <th scope="col" class="amount">
              {words.number}
            </th>
            <th scope="col">
              <span class="visually-hidden">{adminWords.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((event, n) => (
            <Event key={`${event.headers['seq']} ${n}`} event={event} property={property} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const TIME = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });

function Event({ event, property }: { event: PropertyEvent; property: string | undefined }) {
  const isOpen = useSignal(false);
  const at = sentMomentOf(event);
  const { text, href } = aboutOf(event, property);
  return (
    <>
      <tr data-open={isOpen.value ? true : undefined}>
        <td>{at !== undefined && TIME.format(new Date(at))}</td>
        <td>
          {event.topic}
          {event.error !== null && <small class="admin-trouble"> {words.broken}</small>}
        </td>
        <td class="trail-what">{href === undefined ? text : <a href={href}>{text}</a>}</td>
        <td class="amount">{event.headers['seq']}</td>
        <td class="admin-row-verbs">
          <button
            type="button"
            aria-expanded={isOpen.value}
            aria-label={words.details(`${event.topic} ${text}`)}
            onClick={() => (isOpen.value = !isOpen.peek())}
          >
            {words.show}
          </button>
        </td>
      </tr>
      {isOpen.value && (
        <tr>
          <td colSpan={5}>
            <pre tabIndex={0} role="region" aria-label={event.topic}>
              {event.error ?? JSON.stringify(event.value, null, 2)}
            </pre>
          </td>
        </tr>
      )}
    </>
  );
}
