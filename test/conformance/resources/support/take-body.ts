import type { Answer } from '../../../support/network/serve-json.js';
import { listBrokenFields, type Item } from './judge-record.js';
import { OTHER_TYPE, refuse, UNREADABLE, type Asked } from './state.js';

/** Why a body is refused. */
export function findUnfit(asked: Asked, isPart = false): Answer | undefined {
  const { state, collection, has, body } = asked;
  const isForm = String(asked.headers['content-type']).toLowerCase().includes('urlencoded');
  if (isForm && has('form-refused')) return refuse(state, 415, 'Form');
  if (body === OTHER_TYPE)
    return has('type-unchecked')
      ? { status: 201 }
      : refuse(state, collection.refusesTypes === true ? 415 : collection.invalid, 'Type');
  if (body === UNREADABLE || typeof body !== 'object' || body === null || Array.isArray(body))
    return refuse(state, collection.invalid, 'No object');
  const step = isPart ? 'change-unchecked' : asked.method === 'PUT' ? 'put-unchecked' : 'create-unchecked';
  if (has(step)) return undefined;
  const wrong = listBrokenFields(body as Item, collection.fields, '', isPart).find((rule) => !has(`off:${rule}`));
  if (wrong !== undefined) return refuse(state, collection.invalid, wrong);
  const unknown = Object.keys(body).find((name) => !(name in collection.fields));
  if (unknown !== undefined && collection.isClosed === true && !has('off:closed'))
    return refuse(state, collection.invalid, unknown);
  const lost = Object.entries(collection.fields).find(
    ([name, { of }]) => of !== undefined && name in body && !isKept(asked, of, (body as Item)[name]),
  );
  return lost === undefined || has('any-reference') ? undefined : refuse(state, collection.invalid, lost[0]);
}

function isKept({ state }: Asked, of: string, key: unknown): boolean {
  const name = state.plan.collections.find((each) => each.name === of)?.key.name ?? '';
  return (state.kept.get(of) ?? []).some(({ item }) => item[name] === key);
}

/** What of a body is stored: a client decides nothing that is read only. */
export function takeFields({ state, collection, has }: Asked, body: Item, stores = 'stores'): Item {
  const entries = Object.entries(body).filter(([name]) => {
    const field = collection.fields[name];
    if (field === undefined) return false;
    return field.readOnly !== true || has(`${stores}:${name}`);
  });
  const taken = Object.fromEntries(entries);
  if (state.has('lower-case-email') && typeof taken['email'] === 'string')
    taken['email'] = taken['email'].toLowerCase();
  return taken;
}
