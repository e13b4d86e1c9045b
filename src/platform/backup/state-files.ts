/** Ledger of the payment simulator, which stands for a provider's memory. */
export const LEDGER = 'payment-simulator.jsonl';

/** Files in DATA_DIR that must be kept with the database: keys, the node's name, the provider's memory. */
export const STATE_FILES: readonly string[] = ['secrets.json', 'oidc-keys.json', 'node-id', LEDGER];

/** Without it, and without SECRET_KEYS, guests' names in the database can never be decrypted. */
export const SECRETS = 'secrets.json';

/** The highest generation that a restore into this DATA_DIR has reached; no restore reverts it. */
export const REACHED = 'restored-generation';
