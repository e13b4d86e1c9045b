import {
  type Looked,
  type Member,
  type MissingNode,
  type NodeLooks,
  othersOf,
  type Placement,
} from '../../src/platform/coordination/ports.ts';

/** The other nodes, in a cluster. */
type Others = {
  placement: Pick<Placement, 'view' | 'self'>;
  links: { look(member: Member, what: NodeQuestion): Promise<unknown> };
};

/** A question to a node: its name and its parameters. */
export type NodeQuestion = { name: string; query: Readonly<Record<string, unknown>> };

/** Questions of operators, which every node answers about itself (docs/concepts/cluster.md#what-operators-ask). */
export class OperatorLooks implements NodeLooks {
  readonly #nodeId: string;
  readonly #others: Others | undefined;
  readonly #answers = new Map<string, (query: NodeQuestion['query']) => unknown>();

  constructor(nodeId: string, others?: Others) {
    this.#nodeId = nodeId;
    this.#others = others;
  }

  register(name: string, answer: (query: NodeQuestion['query']) => unknown): void {
    this.#answers.set(name, answer);
  }

  /** The answer of this node. @throws Error when it does not know the question, as one of the release before */
  async answer({ name, query }: NodeQuestion): Promise<unknown> {
    const answer = this.#answers.get(name);
    if (!answer) throw new Error(`this node cannot say: ${name}`);
    return answer(query);
  }

  async all<T>(name: string, query: NodeQuestion['query'] = {}): Promise<Looked<T>> {
    const missing: MissingNode[] = [];
    const what = { name, query };
    const asked = [
      { nodeId: this.#nodeId, answer: this.answer(what) },
      ...this.#of((member, links) => ({ nodeId: member.nodeId, answer: links.look(member, what) })),
    ];
    const answers = await Promise.all(
      asked.map(async ({ nodeId, answer }) => {
        try {
          return [{ nodeId, answer: (await answer) as T }];
        } catch (error) {
          missing.push({ nodeId, why: error instanceof Error ? error.message : String(error) });
          return [];
        }
      }),
    );
    return { answers: answers.flat(), missing };
  }

  #of<T>(ask: (member: Member, links: Others['links']) => T): T[] {
    if (!this.#others) return [];
    const { placement, links } = this.#others;
    return othersOf(placement).map((member) => ask(member, links));
  }
}
