import { access } from './access/messages.ts';
import type { RevenueStore } from './revenue/store.ts';

type Props = { desk: Pick<RevenueStore, 'connection' | 'notice'>; onSignOut: () => void };

/** What somebody who looks at a workspace should know and can do something about, such as signing in again. */
export function Notice({ desk, onSignOut }: Props) {
  const state = desk.connection.value;
  const signedOut = state.kind === 'signed-out';
  const text = signedOut ? (state.because === 'token' ? access.tokenOver : access.tenantOver) : desk.notice.value;
  return (
    <div class="notice" role="alert">
      {text !== undefined && (
        <p>
          {text}
          {(signedOut || text === access.expired) && (
            <button type="button" class="primary" onClick={onSignOut}>
              {access.signInAgain}
            </button>
          )}
        </p>
      )}
    </div>
  );
}

/** Instead of a workspace that nothing was ever shown in: why, and the way on. */
export function SignedOut({ because, onSignOut }: { because: 'token' | 'tenant'; onSignOut: () => void }) {
  return (
    <main class="centered">
      <h1>{access.signInAgain}</h1>
      <p role="alert">{because === 'token' ? access.tokenRefused : access.tenantRefused}</p>
      <button type="button" class="primary" onClick={onSignOut}>
        {access.signInAgain}
      </button>
    </main>
  );
}
