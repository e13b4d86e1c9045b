import type { ComponentChildren } from 'preact';

import type { NodeAnswer } from '../../../src/platform/coordination/contracts/cluster-report.ts';
import { operations as words } from './messages.ts';
import type { Operations } from './operations.ts';

type Props = { node: NodeAnswer; operations: Operations };

/** One node: its resources and its queues. */
export function NodeLine({ node, operations }: Props) {
  const { nodeId, address, role, build, runtime, uptimeSeconds, status, lease, view, actors, live, relay } = node;
  const jobs = Object.values(node.jobs).reduce((sum, waiting) => sum + waiting, 0);
  return (
    <li class="node" data-marked={operations.marked.value === nodeId || undefined}>
      <div class="node-name">
        <h3>
          <span class="tone" data-tone={operations.toneOf(nodeId)} aria-hidden="true" />
          <span title={nodeId}>{nodeId.slice(0, 8)}</span> <State state={status} />
        </h3>
        <p class="muted">
          {address ?? words.alone}, {role}
        </p>
        <p class="muted">{words.since(build, runtime, uptimeSeconds)}</p>
      </div>
      <dl>
        <Figure name={words.columns.lease} isBad={!lease.held}>
          {lease.held ? words.held(lease.ageSeconds) : words.lost(lease.ageSeconds)}
        </Figure>
        <Figure name={words.columns.view}>{words.viewOf(view.version, view.members)}</Figure>
        <Figure name={words.columns.shards}>{words.number(node.shards.length)}</Figure>
        <Figure name={words.columns.actors}>{words.number(actors.awake)}</Figure>
        <Figure name={words.columns.waiting}>{words.pair(actors.queuedCommands, actors.queuedBatches)}</Figure>
        <Figure name={words.columns.live}>{words.pair(live.connections, live.properties)}</Figure>
        <Figure name={words.columns.relay} isBad={relay.stopped > 0}>
          {words.lag(relay.lag, relay.oldestAgeSeconds)}
        </Figure>
        <Figure name={words.columns.jobs}>{words.number(jobs)}</Figure>
        <Figure name={words.columns.rounds} isBad={lateRounds(node).length > 0}>
          {roundsOf(node)}
        </Figure>
        <Figure name={words.columns.links}>{words.pair(node.links.calls, node.links.failures)}</Figure>
        <Figure name={words.columns.memory}>{words.memory(node.memory.rssBytes, node.eventLoopDelayMs)}</Figure>
        <Figure name={words.columns.parts}>
          <Parts components={node.components} />
        </Figure>
        <Figure name={words.columns.breakers}>
          <Breakers breakers={node.breakers} />
        </Figure>
      </dl>
    </li>
  );
}

/** Late rounds of a node, each with how late. */
export function lateRounds({ rounds = [] }: Pick<NodeAnswer, 'rounds'>): string[] {
  return rounds.filter(({ late }) => late).map(({ name, ageSeconds }) => words.late(name, ageSeconds));
}

/** Nodes of the previous version do not report rounds. */
function roundsOf(node: NodeAnswer): string {
  if (node.rounds === undefined) return words.unknownRounds;
  const late = lateRounds(node);
  return late.length === 0 ? words.onTime : words.lateOnes(late.join('; '));
}

function Figure({ name, isBad, children }: { name: string; isBad?: boolean; children: ComponentChildren }) {
  return (
    <div data-bad={isBad || undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function State({ state }: { state: NodeAnswer['status'] | NodeAnswer['breakers'][string] }) {
  return (
    <span class="state" data-state={state}>
      {state.toLowerCase().replaceAll('_', ' ')}
    </span>
  );
}

/** Names the components that are down; counts the others. */
function Parts({ components }: Pick<NodeAnswer, 'components'>) {
  const all = Object.entries(components);
  const down = all.filter(([, state]) => state === 'DOWN' || state === 'OUT_OF_SERVICE');
  const unknown = all.filter(([, state]) => state === 'UNKNOWN').length;
  return (
    <>
      {down.length === 0 ? (
        <span class="part">{words.allUp}</span>
      ) : (
        down.map(([name, state]) => (
          <span key={name} class="part">
            {name} <State state={state} />
          </span>
        ))
      )}
      {unknown > 0 && <small class="part">{words.notThere(unknown)}</small>}
    </>
  );
}

/** Names the breakers that are not closed: no calls pass, or the next one probes. */
function Breakers({ breakers }: Pick<NodeAnswer, 'breakers'>) {
  const all = Object.entries(breakers);
  const open = all.filter(([, state]) => state !== 'CLOSED');
  if (open.length === 0) return <>{all.length === 0 ? words.noBreakers : words.allClosed}</>;
  return open.map(([name, state]) => (
    <span key={name} class="part">
      {name} <State state={state} />
    </span>
  ));
}
