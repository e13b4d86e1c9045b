/** The ledger of the payment simulator, which stands for the memory of a provider. */
export const LEDGER = 'payment-simulator.jsonl';

/** What lies beside the database in DATA_DIR and must survive with it: keys, the node's name, the provider's memory. */
export const STATE_FILES: readonly string[] = ['secrets.json', 'oidc-keys.json', 'node-id', LEDGER];

/** Without it, and without SECRET_KEYS, guests' names of the database can never be read again. */
export const SECRETS = 'secrets.json';

/** The highest generation that a restore into this DATA_DIR has reached. No restore takes it back. */
export const REACHED = 'restored-generation';
