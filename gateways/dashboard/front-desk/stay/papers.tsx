import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

import { returns } from '../../live/network.ts';
import { ServiceButton } from '../../service-button.tsx';
import type { FrontDesk } from '../front-desk.ts';
import { errorText } from '../problem-messages.ts';
import type { ReservationRead } from '../shapes.ts';
import { historyText, messageName, messageState, noteText, sectionWords as words } from './messages.ts';
import type { HistoryItem, StayMessage } from './shapes.ts';

type Props = { desk: FrontDesk; read: ReservationRead };

/** What happened to a stay, who did it, and when; the newest first. */
export function StayHistory({ desk, read: { reservation, etag } }: Props) {
  return (
    <Paper<HistoryItem> desk={desk} title={words.history} path={`${pathOf(reservation)}/history`} of={etag}>
      {(items) => (
        <ol class="paper">
          {items.toReversed().map((item) => (
            <li key={`${item.timestamp} ${item.event}`}>
              {historyText(item)}
              {item.notes && <small>{noteText(item.notes)}</small>}
            </li>
          ))}
        </ol>
      )}
    </Paper>
  );
}

/** Mails and texts to the guest, and what became of them. */
export function StayMessages({ desk, read: { reservation, etag } }: Props) {
  const path = `${pathOf(reservation)}/messages`;
  const error = useSignal<string | undefined>(undefined);
  const sent = useSignal(0);
  const sendLink = async (): Promise<void> => {
    error.value = undefined;
    try {
      const { body } = await desk.api.call(`${pathOf(reservation)}/stay-page/links`, { method: 'POST', body: {} });
      desk.say(words.linkSent((body as { to: string }).to));
      sent.value += 1;
    } catch (failure) {
      error.value = errorText(failure);
    }
  };
  const again = async ({ messageId }: StayMessage): Promise<void> => {
    error.value = undefined;
    try {
      await desk.api.call(`${path}/${encodeURIComponent(messageId)}/send-again`, { method: 'POST', body: {} });
      sent.value += 1;
    } catch (failure) {
      error.value = errorText(failure);
    }
  };
  return (
    <Paper<StayMessage> desk={desk} title={words.messages} path={path} of={`${etag} ${sent.value}`}>
      {(items) => (
        <>
          {items.length === 0 && <p class="muted">{words.noMessages}</p>}
          <ul class="paper">
            {items.map((message) => (
              <li key={message.messageId} data-state={message.status}>
                {messageName(message)}
                <small>{messageState(message)}</small>
                {(message.status === 'FAILED' || message.status === 'UNKNOWN') && (
                  <ServiceButton
                    desk={desk}
                    aria-label={words.sendAgainLong(messageName(message))}
                    onClick={() => void again(message)}
                  >
                    {words.sendAgain}
                  </ServiceButton>
                )}
              </li>
            ))}
          </ul>
          {error.value && <p class="form-error">{error.value}</p>}
          <ServiceButton desk={desk} onClick={() => void sendLink()}>
            {words.sendLink}
          </ServiceButton>
        </>
      )}
    </Paper>
  );
}

const pathOf = ({ reservationId }: { reservationId: string }): string => `/api/v1/reservations/${reservationId}`;

type PaperProps<Item> = {
  desk: FrontDesk;
  title: string;
  path: string;
  /** Read again when it is another one. */
  of: string;
  children: (items: readonly Item[]) => ComponentChildren;
};

/** A list of the stay that is read when it is opened. */
function Paper<Item>({ desk, title, path, of, children }: PaperProps<Item>) {
  const isOpen = useSignal(false);
  const items = useSignal<readonly Item[] | undefined>(undefined);
  const error = useSignal<string | undefined>(undefined);
  const load = async (): Promise<void> => {
    try {
      items.value = ((await desk.api.call(path)).body as { items: Item[] }).items;
      error.value = undefined;
    } catch (failure) {
      error.value = errorText(failure);
    }
  };
  useEffect(() => {
    if (isOpen.value) void load();
  }, [isOpen.value, of, returns.value]);
  return (
    <details class="stay-section" onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
      <summary>{title}</summary>
      {error.value ? (
        <p class="form-error">
          {error.value}{' '}
          <ServiceButton desk={desk} reads onClick={() => void load()}>
            {words.retry}
          </ServiceButton>
        </p>
      ) : (
        ((items.value && children(items.value)) ?? <p class="muted">{words.loading}</p>)
      )}
    </details>
  );
}
