import type { TargetedEvent } from 'preact';

import type {
  RetainedRequestAnswer,
  RequestsAnswer,
} from '../../../src/platform/coordination/contracts/retained-requests.ts';
import { locale } from '../language/texts.ts';
import { figureWords, requestWords as words } from './figure-messages.ts';
import type { Operations } from './operations.ts';
import type { OpsAddress } from './ops-address.ts';
import { usePolled } from './polled.ts';

type Props = { operations: Operations; address: OpsAddress };

/** Slow and failed requests of all nodes, one of them with its spans. */
export function RequestsView({ operations, address }: Props) {
  const { route, tenant, request } = address.shown.value;
  const query = new URLSearchParams({ ...(route && { route }), ...(tenant && { tenantId: tenant }) }).toString();
  const polled = usePolled<RequestsAnswer>(operations, `/ops/requests${query && `?${query}`}`);
  const items = polled.value?.value?.items;
  const chosen = items?.find(({ id }) => id === request);
  return (
    <section aria-labelledby="requests" class="ops-requests">
      <h2 id="requests">{words.title}</h2>
      <p class="muted">{words.lead}</p>
      <div class="ops-form">
        <Filter name={words.route} value={route} onChange={(value) => address.go({ route: value }, 'replace')} />
        <Filter name={words.tenant} value={tenant} onChange={(value) => address.go({ tenant: value }, 'replace')} />
      </div>
      {polled.value?.failed !== undefined && <p class="ops-failed">{figureWords.failed}</p>}
      {request !== undefined &&
        items &&
        (chosen ? <Waterfall request={chosen} address={address} /> : <p>{words.gone}</p>)}
      {items?.length === 0 && <p>{words.none}</p>}
      {items && items.length > 0 && <RequestTable items={items} chosen={request} address={address} />}
    </section>
  );
}

type FilterProps = { name: string; value: string | undefined; onChange: (value: string | undefined) => void };

function Filter({ name, value = '', onChange }: FilterProps) {
  const changed = ({ currentTarget }: TargetedEvent<HTMLInputElement>): void =>
    onChange(currentTarget.value.trim() || undefined);
  return (
    <label>
      {name}
      <input type="search" value={value} maxLength={200} autocomplete="off" spellcheck={false} onInput={changed} />
    </label>
  );
}

type TableProps = { items: readonly RetainedRequestAnswer[]; chosen: string | undefined; address: OpsAddress };

function RequestTable({ items, chosen, address }: TableProps) {
  const { route, time, took, status, tenant, node } = words.column;
  return (
    <div class="ops-table" role="group" aria-label={words.title} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {[route, took, time, status, tenant, node].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((one) => (
            <tr key={one.id} data-chosen={one.id === chosen || undefined}>
              <th scope="row">
                <button type="button" class="quiet" onClick={() => address.go({ request: one.id })}>
                  {one.route}
                </button>
              </th>
              <td>{words.ms(one.ms)}</td>
              <td>{new Date(one.at).toLocaleTimeString(locale)}</td>
              <td>
                {one.status ?? figureWords.nothing} {one.failed && words.failed}
              </td>
              <td>{one.tenantId ?? figureWords.nothing}</td>
              <td>{one.nodeId.slice(0, 8)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The spans of a request over its duration. */
function Waterfall({ request, address }: { request: RetainedRequestAnswer; address: OpsAddress }) {
  const { spans, ms, route, tenantId, requestId } = request;
  const property = spans.map(({ facts }) => facts['innkeeper.property']).find((one) => typeof one === 'string');
  const depths = new Map<string, number>();
  for (const { id, parent } of spans) depths.set(id, parent === undefined ? 0 : (depths.get(parent) ?? 0) + 1);
  return (
    <article class="ops-panel" aria-labelledby="spans">
      <h3 id="spans">
        {words.spans}: {route}, {words.ms(ms)}
      </h3>
      <p class="muted">
        {words.request} {requestId ?? request.id}
        {tenantId !== undefined && `, ${words.tenant} ${tenantId}`}{' '}
        {tenantId !== undefined && property !== undefined && (
          <button type="button" onClick={() => address.go({ view: 'tenants', tenant: tenantId, property })}>
            {words.actor}
          </button>
        )}
      </p>
      <ol class="ops-spans">
        {spans.map((span) => (
          <li key={span.id}>
            <span class="ops-span-name" style={{ '--depth': depths.get(span.id) ?? 0 }}>
              {span.name}
            </span>
            <span class="ops-span-times">
              {words.ms(span.startMs)} + {words.ms(span.ms)}
            </span>
            <span class="ops-span-bar" aria-hidden="true">
              <i
                style={{
                  '--from': `${(100 * span.startMs) / ms}%`,
                  '--long': `${Math.max(0.4, (100 * span.ms) / ms)}%`,
                }}
              />
            </span>
            <small class="muted">
              {Object.entries(span.facts)
                .map(([name, value]) => `${name.replace(/^(innkeeper|http)\./, '')} ${value}`)
                .join(', ')}
            </small>
          </li>
        ))}
      </ol>
    </article>
  );
}
