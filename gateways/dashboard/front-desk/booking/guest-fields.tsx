import { useSignal } from '@preact/signals';
import type { TargetedInputEvent } from 'preact';
import { useEffect } from 'preact/hooks';

import { errorText } from '../problem-messages.ts';
import { findGuests } from './api.ts';
import { bookingMessages as words } from './messages.ts';
import type { NewReservation } from './new-reservation.ts';
import type { BookingForm, GuestMatch, GuestProfile } from './shapes.ts';

type Props = { state: NewReservation };
const TYPING_MS = 200;
const MIN_LETTERS = 2;

type TextName = 'firstName' | 'lastName' | 'email' | 'phone';
const LENGTHS: Record<TextName, number> = { firstName: 100, lastName: 100, email: 254, phone: 30 };

/** A guest who is known, found by half a name, or a new one. */
export function GuestFields({ state }: Props) {
  const form = state.form.value;
  const isAddressNeeded = !state.isWalkIn;
  const field = (name: TextName, isNeeded: boolean) => {
    const input = {
      name,
      required: isNeeded,
      maxLength: LENGTHS[name],
      autocomplete: 'off',
      value: form[name],
      onInput: (event: TargetedInputEvent<HTMLInputElement>) =>
        state.change({ [name]: event.currentTarget.value, guestId: '' }),
    };
    return (
      <label>
        {isNeeded ? words[name] : words.optional(words[name])}
        {name === 'email' ? <input type="email" {...input} /> : <input type="text" {...input} />}
      </label>
    );
  };
  return (
    <fieldset class="guest">
      <legend>{words.guest}</legend>
      <Search state={state} />
      <div class="fields two">
        {field('firstName', true)}
        {field('lastName', true)}
        {field('email', isAddressNeeded)}
        {field('phone', false)}
      </div>
      <label class="field">
        {words.optional(words.requests)}
        <textarea
          name="requests"
          rows={2}
          maxLength={500}
          value={form.requests}
          onInput={(event) => state.change({ requests: event.currentTarget.value })}
        />
      </label>
    </fieldset>
  );
}

type Found = { guests: readonly (GuestMatch | GuestProfile)[]; error?: string };

function Search({ state }: Props) {
  const query = useSignal('');
  const found = useSignal<Found | undefined>(undefined);
  const known = useSignal<string | undefined>(undefined);
  const text = query.value.trim();
  useEffect(() => {
    if (text.length < MIN_LETTERS) {
      found.value = undefined;
      return undefined;
    }
    // What is found for fewer letters must not come after what is found for more.
    let isOver = false;
    const timer = setTimeout(() => {
      findGuests(state.desk.access, text).then(
        (guests) => isOver || (found.value = { guests }),
        (error: unknown) => isOver || (found.value = { guests: [], error: errorText(error) }),
      );
    }, TYPING_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [text]);
  const choose = (guest: GuestMatch | GuestProfile): void => {
    state.change(filledBy(guest));
    known.value = pastOf(guest);
    query.value = '';
    found.value = undefined;
  };
  const isKnown = state.form.value.guestId !== '' && known.value !== undefined;
  return (
    <div class="guest-search">
      <label class="field">
        {words.findGuest}
        <input
          type="search"
          name="findGuest"
          placeholder={words.findHint}
          autocomplete="off"
          spellcheck={false}
          value={query.value}
          onInput={(event) => (query.value = event.currentTarget.value)}
          onKeyDown={(event) => {
            const [only] = found.value?.guests ?? [];
            if (event.key !== 'Enter') return;
            // Enter takes the first guest, and does not book.
            event.preventDefault();
            if (only) choose(only);
          }}
        />
      </label>
      <p role="status" class={found.value?.error === undefined ? 'muted' : 'form-error'}>
        {isKnown ? known.value : found.value && saidOf(found.value)}
      </p>
      {found.value && found.value.guests.length > 0 && (
        <ul class="found-guests" aria-label={words.found(found.value.guests.length)}>
          {found.value.guests.map((guest) => (
            <li key={guest.guestId}>
              <button type="button" onClick={() => choose(guest)}>
                <strong>
                  {guest.firstName} {guest.lastName}
                </strong>
                <span>{guest.email}</span>
                <small>{pastOf(guest)}</small>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function saidOf({ guests, error }: Found): string {
  return error ?? (guests.length === 0 ? words.nobody : words.found(guests.length));
}

function pastOf(guest: GuestMatch | GuestProfile): string {
  return 'history' in guest ? words.known(guest.history.stays) : '';
}

/** A booking names its guest by name and address, and finds the profile by them. */
function filledBy({ guestId, firstName, lastName, email, phone }: GuestMatch): Partial<BookingForm> {
  return { guestId, firstName, lastName, email, phone: phone ?? '' };
}
