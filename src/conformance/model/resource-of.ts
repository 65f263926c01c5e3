/** What the id of a scenario begins with: the name of the resource that it is about. */
export function resourceOf(id: string): string {
  return id.split('/')[0] ?? '';
}
