import { useSignal } from '@preact/signals';
import type { TargetedEvent } from 'preact';

import type { PageConfig } from '../../../src/live/contracts/page-config.ts';
import { Mark } from '../icons.tsx';
import { returnHere } from '../workspace.ts';
import { beginSignIn, type SignedIn, useToken } from './identity.ts';
import { signInMessages as words } from './messages.ts';

type Props = { config: PageConfig; message?: string; onSignedIn: (user: SignedIn) => void };

/** Sign-in form: user and tenant. */
export function SignInView({ config, message, onSignedIn }: Props) {
  const busy = useSignal(false);

  function begin(tenantId: string, hint?: string): void {
    busy.value = true;
    returnHere();
    beginSignIn(tenantId, hint);
  }

  return (
    <main class="sign-in">
      <div class="panel">
        <Mark />
        <h1>{words.product}</h1>
        <p class="lead">{words.lead}</p>
        <p role="alert" class="problem">
          {message}
        </p>
        {config.development && config.demoUsers?.length ? (
          <DemoUsers users={config.demoUsers} busy={busy.value} onChoose={(tenant, hint) => begin(tenant, hint)} />
        ) : (
          <TenantForm busy={busy.value} onSubmit={(tenant) => begin(tenant)} />
        )}
        <details>
          <summary>{words.withToken}</summary>
          <TokenForm onSubmit={(token, tenantId) => onSignedIn(useToken(token, tenantId))} />
        </details>
      </div>
    </main>
  );
}

type DemoProps = {
  users: NonNullable<PageConfig['demoUsers']>;
  busy: boolean;
  onChoose: (tenantId: string, hint: string) => void;
};

function DemoUsers({ users, busy, onChoose }: DemoProps) {
  const tenants = [...new Set(users.map(({ tenant }) => tenant))];
  return (
    <>
      <p class="hint">{words.pick}</p>
      {tenants.map((tenant) => (
        <section key={tenant} aria-label={words.usersOf(tenant)}>
          <h2>{tenant}</h2>
          <ul class="users">
            {users
              .filter((user) => user.tenant === tenant)
              .map(({ role, name }) => (
                <li key={role}>
                  <button type="button" disabled={busy} onClick={() => onChoose(tenant, `${tenant}:${role}`)}>
                    <span>{words.demoUser(role, name)}</span>
                    <small aria-hidden="true">{name}</small>
                  </button>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function TenantForm({ busy, onSubmit }: { busy: boolean; onSubmit: (tenantId: string) => void }) {
  return (
    <form onSubmit={(event) => onSubmit(fieldsOf(event)('tenant'))}>
      <label>
        {words.tenant}
        <input name="tenant" required autocomplete="organization" autocapitalize="none" spellcheck={false} />
      </label>
      <button class="primary" disabled={busy}>
        {words.signIn}
      </button>
    </form>
  );
}

function TokenForm({ onSubmit }: { onSubmit: (token: string, tenantId: string) => void }) {
  const submit = (event: TargetedEvent<HTMLFormElement>): void => {
    const field = fieldsOf(event);
    onSubmit(field('token'), field('tenant'));
  };
  return (
    <form onSubmit={submit}>
      <label>
        {words.tenant}
        <input name="tenant" required autocapitalize="none" spellcheck={false} />
      </label>
      <label>
        {words.token}
        <input name="token" type="password" required autocomplete="off" spellcheck={false} />
      </label>
      <button class="primary">{words.go}</button>
    </form>
  );
}

/** Prevents the browser from submitting the form: a token would end up in the address. */
function fieldsOf(event: TargetedEvent<HTMLFormElement>): (name: string) => string {
  event.preventDefault();
  const data = new FormData(event.currentTarget);
  return (name) => {
    const value = data.get(name);
    return typeof value === 'string' ? value.trim() : '';
  };
}
