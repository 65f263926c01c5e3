/** Where the files that a document refers to stand in the whole. OpenAPI has no field of this name. */
export const FILES = '$files';

/** A pointer into the whole, as one into the file in which the value stands. */
export interface FilePointer {
  /** Where the file stands in the whole; `''` for the file that was asked for. */
  mount: string;
  within: string;
}

/** Takes a JSON Pointer into the whole apart. */
export function splitPointer(pointer: string): FilePointer {
  const [, root, name, ...rest] = pointer.split('/');
  if (root !== FILES || name === undefined) return { mount: '', within: pointer };
  return { mount: `/${FILES}/${name}`, within: rest.map((part) => `/${part}`).join('') };
}

/** The name of the file that is mounted there, relative to the file that was asked for; `''` for that one. */
export function fileNameOf(mount: string): string {
  return mount
    .slice(FILES.length + 2)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
}

/** A pointer into the whole as its own file would write it: `#/components/schemas/Pet`, `schemas.yaml#/Pet`. */
export function showPointer(pointer: string): string {
  const { mount, within } = splitPointer(pointer);
  return `${fileNameOf(mount)}#${within}`;
}
