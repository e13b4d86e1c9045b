import { LANGUAGE_NAMES, LANGUAGES } from '../../../src/kernel/rules/languages.ts';
import {
  CLOCK_STYLES,
  DENSITIES,
  FIRST_DAYS,
  NOTICE_KINDS,
  type NoticeKind,
  THEMES,
} from '../../../src/tenants/rules/preferences.ts';
import { noAnswerReason } from '../access/messages.ts';
import { preferenceState } from '../access/own-preferences.ts';
import { signedInRole } from '../access/roles.ts';
import { AppBar, Who } from '../app-bar.tsx';
import { KeysHelp } from '../keys-help.tsx';
import { keysDialog } from '../keys-messages.ts';
import { NetworkStatus } from '../live/network-status.tsx';
import { wantedNotices } from '../live/notices.ts';
import { TroubleNotice } from '../notice.tsx';
import { ServiceButton, WhyDisabled } from '../service-button.tsx';
import { Choices } from '../shell/choices.tsx';
import * as looks from '../theme.ts';
import { WorkspaceSwitch } from '../workspace-switch.tsx';
import type { ListedSession, OwnSettings } from './me.ts';
import { ownWords as words, savedWords, sessionLine, sessionName } from './messages.ts';

type Props = { own: OwnSettings };

/** What belongs to a person: who he is here, how he wants the pages, and where he is signed in. */
export function OwnSettingsView({ own, onSignOut }: Props & { onSignOut: () => void }) {
  const trouble = own.trouble.value;
  return (
    <>
      <AppBar>
        <WorkspaceSwitch here="me" />
        <NetworkStatus />
        <KeysHelp groups={[]} />
        <Who tenantId={own.user.tenantId} role={signedInRole.value} onSignOut={onSignOut} />
      </AppBar>
      <TroubleNotice trouble={trouble} onSignOut={onSignOut} />
      <main class="me">
        <h1>{words.title}</h1>
        <Profile own={own} />
        <PreferencesSection own={own} />
        <Sessions own={own} />
      </main>
    </>
  );
}

function Profile({ own }: Props) {
  const person = own.person.value;
  return (
    <section class="sheet" aria-labelledby="me-profile">
      <h2 id="me-profile">{words.profile}</h2>
      {person === undefined ? (
        <p class="muted">{words.loading}</p>
      ) : (
        <dl>
          <dt>{words.name}</dt>
          <dd>{person.name ?? words.none}</dd>
          <dt>{words.email}</dt>
          <dd>{person.email ?? words.none}</dd>
          <dt>{words.subject}</dt>
          <dd>{words.signsIn(person.subject, hostOf(person.issuer))}</dd>
          <dt>{words.tenants}</dt>
          <dd>
            <ul>
              {person.tenants.map(({ tenantId, name, role }) => (
                <li key={tenantId}>{words.roleIn(name, role)}</li>
              ))}
            </ul>
          </dd>
        </dl>
      )}
      <p class="hint">{words.profileHint}</p>
    </section>
  );
}

const hostOf = (issuer: string): string => URL.parse(issuer)?.host ?? issuer;

function PreferencesSection({ own }: Props) {
  // The document is loaded again in another language or with another clock, which needs the service.
  const blocked = noAnswerReason(own.connection.value);
  return (
    <section class="sheet" aria-labelledby="me-preferences">
      <h2 id="me-preferences">{words.preferences}</h2>
      <p>{words.preferencesHint}</p>
      <Choices
        name="own-language"
        title={words.language}
        of={LANGUAGES}
        shown={looks.shownLanguage}
        words={LANGUAGE_NAMES}
        onChoose={looks.chooseLanguage}
        blocked={blocked}
      />
      <Choices
        name="own-clock"
        title={words.clock}
        of={CLOCK_STYLES}
        shown={looks.shownClock}
        words={words.clocks}
        onChoose={looks.chooseClock}
        blocked={blocked}
      />
      <Choices
        name="own-first-day"
        title={words.firstDay}
        of={FIRST_DAYS}
        shown={looks.firstDay}
        words={words.days}
        onChoose={looks.chooseFirstDay}
      />
      <Choices
        name="own-density"
        title={keysDialog.density}
        of={DENSITIES}
        shown={looks.density}
        words={keysDialog.densities}
        onChoose={looks.chooseDensity}
      />
      <Choices
        name="own-theme"
        title={keysDialog.theme}
        of={THEMES}
        shown={looks.theme}
        words={keysDialog.themes}
        onChoose={looks.choose}
      />
      <NoticeChoice />
      <p role="status">{savedWords[preferenceState.value]}</p>
    </section>
  );
}

/** Which notices the bar has for this person. */
function NoticeChoice() {
  const wanted = wantedNotices.value;
  const choose = (kind: NoticeKind, isWanted: boolean): void =>
    looks.chooseNotices(isWanted ? [...wanted, kind] : wanted.filter((one) => one !== kind));
  return (
    <fieldset class="appearance" aria-describedby="me-notices">
      <legend>{words.notices}</legend>
      {NOTICE_KINDS.map((kind) => (
        <label key={kind} class="check">
          <input
            type="checkbox"
            checked={wanted.includes(kind)}
            onChange={(event) => choose(kind, event.currentTarget.checked)}
          />
          {words.noticeKinds[kind]}
        </label>
      ))}
      <p id="me-notices" class="hint">
        {words.noticesHint}
      </p>
    </fieldset>
  );
}

function Sessions({ own }: Props) {
  const sessions = own.sessions.value;
  const others = (sessions ?? []).filter(({ isThis }) => !isThis);
  return (
    <section class="sheet" aria-labelledby="me-sessions">
      <h2 id="me-sessions">{words.sessions}</h2>
      {own.isTyped && <p>{words.typed}</p>}
      {sessions === undefined ? (
        <p class="muted">{words.loading}</p>
      ) : (
        <ul class="own-sessions">
          {sessions.map((session) => (
            <SessionItem key={session.id} own={own} session={session} />
          ))}
        </ul>
      )}
      {sessions !== undefined && others.length === 0 && <p class="hint">{words.alone}</p>}
      {others.length > 0 && (
        <div class="verbs">
          <ServiceButton desk={own} disabled={own.busy.value} onClick={() => void own.endOthers()}>
            {words.signOutOthers}
          </ServiceButton>
          <span class="muted">{words.othersHint(others.length)}</span>
        </div>
      )}
      <p role="status">{own.done.value}</p>
      <WhyDisabled desk={own} />
    </section>
  );
}

function SessionItem({ own, session }: Props & { session: ListedSession }) {
  const name = sessionName(session);
  const line = sessionLine(session);
  return (
    <li>
      <p>
        {name}
        <small>{line}</small>
      </p>
      {session.isThis ? (
        <strong>{words.thisBrowser}</strong>
      ) : (
        <ServiceButton
          desk={own}
          disabled={own.busy.value}
          aria-label={words.signOutOf(name, line)}
          onClick={() => void own.end(session)}
        >
          {words.signOut}
        </ServiceButton>
      )}
    </li>
  );
}
