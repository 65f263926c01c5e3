import { isRepeatKey } from '../../../contract/operations/repeat-key.js';
import type { Row } from '../../scenarios/raw-scenario.js';
import type { RecordTemplate } from '../records/make-records.js';
import type { TableSource } from './table-source.js';

const FORM = 'application/x-www-form-urlencoded';

/** The media types beside JSON in which a create takes a record, and JSON by another name. */
export function listMediaTypes({ subject, made }: TableSource): Row[] {
  const { create } = subject.roles;
  const types = create?.operation.requestBody?.content.map(({ mediaType }) => mediaType) ?? [];
  if (create?.requestMember !== undefined) return [];
  return types
    .filter((type) => type !== 'application/json')
    .flatMap((mediaType): Row[] => {
      const like = replaceUnique(made.minimal);
      if (/^application\/[\w.-]+\+json$/.test(mediaType))
        return [{ id: mediaType, body: { json: made.minimal, mediaType }, like, likeNow: made.minimal }];
      const text = mediaType === FORM ? writeForm(made.minimal) : undefined;
      return text === undefined ? [] : [{ id: mediaType, body: { text, mediaType }, like, likeNow: made.minimal }];
    });
}

/** `undefined` if a record contains more than a form can express, or nothing: an empty form is no body. */
function writeForm(record: RecordTemplate): string | undefined {
  const entries = Object.entries(record);
  if (entries.length === 0 || entries.some(([, value]) => typeof value === 'object')) return undefined;
  return entries.map(([name, value]) => `${encodeURIComponent(name)}=${writeValue(value)}`).join('&');
}

/** What stands for a value of the run is filled in later. */
function writeValue(value: unknown): string {
  const text = String(value);
  if (text.startsWith('$') && !text.startsWith('$$')) return `{${text}}`;
  return text
    .split(/(\{\$[^{}]+\})/)
    .map((part) => (part.startsWith('{$') ? part : encodeURIComponent(part)))
    .join('');
}

/** The text that the create made unique, where a later step refers to it. */
function replaceUnique(record: RecordTemplate): RecordTemplate {
  const entries = Object.entries(record).map(([name, value]) => [
    name,
    typeof value === 'string'
      ? value
          .replaceAll('{$unique}', '{$steps.create.outputs.unique}')
          .replace(/^\$unique$/, '$steps.create.outputs.unique')
      : value,
  ]);
  return Object.fromEntries(entries) as RecordTemplate;
}

/** The header field by which a service recognises a request that is sent again. */
export function listRepeatKeys({ subject: { roles } }: TableSource): Row[] {
  const { create } = roles;
  if (create?.success.body !== 'record') return [];
  const parameters = create.operation.parameters.filter(
    ({ in: place, name }) => place === 'header' && isRepeatKey(name),
  );
  return parameters.map(({ name }) => ({
    id: name,
    first: { [name]: '00000000-0000-4000-8000-0000{$uniqueInteger}' },
    again: { [name]: '00000000-0000-4000-8000-0000{$steps.first.outputs.number}' },
  }));
}
