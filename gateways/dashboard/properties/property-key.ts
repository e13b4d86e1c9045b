/** Where the session storage has the property that was open last. */
export const PROPERTY_KEY = 'innkeeper.property';
