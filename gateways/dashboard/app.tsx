import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { PageConfig } from '../../src/contracts/page-config.ts';
import { Desk } from './desk.ts';
import { DeskView } from './desk-view.tsx';
import { sessionUser, signedIn, SignInError, signOut, type SignedIn } from './identity.ts';
import { SignInView } from './sign-in-view.tsx';
import { access, signIn } from './words-access.ts';

type Screen =
  | { kind: 'loading' }
  | { kind: 'broken'; message: string }
  | { kind: 'sign-in'; config: PageConfig; message?: string }
  | { kind: 'desk'; config: PageConfig; desk: Desk };

const screen = signal<Screen>({ kind: 'loading' });

/** The whole page: signing in, then the desk. */
export function App() {
  useEffect(() => void start(), []);
  const shown = screen.value;
  switch (shown.kind) {
    case 'loading':
      return null;
    case 'broken':
      return (
        <main class="centered">
          <h1>{signIn.product}</h1>
          <p role="alert">{shown.message}</p>
          <button type="button" class="primary" onClick={() => location.reload()}>
            {access.tryAgain}
          </button>
        </main>
      );
    case 'sign-in':
      return (
        <SignInView config={shown.config} message={shown.message} onSignedIn={(user) => open(shown.config, user)} />
      );
    case 'desk':
      return <DeskView desk={shown.desk} onSignOut={() => leave(shown.config, shown.desk)} />;
  }
}

async function start(): Promise<void> {
  const config = await loadConfig();
  if (!config) {
    screen.value = { kind: 'broken', message: access.noService };
    return;
  }
  try {
    const user = signedIn() ?? (await sessionUser());
    if (user) open(config, user);
    else screen.value = { kind: 'sign-in', config };
  } catch (error) {
    const message = error instanceof SignInError ? error.message : access.signInFailed;
    screen.value = { kind: 'sign-in', config, message };
  }
}

function open(config: PageConfig, user: SignedIn): void {
  screen.value = { kind: 'desk', config, desk: new Desk(config, user) };
  // Where the way to sign in was scrolled to says nothing of what comes after.
  scrollTo(0, 0);
}

function leave(config: PageConfig, desk: Desk): void {
  desk.close();
  void signOut();
  screen.value = { kind: 'sign-in', config };
}

async function loadConfig(): Promise<PageConfig | undefined> {
  try {
    const response = await fetch('/config.json');
    return response.ok ? ((await response.json()) as PageConfig) : undefined;
  } catch {
    return undefined;
  }
}
