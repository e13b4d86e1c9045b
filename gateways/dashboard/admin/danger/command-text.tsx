/** A command for a shell, in full. */
export function CommandText({ of, text }: { of: string; text: string }) {
  return (
    <div class="admin-curl">
      <pre tabIndex={0} role="region" aria-label={of}>
        {text}
      </pre>
    </div>
  );
}
