import type { Draft } from './read-resource.js';

/** Makes names unique: resources with the same name get their earlier fixed segments as well, such as `users.orders`. */
export function nameResources(drafts: readonly Draft[]): void {
  for (const { resource, correction } of drafts) resource.name = correction.name ?? resource.name;
  rename(drafts, ({ resource }) => nameInFull(resource.collectionPath));
  rename(drafts, ({ resource }) => resource.collectionPath);
}

function rename(drafts: readonly Draft[], toName: (draft: Draft) => string): void {
  const times = new Map<string, number>();
  for (const { resource } of drafts) times.set(resource.name, (times.get(resource.name) ?? 0) + 1);
  for (const draft of drafts) {
    if ((times.get(draft.resource.name) ?? 0) > 1) draft.resource.name = draft.correction.name ?? toName(draft);
  }
}

/** Every fixed segment of a path: `users.orders`. */
export function nameInFull(path: string): string {
  const fixed = path.split('/').filter((text) => text !== '' && !text.includes('{'));
  return fixed.join('.');
}
