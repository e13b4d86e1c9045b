/** Methods of each path, for 405 and `Allow`; the router does not provide them (docs/reference/errors.md#405). */
export class AllowedMethods {
  readonly #routes = new Map<string, { steps: string[]; methods: Set<string> }>();

  /** Adds a route; `pattern` as Fastify writes it, `/a/:b/*`. */
  add(pattern: string, methods: string | readonly string[]): void {
    // A route over everything (preflights, static files) does not count as a path.
    if (pattern === '*' || pattern === '/*') return;
    const known = this.#routes.get(pattern) ?? { steps: pattern.split('/'), methods: new Set<string>() };
    for (const method of [methods].flat()) known.methods.add(method);
    this.#routes.set(pattern, known);
  }

  /** The methods of `path`, sorted; empty when no route matches. */
  of(path: string): string[] {
    const steps = path.split('/');
    const found = [...this.#routes.values()].filter((route) => matches(route.steps, steps));
    // `/stays/groups` is a resource of its own, although `/stays/:id` matches it too.
    const nearest = Math.max(...found.map(literals));
    const methods = found.filter((route) => literals(route) === nearest).flatMap((route) => [...route.methods]);
    return [...new Set(methods)].sort();
  }
}

function literals({ steps }: { steps: readonly string[] }): number {
  return steps.filter((part) => part !== '*' && !part.startsWith(':')).length;
}

function matches(pattern: readonly string[], steps: readonly string[]): boolean {
  const rest = pattern.at(-1) === '*';
  if (rest ? steps.length < pattern.length : steps.length !== pattern.length) return false;
  return pattern.every(
    (part, index) => part === '*' || (part.startsWith(':') ? steps[index] !== '' : part === steps[index]),
  );
}
