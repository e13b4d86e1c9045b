import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import { pageUrl } from '../address.ts';
import { dayRange, timeOfDay } from '../grid/days.ts';
import { Icon } from '../icons.tsx';
import { textsOf } from '../language/texts.ts';
import { feed, happeningOf } from '../messages.ts';
import { noticesCome, noticesSeen, type StayNotice, stayNotices, unseenNotices } from './notices.ts';
import { unseenWaiting, waitingHref, type WaitingNotice, waitingNotices, waitingSeen } from './waiting-notices.ts';

const say = textsOf('pages');

/** Beyond it the exact number helps nobody. */
const MAX_SHOWN = 99;

/** What has happened to stays while somebody works: a number in the bar, and the list behind it. */
export function NoticesButton() {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = useSignal(false);
  const count = unseenNotices.value + unseenWaiting.value;
  useEffect(() => {
    if (isOpen.value) dialog.current?.showModal();
  }, [isOpen.value]);
  return (
    <>
      <button
        type="button"
        class="quiet notices-button"
        aria-haspopup="dialog"
        aria-label={say('{count, plural, =0 {Notices} one {Notices, # new} other {Notices, # new}}', { count })}
        data-new={count > 0 || undefined}
        onClick={() => (isOpen.value = true)}
      >
        <Icon name="bell" />
        <span aria-hidden="true">{count === 0 ? '' : count > MAX_SHOWN ? `${MAX_SHOWN}+` : count}</span>
      </button>
      {isOpen.value && (
        <dialog
          ref={dialog}
          class="keys-help notices"
          aria-labelledby="notices-title"
          onClose={() => (isOpen.value = false)}
        >
          <NoticeList onClose={() => dialog.current?.close()} />
        </dialog>
      )}
    </>
  );
}

function NoticeList({ onClose }: { onClose: () => void }) {
  const notices = stayNotices.value;
  const waiting = waitingNotices.value;
  // What comes while the list is open is seen.
  useEffect(noticesSeen, [notices]);
  useEffect(waitingSeen, [waiting]);
  return (
    <>
      <div class="top">
        <h2 id="notices-title">{say('Notices')}</h2>
        <button type="button" autofocus onClick={onClose}>
          {say('Close')}
        </button>
      </div>
      {waiting.length > 0 && (
        <section aria-labelledby="notices-waiting">
          <h3 id="notices-waiting">{say('To do')}</h3>
          <ul>
            {waiting.map((notice) => (
              <li key={notice.kind}>
                <a href={waitingHref(notice)} onClick={onClose}>
                  {waitingText(notice)}
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
      {waiting.length > 0 && notices.length > 0 && <h3>{say('What has happened')}</h3>}
      {notices.length === 0 ? (
        <p class="muted">
          {noticesCome.value
            ? say('Nothing has happened since you opened this page.')
            : say('No news reaches this page: it comes on Revenue, Front desk and other pages that are live.')}
        </p>
      ) : (
        <ol>
          {notices.map((notice) => (
            <li key={notice.order}>
              <NoticeLine notice={notice} onFollow={onClose} />
            </li>
          ))}
        </ol>
      )}
      <p>
        <a href="/me" onClick={onClose}>
          {say('Choose what you are told')}
        </a>
      </p>
    </>
  );
}

function waitingText({ kind, count, name }: WaitingNotice): string {
  switch (kind) {
    case 'ROOMS_MISSING':
      return say('{count, plural, one {# arrival of today has} other {# arrivals of today have}} no room', { count });
    case 'TASKS_OVERDUE':
      return say('{count, plural, one {# room waits} other {# rooms wait}} for housekeeping since yesterday', {
        count,
      });
    case 'MAINTENANCE_OVERDUE':
      return say(
        '{count, plural, one {# room has} other {# rooms have}} been out of order for a week, without an end',
        {
          count,
        },
      );
    case 'RECOMMENDATIONS':
      return say('{count, plural, one {# new recommendation} other {# new recommendations}} of prices', { count });
    case 'MESSAGES_FAILED':
      return say('{count, plural, one {# message to a guest} other {# messages to guests}} may not have arrived', {
        count,
      });
    case 'INVITATIONS_FAILED':
      return say('{count, plural, one {# invitation} other {# invitations}} may not have arrived', { count });
    case 'INVITATION_ACCEPTED':
      return say(
        '{count, plural, one {{name} has accepted your invitation} other {{name} and others have accepted your invitations}}',
        { count, name: name ?? '' },
      );
  }
}

function NoticeLine({ notice: { propertyId, item }, onFollow }: { notice: StayNotice; onFollow: () => void }) {
  const { verb, kind } = happeningOf(item);
  return (
    <a
      href={pageUrl('/desk', { property: propertyId, stay: item.reservationId })}
      onClick={onFollow}
      data-kind={kind}
    >
      <strong>{verb}</strong> {item.guestName ?? feed.guest}, {item.roomType}, {dayRange(item.checkIn, item.checkOut)}
      <time dateTime={new Date(item.at).toISOString()}>{timeOfDay(item.at)}</time>
    </a>
  );
}
