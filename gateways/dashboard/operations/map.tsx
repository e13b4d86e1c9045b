import { operations as words } from './messages.ts';
import type { Operations } from './operations.ts';
import { MAP_COLUMNS, MAP_ROWS } from './shards.ts';

/** Map of all shards, coloured by node. */
export function ShardsMap({ operations }: { operations: Operations }) {
  const nodes = operations.nodes.value;
  const { paths, unowned, disputed } = operations.shards.value;
  const marked = operations.marked.value;
  const parts = nodes.map(({ nodeId, shards }) => words.mapPart(nodeId, shards.length));
  return (
    <section aria-labelledby="shards">
      <h2 id="shards">{words.shards}</h2>
      <svg
        class="shards-map"
        viewBox={`0 0 ${MAP_COLUMNS} ${MAP_ROWS}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={words.mapOf(parts.join(', '))}
      >
        {nodes.map(({ nodeId }) => (
          <path
            key={nodeId}
            d={paths.get(nodeId)}
            data-tone={operations.toneOf(nodeId)}
            data-dim={(marked !== undefined && marked !== nodeId) || undefined}
          />
        ))}
        <path d={disputed.path} data-tone="disputed" />
        <path d={unowned.path} data-tone="unowned" />
      </svg>
      <ul class="shards-legend">
        {nodes.map(({ nodeId, shards }) => (
          <li key={nodeId}>
            <button
              type="button"
              class="quiet"
              aria-pressed={marked === nodeId}
              onClick={() => (operations.marked.value = marked === nodeId ? undefined : nodeId)}
            >
              <span class="tone" data-tone={operations.toneOf(nodeId)} aria-hidden="true" />
              <span class="visually-hidden">{words.mark} </span>
              {nodeId.slice(0, 8)} <small>{words.number(shards.length)}</small>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
