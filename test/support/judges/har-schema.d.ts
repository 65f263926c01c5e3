declare module 'har-schema' {
  /** JSON schemas of draft 6, by the part of a HAR 1.2 log that each describes. */
  const schemas: Readonly<Record<string, { $id: string; $schema: string }>>;
  export default schemas;
}
