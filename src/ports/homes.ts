/** The property of something that a path names by its id alone; it never moves to another. */
export interface Homes {
  promotion(tenantId: string, id: string): Promise<string | undefined>;
  group(tenantId: string, id: string): Promise<string | undefined>;
}
