import { useEffect } from 'preact/hooks';

import { signedInRole } from '../access/roles.ts';
import { AppBar, Who } from '../app-bar.tsx';
import { KeysHelp } from '../keys-help.tsx';
import { NetworkStatus } from '../live/network-status.tsx';
import { TroubleNotice } from '../notice.tsx';
import { Skeleton } from '../shell/skeleton.tsx';
import { WorkspaceSwitch } from '../workspace-switch.tsx';
import type { GuestList } from './api.ts';
import { type GuestsStore, profileOf } from './guests.ts';
import { guests as words, tierWord } from './messages.ts';
import { GuestProfileView } from './profile.tsx';

type Props = { guests: GuestsStore };

/** Guests of all properties: the search, or one profile with a panel beside it. */
export function GuestsView({ guests, onSignOut }: Props & { onSignOut: () => void }) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && guests.panel.peek() !== undefined) guests.openPanel(undefined);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [guests]);
  const trouble = guests.panel.value === undefined ? guests.trouble.value : undefined;
  return (
    <>
      <AppBar>
        <WorkspaceSwitch here="guests" />
        <NetworkStatus />
        <KeysHelp groups={[]} />
        <Who tenantId={guests.user.tenantId} role={signedInRole.value} onSignOut={onSignOut} />
      </AppBar>
      <TroubleNotice trouble={trouble} onSignOut={onSignOut} />
      <main class="guests" data-panel={guests.panel.value}>
        {guests.guestId.value === undefined ? <Search guests={guests} /> : <GuestProfileView guests={guests} />}
      </main>
    </>
  );
}

function Search({ guests }: Props) {
  const found = guests.found.value;
  return (
    <section class="guest-search" aria-labelledby="guests-title">
      <h1 id="guests-title">{words.title}</h1>
      <form role="search" onSubmit={(event) => event.preventDefault()}>
        <label>
          <span class="visually-hidden">{words.search}</span>
          <input
            type="search"
            value={guests.query.value}
            placeholder={words.hint}
            maxLength={100}
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => guests.search(event.currentTarget.value)}
          />
        </label>
      </form>
      <p role="status" class="muted">
        {found ? summaryOf(found, guests.query.value) : words.loading}
      </p>
      {!found && <Skeleton rows={8} />}
      {found && found.items.length > 0 && <Found found={found} />}
    </section>
  );
}

function summaryOf({ items, nextCursor }: GuestList, query: string): string {
  if (items.length === 0) return query.trim() === '' ? words.noneYet : words.none;
  if (nextCursor !== null) return query.trim() === '' ? words.newest : words.more(items.length);
  return words.found(items.length);
}

function Found({ found }: { found: GuestList }) {
  return (
    <div class="guests-table" tabIndex={0} role="group" aria-label={words.title}>
      <table>
        <thead>
          <tr>
            <th scope="col">{words.name}</th>
            <th scope="col">{words.email}</th>
            <th scope="col">{words.phone}</th>
            <th scope="col">{words.loyalty}</th>
          </tr>
        </thead>
        <tbody>
          {found.items.map(({ guestId, firstName, lastName, email, phone, loyaltyTier }) => (
            <tr key={guestId}>
              <th scope="row">
                <a href={profileOf(guestId)}>
                  {firstName} {lastName}
                </a>
              </th>
              <td>{email}</td>
              <td>{phone ?? ''}</td>
              <td>{tierWord(loyaltyTier)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
