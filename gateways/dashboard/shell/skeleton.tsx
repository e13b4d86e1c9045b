/** Where rows will be: faint lines that stand still, beside the text that says what is loading. */
export function Skeleton({ rows }: { rows: number }) {
  return (
    <div class="skeleton" aria-hidden="true">
      {Array.from({ length: rows }, (_, n) => (
        <i key={n} />
      ))}
    </div>
  );
}
