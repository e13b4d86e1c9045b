import { useSignal } from '@preact/signals';
import type { TargetedEvent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { LANGUAGE_NAMES, languageOf, LANGUAGES } from '../../../src/kernel/rules/languages.ts';
import { ServiceButton, WhyDisabled } from '../service-button.tsx';
import type { ProfileView } from './api.ts';
import type { GuestsStore } from './guests.ts';
import { Merge } from './merge.tsx';
import { guests as words } from './messages.ts';

type Props = { guests: GuestsStore; profile: ProfileView };

/** The open action beside the profile: what it will do, in one line, before it is done. */
export function GuestPanel({ guests, profile }: Props) {
  const panel = guests.panel.value!;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [panel]);
  return (
    <aside class="guest-panel" aria-labelledby="guest-panel-title">
      <h2 id="guest-panel-title" ref={heading} tabIndex={-1}>
        {words[panel]}
      </h2>
      {panel === 'edit' && <Edit guests={guests} profile={profile} />}
      {panel === 'merge' && <Merge guests={guests} profile={profile} />}
      {panel === 'export' && <Export guests={guests} profile={profile} />}
      {panel === 'erase' && <Erase guests={guests} profile={profile} />}
    </aside>
  );
}

const CONSENT = { NONE: words.notAsked, YES: words.yes, NO: words.no };
type ConsentChoice = keyof typeof CONSENT;

function Edit({ guests, profile }: Props) {
  const said: ConsentChoice = !profile.consent ? 'NONE' : profile.consent.marketingByMail ? 'YES' : 'NO';
  const chosen = useSignal<ConsentChoice | undefined>(undefined);
  const save = (event: TargetedEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const field = (name: string): string => {
      const value = data.get(name);
      return typeof value === 'string' ? value.trim() : '';
    };
    const phone = field('phone');
    const consent = chosen.peek() ?? said;
    void guests.save({
      firstName: field('firstName'),
      lastName: field('lastName'),
      email: field('email'),
      phone: phone === '' ? null : phone,
      language: languageOf(field('language')) ?? null,
      ...(consent !== said && { consent: consent === 'NONE' ? null : { marketingByMail: consent === 'YES' } }),
    });
  };
  return (
    <form onSubmit={save}>
      <p>{words.editLine}</p>
      <label>
        {words.firstName}
        <input name="firstName" defaultValue={profile.firstName} required maxLength={100} autocomplete="off" />
      </label>
      <label>
        {words.lastName}
        <input name="lastName" defaultValue={profile.lastName} required maxLength={100} autocomplete="off" />
      </label>
      <label>
        {words.email}
        <input name="email" type="email" defaultValue={profile.email} required maxLength={254} autocomplete="off" />
      </label>
      <label>
        {words.phone}
        <input name="phone" type="tel" defaultValue={profile.phone ?? ''} maxLength={30} autocomplete="off" />
      </label>
      <label>
        {words.language}
        <select name="language">
          <option value="">{words.ofProperty}</option>
          {LANGUAGES.map((language) => (
            <option key={language} value={language} lang={language} selected={language === profile.language}>
              {LANGUAGE_NAMES[language]}
            </option>
          ))}
        </select>
      </label>
      <label>
        {words.consent}
        <select
          value={chosen.value ?? said}
          onChange={(event) => (chosen.value = event.currentTarget.value as ConsentChoice)}
        >
          {Object.entries(CONSENT).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </label>
      <Actions guests={guests} action={words.save} />
    </form>
  );
}

function Export({ guests, profile }: Props) {
  const submit = (event: Event): void => {
    event.preventDefault();
    void guests.export();
  };
  return (
    <form onSubmit={submit}>
      <p>{words.exportLine(nameOf(profile), profile.history.reservations)}</p>
      <Actions guests={guests} action={words.saveFile} />
    </form>
  );
}

function Erase({ guests, profile }: Props) {
  const typed = useSignal('');
  const isConfirmed = typed.value.trim() === nameOf(profile);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (isConfirmed) void guests.erase();
  };
  return (
    <form onSubmit={submit}>
      <p>{words.eraseLine(nameOf(profile), profile.history.reservations)}</p>
      <label>
        {words.typeName(nameOf(profile))}
        <input
          value={typed.value}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => (typed.value = event.currentTarget.value)}
        />
      </label>
      <Actions guests={guests} action={words.eraseNow} isReady={isConfirmed} />
    </form>
  );
}

/** The safest useful button is the way out; the action itself says what it is. */
function Actions({ guests, action, isReady = true }: { guests: GuestsStore; action: string; isReady?: boolean }) {
  return (
    <>
      <p role="alert">{guests.trouble.value}</p>
      <div class="verbs">
        <ServiceButton desk={guests} type="submit" disabled={!isReady || guests.busy.value}>
          {action}
        </ServiceButton>
        <button type="button" onClick={() => guests.openPanel(undefined)}>
          {words.cancel}
        </button>
      </div>
      <WhyDisabled desk={guests} />
    </>
  );
}

const nameOf = ({ firstName, lastName }: ProfileView): string => `${firstName} ${lastName}`;
