import { useEffect, useMemo } from 'preact/hooks';

import { noServiceReason } from '../../access/messages.ts';
import { pageUrl } from '../../address.ts';
import { locale } from '../../language/texts.ts';
import { network } from '../../live/network.ts';
import type { AdminStore } from '../admin.ts';
import { admin as adminWords } from '../messages.ts';
import { FiltersForm, NarrowedItems } from '../narrowed-view.tsx';
import { type MessageFilterName, MessageList, type PropertyMessage } from './message-list.ts';
import { CHANNEL_NAMES, guestMessages as words, KIND_NAMES, STATE_NAMES } from './messages.ts';

type Props = { list: MessageList; admin: AdminStore };

/** Messages to guests of the property, with what became of them. */
export function MessagesView({ admin }: { admin: AdminStore }) {
  const property = admin.property.value?.propertyId;
  const list = useMemo(() => new MessageList(admin), [admin, property]);
  useEffect(() => {
    if (property !== undefined) void list.find();
    return () => list.close();
  }, [list]);
  const reason = noServiceReason(network.value);
  return (
    <>
      <Filters list={list} />
      <NarrowedItems
        list={list}
        reason={reason}
        none={words.none}
        more={words.more}
        status={<p role="status">{list.done.value}</p>}
      >
        {(items) => <Rows list={list} admin={admin} items={items} reason={reason} />}
      </NarrowedItems>
    </>
  );
}

function Filters({ list }: { list: MessageList }) {
  const { filters } = list;
  const choice = (name: MessageFilterName, label: string, all: string, options: Record<string, string>) => (
    <label class="admin-field">
      {label}
      <select name={name}>
        <option value="">{all}</option>
        {Object.entries(options).map(([value, text]) => (
          <option key={value} value={value} selected={value === filters.peek()[name]}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <FiltersForm list={list} name={words.name} find={words.find}>
      {choice('kind', words.kind, words.allKinds, KIND_NAMES)}
      {choice('state', words.state, words.allStates, STATE_NAMES)}
      <label class="admin-field">
        {words.reservation}
        <input
          name="reservation"
          defaultValue={filters.peek().reservation}
          placeholder={words.reservationHint}
          maxLength={100}
          autocomplete="off"
        />
      </label>
    </FiltersForm>
  );
}

const TIME = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const timeText = (at: string | null): string => (at === null ? '' : TIME.format(new Date(at)));

function Rows({
  list,
  admin,
  items,
  reason,
}: Props & { items: readonly PropertyMessage[]; reason: string | undefined }) {
  const property = admin.property.value?.propertyId;
  return (
    <div class="admin-table" tabIndex={0} role="region" aria-label={words.list}>
      <table>
        <thead>
          <tr>
            {[words.when, words.kind, words.channel, words.reservation, words.state, words.sent].map((label) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
            <th scope="col" class="amount">
              {words.attempts}
            </th>
            <th scope="col">
              <span class="visually-hidden">{adminWords.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((one) => (
            <tr key={`${one.reservationId} ${one.messageId}`}>
              <td>{timeText(one.at)}</td>
              <td>{KIND_NAMES[one.kind]}</td>
              <td>{CHANNEL_NAMES[one.channel]}</td>
              <td>
                {one.confirmationNumber !== null && (
                  <a href={pageUrl('/desk', { property, stay: one.reservationId })}>{one.confirmationNumber}</a>
                )}
              </td>
              <td>
                {STATE_NAMES[one.status]}
                {one.error !== null && <small class="muted"> {one.error}</small>}
              </td>
              <td>{timeText(one.sentAt)}</td>
              <td class="amount">{one.attempts}</td>
              <td class="admin-row-verbs">
                {(one.status === 'FAILED' || one.status === 'UNKNOWN') && (
                  <button
                    type="button"
                    aria-label={words.sendAgainTo(one.confirmationNumber ?? one.reservationId)}
                    disabled={list.busy.value || reason !== undefined}
                    title={reason}
                    onClick={() => void list.sendAgain(one)}
                  >
                    {words.sendAgain}
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
