import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

import type { ActorAnswer } from '../../../src/property-store/contracts/actor-answers.ts';
import { locale } from '../language/texts.ts';
import { ServiceButton } from '../service-button.tsx';
import type { Operations } from './operations.ts';
import { actorWords as words } from './ops-messages.ts';
import { usePolled } from './polled.ts';

type Props = { operations: Operations; tenantId: string; propertyId: string };
type AuditAnswer = {
  violations: unknown[];
  cellsChecked: number;
  seq: number;
  money: { violationCount: number };
};

const time = (at: string): string => new Date(at).toLocaleTimeString(locale);

/** The actor of a property: owner, mailbox, newest batches and newest commands. */
export function ActorPanel({ operations, tenantId, propertyId }: Props) {
  const path = `/ops/tenants/${encodeURIComponent(tenantId)}/properties/${encodeURIComponent(propertyId)}`;
  const polled = usePolled<ActorAnswer>(operations, `${path}/actor`);
  const actor = polled.value?.value;
  if (actor === undefined)
    return polled.value?.failed === undefined ? null : <p class="ops-failed">{words.failed}</p>;
  const resident = actor.resident[0];
  return (
    <section class="ops-actor" aria-label={`${words.title} ${propertyId}`}>
      <h4>
        {words.title} {propertyId}
      </h4>
      <dl>
        <Fact name={words.owner}>{actor.ownerNode?.slice(0, 8) ?? words.nobody}</Fact>
        <Fact name={words.epoch}>{resident?.epoch ?? actor.epoch}</Fact>
        <Fact name={words.seq}>{resident?.seq ?? actor.seq}</Fact>
        {resident && (
          <>
            <Fact name={words.waiting}>{resident.queued}</Fact>
            <Fact name={words.wait}>{words.ms(resident.oldestWaitMs)}</Fact>
            <Fact name={words.ring}>{resident.ring}</Fact>
            <Fact name={words.followers}>{resident.followers}</Fact>
            <Fact name={words.lastUsed}>{time(resident.lastUsed)}</Fact>
            {resident.failing !== undefined && <Fact name={words.failing}>{resident.failing}</Fact>}
          </>
        )}
      </dl>
      {!resident && <p>{words.passive}</p>}
      <Audit operations={operations} path={`${path}/audit`} />
      <OpsTable
        name={words.tail}
        head={Object.values(words.entry)}
        rows={actor.tail.map(({ seq, at, command, events }) => [seq, time(at), command, events.join(', ')])}
      />
      {resident && (
        <OpsTable
          name={words.batches}
          head={Object.values(words.batch)}
          rows={resident.batches.map(({ at, commands, waitMs, decideMs, commitMs }) => [
            time(at),
            commands,
            ...[waitMs, decideMs, commitMs].map(words.ms),
          ])}
        />
      )}
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Compares memory and database on request. */
function Audit({ operations, path }: { operations: Operations; path: string }) {
  const said = useSignal<string | undefined>(undefined);
  const audit = async (): Promise<void> => {
    said.value = words.auditing;
    const answer = await operations.call<AuditAnswer>('GET', path);
    if ('failed' in answer) {
      said.value = answer.failed;
      return;
    }
    const { violations, money, cellsChecked, seq } = answer.value;
    const count = violations.length + money.violationCount;
    said.value = count === 0 ? words.audited(cellsChecked, seq) : words.differs(count);
  };
  return (
    <p class="ops-form">
      <ServiceButton desk={operations} onClick={() => void audit()}>
        {words.audit}
      </ServiceButton>
      <span role="status">{said.value}</span>
    </p>
  );
}

type TableProps = { name: string; head: readonly string[]; rows: readonly (readonly (string | number)[])[] };

/** A table with its name; it scrolls inside itself. */
export function OpsTable({ name, head, rows }: TableProps) {
  return (
    <div class="ops-table" role="group" aria-label={name} tabIndex={0}>
      <table>
        <caption>{name}</caption>
        <thead>
          <tr>
            {head.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={`${index} ${row[0]}`}>
              {row.map((cell, at) => (
                <td key={head[at]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
