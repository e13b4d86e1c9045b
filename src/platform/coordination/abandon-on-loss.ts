/** Parts that react to a lost lease; simulations replace them. */
type Lease = { onLost(listener: () => void): void };
type Owner = { abandon(): void };
type Cuttable = { cutAll(): void };

/** Gives up everything owned under a lease when it is lost, with every database connection. */
export function abandonOnLoss(lease: Lease, owner: Owner, connections: Cuttable): void {
  lease.onLost(() => {
    owner.abandon();
    // The cause is unknown, so a new lease starts on new connections.
    connections.cutAll();
  });
}
