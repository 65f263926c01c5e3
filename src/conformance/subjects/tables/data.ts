// Tables that are data: `scenarios/cases/<name>.yaml`. Each row has the rule that it rests on as well, for its readers.
import { readDocument } from '../../../contract/document/document.js';
import type { SecurityScheme } from '../../../contract/model.js';
import { packageFile } from '../../../package-files.js';
import type { Row, AuthForm } from '../../model/scenario.js';
import type { MessageForm } from '../../model/exchange.js';

/** The columns of each table beside `id` and `rule`. */
interface CaseColumns {
  'bad-values': { type: string; format?: string; value: unknown };
  clients: {
    words: string;
    headers: Readonly<Record<string, string | null>>;
    /** Sent with requests that are rejected, too: services write errors elsewhere. */
    isNegotiated?: true;
    /** Sent without credentials, too: some service takes it for a reason to ask for none. */
    opens?: true;
    /** A service may reject it by a policy of its own. */
    mayForbid?: true;
  };
  credentials: {
    auth: AuthForm;
    /** The kinds of schemes that have the form. Default: all. */
    of?: readonly SecurityScheme['kind'][];
    notInAuthorization?: true;
    /** Each operation may take it. Default: services read credentials in one place. */
    ofEach?: true;
    isMalformed?: true;
  };
  'equal-texts': { words: string; one: string; other: string };
  keys: {
    key?: number | bigint;
    words?: string;
    /** One of the kind, of what a key may be. Default: the contract must allow digits alone. */
    such?: number;
  };
  messages: {
    of: 'reading' | 'creating';
    words: string;
    form?: MessageForm;
    query?: string;
    status?: string;
  };
  numbers: {
    of: 'wide' | 'costly';
    value?: number | bigint;
    words?: string;
    text?: string;
    /** So many times, in place of a text. */
    digit?: string;
    times?: number;
  };
  'odd-values': {
    of: 'text' | 'number' | 'choice';
    words: string;
    value?: unknown;
    /** A text with `{own}` in it. */
    write?: string;
    as?: 'list' | 'capitals' | 'capital' | 'wide';
  };
  texts: {
    /** The scenario that sends it. */
    of: 'texts' | 'rareTexts' | 'tidied' | 'words';
    words: string;
    text: string;
    /** Behind the text, so many times, and then the `end`. */
    repeat?: string;
    times?: number;
    end?: string;
    /** Up to the longest that the contract allows, or {@link USUAL_LENGTH}. */
    fill?: string;
    /** A service may trim it, but shows the whole. */
    isWhole?: true;
  };
}

/** Of names in many a database, in letters or bytes. */
export const USUAL_LENGTH = 250;

type Table = keyof CaseColumns;
export type CaseRow<Name extends Table> = Row & CaseColumns[Name];

const tables = new Map<Table, readonly Row[]>();

/** @example `readCases('keys')` */
export function readCases<Name extends Table>(name: Name): readonly CaseRow<Name>[] {
  let rows = tables.get(name);
  if (rows === undefined) {
    const shownAs = `scenarios/cases/${name}.yaml`;
    const { root } = readDocument(packageFile(shownAs), { code: 'unusable-scenario', shownAs });
    ({ rows } = root as { rows: Row[] });
    tables.set(name, rows);
  }
  return rows as readonly CaseRow<Name>[];
}
