import type { Ajv2020 } from 'ajv/dist/2020.js';
import { loadAjvFormats } from '../document/load-when-needed.js';

/**
 * Adds the formats of `ajv-formats`, but for `url`: theirs takes hours for a text of a megabyte, and refuses addresses
 * of one's own network such as `http://127.0.0.1/`. Here it is what browsers take (WHATWG URL) with `http`, `https` or `ftp`.
 */
export function addFormats(ajv: Ajv2020): void {
  loadAjvFormats()(ajv);
  ajv.addFormat('url', (text: string) => /^(?:https?|ftp):\/\/\S+$/i.test(text) && URL.canParse(text));
}
