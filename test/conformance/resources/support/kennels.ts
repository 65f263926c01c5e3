// A service with nested records, whose checks are its document's own schemas: a defect takes a rule out of them, or is a habit by name.
import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { content, inPath, inQuery } from '../../../support/open-paths.js';
import { integer, object, text, type Schema } from './odd-resource.js';
import { describePaths, fail, type Answer, type Asked, type Item, type Serve } from './stranger.js';

const SIZES = ['small', 'large'];
const STATES = ['open', 'shut'];
const uuid = { ...text, format: 'uuid' };

function fields(): Record<string, Schema> {
  return {
    name: { ...text, minLength: 1, maxLength: 40 },
    code: { ...text, pattern: '^[A-Z]{3}$' },
    since: { ...text, format: 'date' },
    opened: { ...text, format: 'date-time' },
    places: { ...integer, format: 'int32', minimum: 1 },
    size: { ...text, enum: SIZES },
    mail: { ...text, format: 'email', maxLength: 100 },
    kinds: { type: 'array', maxItems: 2, uniqueItems: true, items: { ...text, enum: ['cat', 'dog', 'fox', 'owl'] } },
    rounds: { type: 'array', items: { ...integer, minimum: 1 } },
    owner: object(
      {
        city: { ...text, minLength: 1 },
        country: { ...text, enum: ['CH', 'FR'] },
        contact: object({ phone: { ...text, pattern: '^[0-9]{6}$' }, word: { ...text, writeOnly: true } }, []),
      },
      ['city'],
    ),
  };
}

const REQUIRED = ['name', 'size'];
const ERROR = content(object({ message: text }));
const refusals = (...statuses: number[]): Schema => Object.fromEntries(statuses.map((status) => [status, ERROR]));

function sentSchemas(): { create: Schema; update: Schema; dog: Schema } {
  return {
    create: object(fields(), REQUIRED),
    update: object(fields(), [], { minProperties: 1 }),
    dog: object({ call: { ...text, minLength: 1 } }),
  };
}

export function describeKennels(): Schema {
  const { create, update, dog } = sentSchemas();
  const kennel = object(
    { id: { ...uuid, readOnly: true }, state: { ...text, enum: STATES, readOnly: true }, ...fields() },
    ['id', 'state', ...REQUIRED],
  );
  const ofKennel = object({ id: { ...uuid, readOnly: true }, kennelId: { ...uuid, readOnly: true }, call: text });
  const body = (schema: Schema): Schema => ({ requestBody: { required: true, ...content(schema) } });
  const key = (name: string): Schema => ({ ...inPath(name), schema: uuid });
  const total = { 'X-Total-Count': { schema: integer } };
  const paging = [
    inQuery('limit', { ...integer, minimum: 1, maximum: 20, default: 5 }),
    inQuery('offset', { ...integer, minimum: 0, default: 0 }),
    inQuery('size', { ...text, enum: SIZES }),
    inQuery('state', { ...text, enum: STATES }),
  ];
  const paths = {
    '/kennels': {
      get: {
        operationId: 'listKennels',
        parameters: paging,
        responses: { 200: { ...content({ type: 'array', items: kennel }), headers: total }, ...refusals(400, 401) },
      },
      post: {
        operationId: 'addKennel',
        ...body(create),
        responses: { 201: { ...content(kennel), headers: { Location: { schema: text } } }, ...refusals(400, 401) },
      },
    },
    '/kennels/{kennelId}': {
      parameters: [key('kennelId')],
      get: { operationId: 'getKennel', responses: { 200: content(kennel), ...refusals(401, 404) } },
      put: {
        operationId: 'putKennel',
        ...body(create),
        responses: { 200: content(kennel), ...refusals(400, 401, 404) },
      },
      patch: {
        operationId: 'patchKennel',
        ...body(update),
        responses: { 200: content(kennel), ...refusals(400, 401, 404) },
      },
    },
    '/kennels/{kennelId}/clean': {
      parameters: [key('kennelId')],
      post: { operationId: 'cleanKennel', responses: { 204: { description: 'Done.' }, ...refusals(401, 404) } },
    },
    '/kennels/{kennelId}/dogs': {
      parameters: [key('kennelId')],
      get: {
        operationId: 'listDogs',
        responses: { 200: content({ type: 'array', items: ofKennel }), ...refusals(401, 404) },
      },
      post: { operationId: 'addDog', ...body(dog), responses: { 201: content(ofKennel), ...refusals(400, 401, 404) } },
    },
    '/kennels/{kennelId}/dogs/{dogId}': {
      parameters: [key('kennelId'), key('dogId')],
      get: { operationId: 'getDog', responses: { 200: content(ofKennel), ...refusals(401, 404) } },
    },
    '/weather': {
      get: { operationId: 'getWeather', responses: { 200: content(object({ degrees: integer })), ...refusals(401) } },
    },
  };
  return describePaths(paths, {
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
    security: [{ key: [] }],
  });
}

/** A rule that the service does not look at, or a habit. */
export type Defect = { of: 'create' | 'update' | 'replace'; drop: (schema: Schema) => void } | { habit: string };

const KEY = 'kennel-Key';

/** The credentials that it takes. */
export const KENNEL_KEY = { apiKey: KEY };

export function serveKennels(defect?: Defect, count = 3): Serve {
  const ajv = new Ajv.default({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const has = (habit: string): boolean => defect !== undefined && 'habit' in defect && defect.habit === habit;
  const compile = (of: 'create' | 'update' | 'replace'): ((body: unknown) => boolean) => {
    const schema = sentSchemas()[of === 'update' ? 'update' : 'create'];
    if (defect !== undefined && 'of' in defect && defect.of === of) defect.drop(schema);
    return ajv.compile(schema);
  };
  const isValid = { create: compile('create'), replace: compile('replace'), update: compile('update') };
  const kennels: Item[] = [];
  const dogs: Item[] = [];
  const add = (body: Item): Item => {
    const item = {
      ...body,
      id: crypto.randomUUID(),
      state: has('state of a client') ? (body['state'] ?? 'open') : 'open',
    };
    kennels.unshift(item);
    return item;
  };
  for (let index = 0; index < count; index += 1)
    Object.assign(add({ name: `Own ${index}`, size: 'large' }), { state: STATES[index % 2] });

  const show = ({ owner, ...item }: Item): Item => {
    const { contact, ...rest } = (owner ?? {}) as Item;
    const { word, ...open } = (contact ?? {}) as Item;
    const shown = has('word shown') && word !== undefined ? { ...open, word } : open;
    return owner === undefined ? item : { ...item, owner: contact === undefined ? rest : { ...rest, contact: shown } };
  };

  function list({ query }: Asked): Answer {
    const [limit, offset] = [Number(query.get('limit') ?? 5), Number(query.get('offset') ?? 0)];
    const [size, state] = [query.get('size'), query.get('state')];
    const isInt = (value: number, least: number, most: number): boolean =>
      Number.isInteger(value) && value >= least && value <= most;
    if (!isInt(limit, 1, 20) || !isInt(offset, 0, 1e9)) return fail(400);
    if ((size !== null && !SIZES.includes(size)) || (state !== null && !STATES.includes(state))) return fail(400);
    const chosen = kennels.filter(
      (each) =>
        (size === null || each['size'] === size) && (state === null || has('state ignored') || each['state'] === state),
    );
    const from = has('repeats far behind') && offset >= 80 ? offset - 1 : offset;
    const total = has('total of all') ? kennels.length : chosen.length;
    return {
      status: 200,
      body: chosen.slice(from, from + limit).map(show),
      headers: { 'X-Total-Count': String(total) },
    };
  }

  function create(body: unknown): Answer {
    if (!isValid.create(body)) return fail(400);
    const { id: _id, state: _state, ...kept } = body as Item;
    if (has('order lost')) (kept['rounds'] as number[] | undefined)?.sort((one, other) => one - other);
    const item = add(has('state of a client') ? { ...kept, state: (body as Item)['state'] } : kept);
    const [other] = kennels.slice(-1);
    const address = has('address of another')
      ? other?.['id']
      : has('address of nothing')
        ? crypto.randomUUID()
        : item['id'];
    const path = has('address of the list') ? '/kennels' : `/kennels/${String(address)}`;
    return { status: 201, body: show(item), headers: { Location: path } };
  }

  function answerDogs({ method, body }: Asked, [, kennelId = '', , dogId]: string[]): Answer {
    const isThere = kennels.some(({ id }) => id === kennelId);
    const isPassed = has(`no kennel for ${dogId === undefined ? method : 'one'}`);
    if (!isThere && !isPassed) return fail(404);
    const own = dogs.filter((each) => each['kennelId'] === kennelId || isPassed);
    if (dogId !== undefined) {
      const found = own.find(({ id }) => id === dogId);
      return found === undefined ? fail(404) : { status: 200, body: found };
    }
    if (method === 'GET') return { status: 200, body: own };
    const { call } = (body ?? {}) as Item;
    if (typeof call !== 'string' || call === '') return fail(400);
    const dog = { id: crypto.randomUUID(), call, kennelId };
    dogs.push(dog);
    return { status: 201, body: has('another kennel') ? { ...dog, kennelId: kennels[1]?.['id'] } : dog };
  }

  return (asked) => {
    const { method, path, body, headers } = asked;
    const [first, key, part] = path;
    const isOpen = (part === 'clean' && has('clean for all')) || (first === 'weather' && has('weather for all'));
    const shown = String(headers['x-key']);
    const isKey = shown === KEY || (has('key in any case') && shown.toLowerCase() === KEY.toLowerCase());
    if (!isKey && !isOpen) return fail(401);
    if (first === 'weather') return { status: 200, body: { degrees: has('weather in words') ? 'warm' : 12 } };
    if (first !== 'kennels') return fail(404);
    if (part === 'dogs') return answerDogs(asked, path);
    if (key === undefined) return method === 'POST' ? create(body) : list(asked);
    const found = kennels.find(({ id }) => id === key);
    if (found === undefined) return fail(404);
    if (part === 'clean') return { status: 204 };
    if (method === 'GET') return { status: 200, body: show(found) };
    if (!isValid[method === 'PUT' ? 'replace' : 'update'](body)) return fail(400);
    const { id, state } = found;
    if (method === 'PUT') for (const name of Object.keys(found)) delete found[name];
    return { status: 200, body: show(Object.assign(found, body, { id, state })) };
  };
}
