import { type Intervention, MAX_INTERVENTIONS, MISCHIEF_MS } from '../scenario/scenario.ts';
import type { NodeStep, SimulationStep } from '../scenario/steps.ts';
import { INTERVENTION_TEXTS } from './scenario-form.tsx';
import { current, intervene, isPlaying, scenario } from './shown.ts';

/** Duration of a lease, for its bar. */
const LEASE_MS = 5_000;
const TO_A_NODE = [
  'kill',
  'pause',
  'cut-redis',
  'cut-database',
  'lose-answer',
] as const satisfies Intervention['kind'][];

const STATES: Record<NodeStep['state'], string> = { running: '● Running', paused: '‖ Paused', down: '○ Down' };
const CUTS = { redis: 'cut from Redis', database: 'cut from the database' } as const;

/** The nodes as they are at the step that is shown, and what can be done to them there. */
export function Nodes() {
  const shown = current.value;
  if (!shown) return null;
  // A link takes no more.
  const isFull = scenario.value.interventions.length >= MAX_INTERVENTIONS;
  const isOver = shown.at >= MISCHIEF_MS || isFull || isPlaying.value;
  return (
    <section aria-labelledby="nodes">
      <div class="row">
        <h2 id="nodes">Nodes</h2>
        <button type="button" disabled={isOver} onClick={() => intervene({ kind: 'jump', node: 0 })}>
          {INTERVENTION_TEXTS.jump}
        </button>
        {shown.at >= MISCHIEF_MS && (
          <span class="muted">After {MISCHIEF_MS / 1_000} s everything heals: no more faults.</span>
        )}
        {isFull && <span class="muted">{MAX_INTERVENTIONS} faults of your own: no more fit in a link.</span>}
      </div>
      <div class="nodes">
        {shown.nodes.map((node, nth) => (
          <article key={node.name} class={`sheet node ${shown.node === node.name ? 'acts' : ''}`}>
            <h3>
              {node.name} <span class={`state-${node.state}`}>{STATES[node.state]}</span>
              {node.cutFrom.map((from) => (
                <span key={from} class="bad">
                  {' '}
                  ✂ {CUTS[from]}
                </span>
              ))}
            </h3>
            <Lease name="Lease, as it believes" left={node.state === 'down' ? 0 : node.leaseMs} />
            <Lease name="Lease in the database" left={node.storedLeaseMs} />
            {node.skewMs !== 0 && <p>Its clock is {node.skewMs} ms off.</p>}
            <Actors node={node} shown={shown} />
            <div class="row" role="group" aria-label={`Faults for ${node.name}`}>
              {TO_A_NODE.map((kind) => (
                <button
                  key={kind}
                  type="button"
                  disabled={isOver}
                  aria-label={`${INTERVENTION_TEXTS[kind]}, ${node.name}`}
                  onClick={() => intervene({ kind, node: nth })}
                >
                  {INTERVENTION_TEXTS[kind]}
                </button>
              ))}
            </div>
          </article>
        ))}
      </div>
    </section>
  );
}

function Lease({ name, left }: { name: string; left: number }) {
  const ms = Math.max(0, Math.min(LEASE_MS, left));
  return (
    <div class="lease">
      <span>{name}</span>
      <meter min="0" max={LEASE_MS} value={ms} aria-label={name} />
      <span class={ms === 0 ? 'bad' : ''}>{ms === 0 ? 'over' : `${(ms / 1_000).toFixed(1)} s`}</span>
    </div>
  );
}

function Actors({ node, shown }: { node: NodeStep; shown: SimulationStep }) {
  if (node.actors.length === 0) return <p class="muted">No actors in memory.</p>;
  return (
    <table>
      <caption class="visually-hidden">Actors of {node.name}</caption>
      <thead>
        <tr>
          <th scope="col">Actor</th>
          <th scope="col">Epoch</th>
          <th scope="col">Seq</th>
          <th scope="col">Waiting</th>
          <th scope="col">Owner</th>
        </tr>
      </thead>
      <tbody>
        {node.actors.map(({ property, epoch, seq, queued }) => {
          const isOwner = shown.stored.find((one) => one.property === property)?.epoch === epoch;
          return (
            <tr key={property}>
              <th scope="row">{property}</th>
              <td>{epoch}</td>
              <td>{seq}</td>
              <td>{queued}</td>
              <td class={isOwner ? 'good' : 'bad'}>{isOwner ? '✓ yes' : '✗ believes so'}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
