// A small service of two keys, written for these tests alone: lots whose codes clients choose, and notes below them.
import { createHash } from 'node:crypto';
import { serveJson, type Answer, type Asked, type Item } from '../../support/network/serve-json.js';
import { closeLater } from './ask.js';

export type Defect =
  | 'others-remove'
  | 'others-update'
  | 'others-see-private'
  | 'others-list-private'
  | 'third-forbidden'
  | 'rejected-takes-key'
  | 'again-as-before'
  | 'notes-come-back'
  | 'numbers-again'
  | 'equal-twice'
  | 'change-escapes'
  | 'change-rounds'
  | 'change-counts-bytes'
  | 'change-in-part'
  | 'digits-lost-below'
  | 'case-lost-below'
  | 'offset-first'
  | 'list-tag-fails'
  | 'upgrade-fails'
  | 'list-tag-of-codes'
  | 'others-remove-private'
  | 'change-in-any-case'
  | 'change-narrows'
  | 'nulls-kept-inside';

const SPEC = `openapi: 3.1.0
info:
  title: Lots
  version: 1.0.0
  description: |
    A record may be changed or deleted by its own key only; other keys get 403.
    A private lot exists for its own key alone: to any other it is 404, and it is not listed.
    Numbers of notes are never given a second time.
security: [{ apiKey: [] }]
paths:
  /lots:
    get: { operationId: listLots, parameters: [{ name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 50, default: 20 } }, { name: offset, in: query, schema: { type: integer, minimum: 0, default: 0 } }, { name: visibility, in: query, schema: { type: string, enum: [open, private] } }], responses: { '200': { description: All., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Lot' } } } } }, '401': { $ref: '#/components/responses/No' } } }
    post: { operationId: createLot, requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Lot' } } } }, responses: { '201': { description: Made., content: { application/json: { schema: { $ref: '#/components/schemas/Lot' } } } }, '400': { $ref: '#/components/responses/No' }, '401': { $ref: '#/components/responses/No' }, '409': { description: The code is taken., content: { application/json: { schema: { $ref: '#/components/schemas/Error' } } } } } }
  /lots/{code}:
    parameters: [{ name: code, in: path, required: true, schema: { type: string } }]
    get: { operationId: getLot, responses: { '200': { description: One., content: { application/json: { schema: { $ref: '#/components/schemas/Lot' } } } }, '401': { $ref: '#/components/responses/No' }, '404': { $ref: '#/components/responses/No' } } }
    patch: { operationId: updateLot, requestBody: { required: true, content: { application/merge-patch+json: { schema: { $ref: '#/components/schemas/LotPatch' } } } }, responses: { '200': { description: One., content: { application/json: { schema: { $ref: '#/components/schemas/Lot' } } } }, '400': { $ref: '#/components/responses/No' }, '401': { $ref: '#/components/responses/No' }, '403': { $ref: '#/components/responses/No' }, '404': { $ref: '#/components/responses/No' } } }
    delete: { operationId: removeLot, responses: { '204': { description: Gone. }, '401': { $ref: '#/components/responses/No' }, '403': { $ref: '#/components/responses/No' }, '404': { $ref: '#/components/responses/No' } } }
  /lots/{code}/notes:
    parameters: [{ name: code, in: path, required: true, schema: { type: string } }]
    get: { operationId: listNotes, responses: { '200': { description: All., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Note' } } } } }, '401': { $ref: '#/components/responses/No' }, '404': { $ref: '#/components/responses/No' } } }
    post: { operationId: createNote, requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/NewNote' } } } }, responses: { '201': { description: Made., content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } }, '400': { $ref: '#/components/responses/No' }, '401': { $ref: '#/components/responses/No' }, '403': { $ref: '#/components/responses/No' }, '404': { $ref: '#/components/responses/No' } } }
  /lots/{code}/notes/{noteId}:
    parameters: [{ name: code, in: path, required: true, schema: { type: string } }, { name: noteId, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getNote, responses: { '200': { description: One., content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } }, '401': { $ref: '#/components/responses/No' }, '404': { $ref: '#/components/responses/No' } } }
    delete: { operationId: removeNote, responses: { '204': { description: Gone. }, '401': { $ref: '#/components/responses/No' }, '403': { $ref: '#/components/responses/No' }, '404': { $ref: '#/components/responses/No' } } }
components:
  securitySchemes: { apiKey: { type: apiKey, in: header, name: X-Api-Key } }
  responses: { 'No': { description: Not done., content: { application/json: { schema: { $ref: '#/components/schemas/Error' } } } } }
  schemas:
    Error: { type: object, required: [message], properties: { message: { type: string } } }
    Lot: { type: object, required: [code, amount], properties: { code: { type: string, maxLength: 40, description: Chosen by the client. }, amount: { type: integer, minimum: 0 }, visibility: { type: string, enum: [open, private] }, remark: { type: string, maxLength: 60 }, weight: { type: number, minimum: 0, maximum: 1000000, multipleOf: 0.001 }, contact: { type: object, properties: { mail: { type: string }, phone: { type: string } } } } }
    LotPatch: { type: object, additionalProperties: false, properties: { contact: { type: [object, 'null'], properties: { mail: { type: [string, 'null'] }, phone: { type: [string, 'null'] } } }, amount: { type: integer, minimum: 0 }, remark: { type: string, maxLength: 60 }, weight: { type: number, minimum: 0, maximum: 1000000, multipleOf: 0.001 } } }
    NewNote: { type: object, required: [text], properties: { text: { type: string, maxLength: 80 } } }
    Note: { allOf: [{ $ref: '#/components/schemas/NewNote' }, { type: object, required: [id], properties: { id: { type: integer, readOnly: true } } }] }
`;

type Kept = { of: string; item: Item };
type Lot = Kept & { notes: Map<number, Item> };

const no = (status: number): Answer => ({ status, body: { message: `It is ${status}.` } });

function isAmount(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

function isText(value: unknown, most: number): boolean {
  return typeof value === 'string' && Array.from(value).length <= most;
}

function isLot({ code, amount, visibility = 'open', ...rest }: Item): boolean {
  return isText(code, 40) && isAmount(amount) && ['open', 'private'].includes(String(visibility)) && isRest(rest);
}

function isRest({ remark = '', weight = 0 }: Item): boolean {
  return isText(remark, 60) && typeof weight === 'number' && weight >= 0 && weight <= 1_000_000;
}

/** Serves them to two keys, with twelve lots of the first, and a document that says so. */
export async function startLots(
  keys: { ann: string; ben: string },
  defects: readonly Defect[],
  makeFolder: (files: Record<string, string>) => string,
): Promise<{ url: string; spec: string }> {
  const has = (defect: Defect): boolean => defects.includes(defect);
  const lots = new Map<string, Lot>();
  const graves = new Map<string, Lot>();
  const reserved = new Set<string>();
  let last = 0;
  for (let amount = 1; amount <= 12; amount++) {
    const item = { code: `L${amount}`, amount, visibility: amount % 2 === 0 ? 'open' : 'private' };
    lots.set(item.code, { of: keys.ann, item, notes: new Map() });
  }

  const sees = (lot: Kept, who: string): boolean => lot.of === who || lot.item['visibility'] !== 'private';

  function answerList({ query, headers }: Asked, who: string): Answer {
    const [limit, offset] = [query.get('limit') ?? '20', query.get('offset') ?? '0'];
    const wanted = query.get('visibility');
    const isAsked = /^[1-9]\d?$/.test(limit) && Number(limit) <= 50 && /^\d+$/.test(offset);
    if (!isAsked || (wanted !== null && !['open', 'private'].includes(wanted))) return no(400);
    const seen = [...lots.values()].filter((each) => has('others-list-private') || sees(each, who));
    const from = (all: readonly Lot[]): readonly Lot[] => all.slice(Number(offset));
    const fit = (all: readonly Lot[]): readonly Lot[] =>
      all.filter(({ item }) => wanted === null || item['visibility'] === wanted);
    const matching = has('offset-first') ? fit(from(seen)) : from(fit(seen));
    const body = matching.slice(0, Number(limit)).map(({ item }) => item);
    const tagged = has('list-tag-of-codes') ? body.map(({ code }) => code) : body;
    const tag = `"${createHash('sha256').update(JSON.stringify(tagged)).digest('hex').slice(0, 12)}"`;
    if (headers['if-none-match'] !== tag) return { status: 200, body, headers: { ETag: tag } };
    return has('list-tag-fails') ? no(412) : { status: 304, headers: { ETag: tag } };
  }

  function answerAll(asked: Asked, who: string): Answer {
    const { method, body, headers } = asked;
    if (method === 'GET') return answerList(asked, who);
    if (has('upgrade-fails') && headers.upgrade !== undefined) return no(400);
    const item = (body ?? {}) as Item;
    const code = String(item['code']);
    if (!isLot(item)) {
      if (has('rejected-takes-key')) reserved.add(code);
      return no(400);
    }
    if (has('equal-twice') && JSON.stringify(lots.get(code)?.item) === JSON.stringify(item))
      return { status: 201, body: item };
    if (lots.has(code) || reserved.has(code)) return no(409);
    const grave = graves.get(code);
    const made = {
      ...item,
      ...(grave !== undefined && has('again-as-before') ? { amount: grave.item['amount'] } : {}),
    };
    const notes = has('notes-come-back') ? grave?.notes : undefined;
    lots.set(code, { of: who, item: made, notes: notes ?? new Map<number, Item>() });
    return { status: 201, body: made };
  }

  function store(weight: number): number {
    return has('change-rounds') ? Number(weight.toFixed(1)) : has('change-narrows') ? Math.fround(weight) : weight;
  }

  /** RFC 7396. */
  function merge(known: unknown, change: unknown): unknown {
    const all = Object.entries({ ...(known as Item | undefined), ...(change as Item | null) });
    return Object.fromEntries(all.filter(([, value]) => value !== null || has('nulls-kept-inside')));
  }

  function answerOne({ method, body }: Asked, lot: Lot, who: string): Answer {
    const code = String(lot.item['code']);
    if (method === 'GET') return { status: 200, body: lot.item };
    const isOpen = has(method === 'PATCH' ? 'others-update' : 'others-remove');
    if (lot.of !== who && !isOpen && sees(lot, who)) return no(403);
    if (method === 'DELETE') {
      lots.delete(code);
      graves.set(code, lot);
      return { status: 204 };
    }
    const names = Object.entries((body ?? {}) as Item).map(([name, value]) => {
      return [has('change-in-any-case') ? name.toLowerCase() : name, value] as const;
    });
    if (names.some(([name]) => !['amount', 'remark', 'weight', 'contact'].includes(name))) return no(400);
    const { amount, remark, weight, contact } = Object.fromEntries(names);
    const [text, number] = [remark ?? '', weight ?? 0].map(String);
    if (has('change-counts-bytes') && Buffer.byteLength(String(text)) > 60) return no(400);
    const rest = {
      ...(remark === undefined ? {} : { remark: has('change-escapes') ? text?.replaceAll('<', '&lt;') : remark }),
      ...(weight === undefined ? {} : { weight: store(Number(number)) }),
      ...(contact === undefined ? {} : { contact: merge(lot.item['contact'], contact) }),
    };
    if (!isRest({ remark, weight })) return no(400);
    if (has('change-in-part')) lot.item = { ...lot.item, ...rest };
    if (amount !== undefined && !isAmount(amount)) return no(400);
    lot.item = { ...lot.item, ...rest, ...(amount === undefined ? {} : { amount }) };
    return { status: 200, body: lot.item };
  }

  function answerNotes({ method, body, parts }: Asked, { of, notes }: Lot, who: string): Answer {
    const [, , , key] = parts;
    const note = notes.get(Number(key));
    if (key !== undefined && note === undefined) return no(404);
    if (method === 'GET') return { status: 200, body: note ?? [...notes.values()] };
    if (of !== who) return no(403);
    if (method === 'DELETE') {
      notes.delete(Number(key));
      if (has('numbers-again') && Number(key) === last) last -= 1;
      return { status: 204 };
    }
    const { text } = (body ?? {}) as Item;
    if (typeof text !== 'string' || Array.from(text).length > 80) return no(400);
    last += 1;
    notes.set(last, { text, id: last });
    return { status: 201, body: notes.get(last) };
  }

  function answer(asked: Asked): Answer {
    const who = String(asked.headers['x-api-key']);
    const { parts, isReadable, method } = asked;
    if (who !== keys.ann && who !== keys.ben) return no(401);
    if (!isReadable) return no(400);
    const [collection, code, below] = parts;
    if (collection !== 'lots') return no(404);
    if (code === undefined) return answerAll(asked, who);
    if (below !== undefined && has('digits-lost-below') && /^\d/.test(code)) return no(404);
    const lot = lots.get(code) ?? lots.get(below !== undefined && has('case-lost-below') ? code.toLowerCase() : code);
    const isShownToOthers = has(method === 'DELETE' ? 'others-remove-private' : 'others-see-private');
    const isSeen = lot !== undefined && (sees(lot, who) || (isShownToOthers && below === undefined));
    if (lot === undefined || !isSeen) return no(404);
    if (code === 'L3' && method === 'GET' && below === undefined && has('third-forbidden')) return no(403);
    return below === undefined ? answerOne(asked, lot, who) : answerNotes(asked, lot, who);
  }

  const { url, close } = await serveJson(answer);
  closeLater(close);
  return { url, spec: `${makeFolder({ 'lots.yaml': SPEC })}/lots.yaml` };
}
