import { useSignal } from '@preact/signals';
import type { TargetedEvent } from 'preact';

import type { WireOf } from '../../../src/kernel/contracts/answers.ts';
import type { tenantUseAnswer } from '../../../src/tenants/contracts/tenants.ts';
import type { LimitName } from '../../../src/tenants/rules/limits.ts';
import type { TenantStatus } from '../../../src/tenants/rules/tenant.ts';
import { NOT_KNOWN } from '../messages.ts';
import { ServiceButton, WhyDisabled } from '../service-button.tsx';
import { ActorPanel, OpsTable } from './actor.tsx';
import type { Operations } from './operations.ts';
import type { OpsAddress } from './ops-address.ts';
import { tenantWords as words } from './ops-messages.ts';
import { usePolled } from './polled.ts';

type Props = { operations: Operations; address: OpsAddress };
type TenantInShort = { tenantId: string; name: string; status: TenantStatus; createdAt: string };
type LimitList = WireOf<typeof tenantUseAnswer>;
type TenantList = { items: TenantInShort[]; nextCursor: string | null };
type OwnedList = { items: { propertyId: string; name: string; removed: boolean; ownerNode: string | null }[] };

/** As many as one answer has. */
const MAX_LISTED = 200;
const MAX_SEARCHED = 200;

/** Tenants with a part of an id or a name; all of them without one. */
function tenantsPath(part: string): string {
  const q = part.slice(0, MAX_SEARCHED);
  return `/ops/tenants?${new URLSearchParams({ limit: String(MAX_LISTED), ...(q !== '' && { q }) }).toString()}`;
}

/** Tenants, one of them with its properties, and of those the actor. */
export function TenantsView({ operations, address }: Props) {
  const search = useSignal('');
  const isNew = useSignal(false);
  const part = search.value.trim().toLowerCase();
  const path = tenantsPath(part);
  const polled = usePolled<TenantList>(operations, path);
  const { tenant } = address.shown.value;
  const { items, nextCursor } = polled.value?.value ?? {};
  const found = items?.filter(({ tenantId, name }) => `${tenantId} ${name}`.toLowerCase().includes(part));
  return (
    <section aria-labelledby="tenants" class="ops-tenants">
      <h2 id="tenants">
        {words.title}{' '}
        <ServiceButton desk={operations} onClick={() => (isNew.value = true)}>
          {words.new}
        </ServiceButton>
      </h2>
      {isNew.value && <NewTenant operations={operations} onClose={() => (isNew.value = false)} />}
      <div class="ops-form">
        <label>
          {words.search}
          <input
            type="search"
            value={search.value}
            autocomplete="off"
            onInput={({ currentTarget }) => (search.value = currentTarget.value)}
          />
        </label>
      </div>
      {polled.value?.failed !== undefined && <p class="ops-failed">{words.failed(polled.value.failed)}</p>}
      {found?.length === 0 && polled.value?.path === path && <p>{words.none}</p>}
      {typeof nextCursor === 'string' && <p class="muted">{words.more(MAX_LISTED)}</p>}
      <ul class="ops-list">
        {found?.map(({ tenantId, name, status }) => (
          <li key={tenantId} data-chosen={tenantId === tenant || undefined}>
            <button type="button" class="quiet" onClick={() => address.go({ tenant: tenantId, property: undefined })}>
              {tenantId}
            </button>
            <span>{name}</span> <small>{words.statuses[status]}</small>
          </li>
        ))}
      </ul>
      {tenant !== undefined && (
        <TenantPanel key={tenant} operations={operations} address={address} tenantId={tenant} />
      )}
    </section>
  );
}

type PanelProps = Props & { tenantId: string };

function TenantPanel({ operations, address, tenantId }: PanelProps) {
  const named = usePolled<TenantList>(operations, tenantsPath(tenantId));
  const status = named.value?.value?.items.find((one) => one.tenantId === tenantId)?.status;
  const polled = usePolled<OwnedList>(operations, `/ops/tenants/${encodeURIComponent(tenantId)}/properties`);
  const isChanging = useSignal(false);
  const { property } = address.shown.value;
  const items = polled.value?.value?.items;
  const wanted = status === 'ACTIVE' || status === 'TRIAL' ? 'SUSPENDED' : 'ACTIVE';
  return (
    <article class="ops-panel" aria-label={tenantId}>
      <h3>
        {tenantId} {status && <small>{words.statuses[status]}</small>}
      </h3>
      <p class="ops-form">
        {status && (
          <ServiceButton desk={operations} onClick={() => (isChanging.value = true)}>
            {wanted === 'SUSPENDED' ? words.suspend : words.resume}
          </ServiceButton>
        )}
        <button type="button" onClick={() => address.go({ view: 'requests' })}>
          {words.slow}
        </button>
        <button type="button" onClick={() => address.go({ tenant: undefined, property: undefined })}>
          {words.close}
        </button>
      </p>
      <WhyDisabled desk={operations} />
      {isChanging.value && (
        <StatusForm
          operations={operations}
          tenantId={tenantId}
          wanted={wanted}
          onClose={() => (isChanging.value = false)}
        />
      )}
      {named.value?.value && status === undefined && <p>{words.none}</p>}
      <Limits operations={operations} tenantId={tenantId} />
      <h4>
        {words.properties} {items && <small>{items.length}</small>}
      </h4>
      {polled.value?.failed !== undefined && <p class="ops-failed">{words.failed(polled.value.failed)}</p>}
      {status !== undefined && items?.length === 0 && <p>{words.noProperties}</p>}
      <ul class="ops-list">
        {items?.map(({ propertyId, name }) => (
          <li key={propertyId} data-chosen={propertyId === property || undefined}>
            <button type="button" class="quiet" onClick={() => address.go({ property: propertyId })}>
              {propertyId}
            </button>
            <span>{name}</span>
          </li>
        ))}
      </ul>
      {property !== undefined && (
        <ActorPanel key={property} operations={operations} tenantId={tenantId} propertyId={property} />
      )}
    </article>
  );
}

/** What bounds the tenant, and what it uses of that now. */
function Limits({ operations, tenantId }: { operations: Operations; tenantId: string }) {
  const polled = usePolled<LimitList>(operations, `/ops/tenants/${encodeURIComponent(tenantId)}/limits`);
  const rows = (polled.value?.value?.items ?? []).flatMap(({ name, limit, used }) => {
    const label = (words.limits as Partial<Record<LimitName, string>>)[name];
    return label === undefined ? [] : [[label, limit ?? words.noLimit, used ?? NOT_KNOWN]];
  });
  if (polled.value?.failed !== undefined) return <p class="ops-failed">{words.noLimits}</p>;
  return <OpsTable name={words.quotas} head={Object.values(words.quota)} rows={rows} />;
}

type FormProps = { operations: Operations; onClose: () => void };
type StatusProps = FormProps & { tenantId: string; wanted: 'SUSPENDED' | 'ACTIVE' };

/** What the change does in a sentence, and the id of the tenant typed. */
function StatusForm({ operations, tenantId, wanted, onClose }: StatusProps) {
  const typed = useSignal('');
  const failed = useSignal<string | undefined>(undefined);
  const submit = async (event: TargetedEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const path = `/ops/tenants/${encodeURIComponent(tenantId)}/status`;
    const answer = await operations.call('PUT', path, { status: wanted });
    if ('failed' in answer) failed.value = answer.failed;
    else onClose();
  };
  return (
    <form class="ops-form" onSubmit={(event) => void submit(event)}>
      <p>{wanted === 'SUSPENDED' ? words.suspends(tenantId) : words.resumes(tenantId)}</p>
      <label>
        {words.confirm(tenantId)}
        <input
          value={typed.value}
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
        />
      </label>
      <ServiceButton desk={operations} type="submit" class="primary" disabled={typed.value !== tenantId}>
        {wanted === 'SUSPENDED' ? words.suspend : words.resume}
      </ServiceButton>
      <button type="button" onClick={onClose}>
        {words.cancel}
      </button>
      {failed.value !== undefined && <p role="alert">{words.failed(failed.value)}</p>}
    </form>
  );
}

function NewTenant({ operations, onClose }: FormProps) {
  const said = useSignal<string | undefined>(undefined);
  const submit = async (event: TargetedEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const of = (name: string): string => {
      const value = given.get(name);
      return typeof value === 'string' ? value.trim() : '';
    };
    const email = of('email');
    const ownerUser = { subject: of('subject'), ...(email !== '' && { email }) };
    const answer = await operations.call('POST', '/ops/tenants', { tenantId: of('id'), name: of('name'), ownerUser });
    said.value = 'failed' in answer ? words.failed(answer.failed) : words.created(of('id'));
  };
  return (
    <form class="ops-panel ops-form" aria-label={words.new} onSubmit={(event) => void submit(event)}>
      <label>
        {words.id}
        <input name="id" required maxLength={50} autocomplete="off" spellcheck={false} />
      </label>
      <label>
        {words.name}
        <input name="name" required maxLength={200} autocomplete="off" />
      </label>
      <label>
        {words.subject}
        <input name="subject" required maxLength={255} autocomplete="off" spellcheck={false} />
      </label>
      <label>
        {words.email}
        <input name="email" type="email" maxLength={200} autocomplete="off" />
      </label>
      <ServiceButton desk={operations} type="submit" class="primary">
        {words.create}
      </ServiceButton>
      <button type="button" onClick={onClose}>
        {words.close}
      </button>
      {said.value !== undefined && <p role="status">{said.value}</p>}
    </form>
  );
}
