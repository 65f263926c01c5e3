/** `read`, called once for each object: its result is kept as long as the object. */
export function readOnce<Of extends object, Read>(read: (of: Of) => Read): (of: Of) => Read {
  const known = new WeakMap<Of, Read>();
  return (of) => {
    const found = known.get(of);
    if (found !== undefined || known.has(of)) return found as Read;
    const made = read(of);
    known.set(of, made);
    return made;
  };
}
