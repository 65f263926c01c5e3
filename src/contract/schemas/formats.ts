import type { Ajv2020 } from 'ajv/dist/2020.js';
import { loadAjvFormats } from '../document/load-when-needed.js';
import { createPattern, type Pattern } from './pattern.js';

/** Adds those formats of `ajv-formats` that take bounded time: its `url` takes hours for a text of a megabyte. */
export function addFormats(ajv: Ajv2020): void {
  loadAjvFormats()(ajv);
  const { url } = ajv.formats;
  if (!(url instanceof RegExp)) return;
  let pattern: Pattern | undefined;
  ajv.addFormat('url', (text: string) => (pattern ??= createPattern(url.source, url.flags)).test(text));
}
