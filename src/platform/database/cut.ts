import type { ClientBase } from 'pg';

/** A driver connection with its socket, which the types omit. */
type WithSocket = { connection: { stream: { destroy(): void; destroyed: boolean } } };

const socketOf = (client: ClientBase) => (client as unknown as WithSocket).connection.stream;

/** Ends a connection without a word to the server: what is under way on it fails at once. */
export const cut = (client: ClientBase): void => socketOf(client).destroy();

export const isSocketCut = (client: ClientBase): boolean => socketOf(client).destroyed;
