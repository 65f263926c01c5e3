/** Where the files that a document refers to are mounted. OpenAPI has no field of this name. */
export const FILES = '$files';

/** A pointer into the whole, as a pointer into the value's own file. */
export interface FilePointer {
  /** Where the file is mounted; `''` for the first file. */
  mount: string;
  within: string;
}

/** Splits a JSON Pointer into the whole. */
export function splitPointer(pointer: string): FilePointer {
  const [, root, name, ...rest] = pointer.split('/');
  if (root !== FILES || name === undefined) return { mount: '', within: pointer };
  return { mount: `/${FILES}/${name}`, within: rest.map((part) => `/${part}`).join('') };
}

/** The name of the file mounted there, relative to the first file; `''` for the first file. */
export function fileNameOf(mount: string): string {
  return mount
    .slice(FILES.length + 2)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
}

/** A pointer into the whole as a reference would write it: `#/components/schemas/Pet`, `schemas.yaml#/Pet`. */
export function showPointer(pointer: string): string {
  const { mount, within } = splitPointer(pointer);
  return `${fileNameOf(mount)}#${within}`;
}
