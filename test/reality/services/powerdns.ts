// As PowerDNS: zones are known by their names, which are lower-cased and end in a dot; what hangs below a zone goes with it.
import { createTable, every, isItem, LAG_MS } from '../support/kit.js';
import type { Answer, Asked, Has, Item, Program } from '../support/kit.js';
import { words } from '../../support/words.js';

const KINDS = ['Native', 'Master', 'Slave'];
const METADATA = /^(?:ALLOW-AXFR-FROM|ALSO-NOTIFY|SOA-EDIT|X-[A-Za-z0-9-]+)$/;
const OWN = Array.from({ length: 12 }, (_, index) => `owner-${index + 1}.example.`);

export const powerdns: Program = {
  name: 'powerdns',
  base: '/api/v1',
  apiKey: 'pdns-key',
  parameter: ['server_id=localhost'],
  hasRecords: true,
  habits: words`
    open-metadata newest-first stores-refused each-12th-fetch-404 keeps-name put-loses-account leaks-keys
  `,
  start: (has) => {
    const lag = { lagMs: has('late') ? LAG_MS : 0 };
    const zones = createTable(Object.fromEntries(OWN.map((name) => [name, zoneOf({ name, kind: 'Native' })])), lag);
    const metadata = createTable({ [`${OWN[0]} ALSO-NOTIFY`]: { kind: 'ALSO-NOTIFY', metadata: ['192.0.2.1'] } }, lag);
    const cryptokeys = createTable({ [`${OWN[0]} 1`]: keyOf(1, { keytype: 'csk', active: true }) }, lag);
    const service: PowerDns = { has, tables: { zones, metadata, cryptokeys }, isTwelfth: every(12) };
    return { tables: service.tables, answer: (asked) => answer(service, asked) };
  },
};

interface PowerDns {
  has: Has;
  tables: Record<'zones' | 'metadata' | 'cryptokeys', ReturnType<typeof createTable>>;
  isTwelfth: () => boolean;
}

const refuse = (status: number, error: string): Answer => ({ status, body: { error } });

function zoneOf(given: Item): Item {
  const name = String(given['name']).toLowerCase();
  const { kind, account = '', masters = [], dnssec = false } = given;
  return { id: name, name, url: `/api/v1/servers/localhost/zones/${name}`, kind, account, masters, dnssec, serial: 0 };
}

function keyOf(id: number, { keytype, active = false }: Item): Item {
  return { id, keytype, active, type: 'Cryptokey', algorithm: 'ECDSAP256SHA256', bits: 256 };
}

function answer(service: PowerDns, asked: Asked): Answer {
  const { method, parts, headers } = asked;
  const { has, tables } = service;
  const [servers, server, kind, name, below, key] = parts;
  const isOpen = has('open-metadata') && below === 'metadata' && method === 'GET';
  if (headers['x-api-key'] !== 'pdns-key' && !isOpen) return { status: 401, body: { error: 'Unauthorized' } };
  if (servers !== 'servers' || server !== 'localhost' || kind !== 'zones') return refuse(404, 'Not Found');
  if ((method === 'POST' || method === 'PUT') && !isItem(asked.body))
    return refuse(400, 'Your JSON could not be parsed');
  if (name === undefined) return answerZones(service, asked);
  const zone =
    method === 'GET' ? tables.zones.shown.get(name.toLowerCase()) : tables.zones.rows.get(name.toLowerCase());
  if (zone === undefined) return refuse(404, `Could not find domain '${name}'`);
  if (below === undefined) return answerZone(service, asked, zone);
  if (below === 'metadata') return answerMetadata(service, asked, { zone, key });
  return below === 'cryptokeys' ? answerKeys(service, asked, { zone, key }) : refuse(404, 'Not Found');
}

function answerZones({ has, tables: { zones } }: PowerDns, { method, query, body }: Asked): Answer {
  if (method === 'GET') {
    const wanted = query.get('zone')?.toLowerCase();
    const listed = [...zones.shown.values()].filter(({ name }) => wanted === undefined || name === wanted);
    return { status: 200, body: has('newest-first') ? listed.toReversed() : listed };
  }
  if (method !== 'POST') return refuse(405, 'Method Not Allowed');
  const wrong = findWrong(body as Item);
  const made = zoneOf(body as Item);
  if (wrong !== undefined && has('stores-refused') && typeof (body as Item)['name'] === 'string')
    zones.put(made['id'], { ...zoneOf({ name: made['name'], kind: 'Native' }) });
  if (wrong !== undefined) return refuse(422, wrong);
  if (zones.rows.has(String(made['id']))) return refuse(409, `Domain '${String(made['name'])}' already exists`);
  return { status: 201, body: zones.put(made['id'], made) };
}

function findWrong({ name, kind, account = '', masters = [], dnssec = false }: Item): string | undefined {
  if (typeof name !== 'string') return "Key 'name' not present or not a String";
  if (!/^(?:[\w-]{1,63}\.)+$/.test(name)) return `DNS Name '${name}' is not canonical`;
  if (!KINDS.includes(kind as string)) return "Key 'kind' is no kind of a zone";
  if (typeof account !== 'string' || typeof dnssec !== 'boolean') return 'No such account, or no such flag';
  const isList = Array.isArray(masters) && masters.every((each) => typeof each === 'string');
  return isList ? undefined : 'Masters is not a list of addresses';
}

function answerZone({ has, tables, isTwelfth }: PowerDns, { method, body }: Asked, zone: Item): Answer {
  if (method === 'GET' && has('each-12th-fetch-404') && isTwelfth()) return refuse(404, 'Could not find domain');
  if (method === 'GET') return { status: 200, body: zone };
  if (method !== 'DELETE' && method !== 'PUT') return refuse(405, 'Method Not Allowed');
  if (method === 'PUT') {
    const wrong = findWrong(body as Item);
    if (wrong !== undefined) return refuse(422, wrong);
    const changed: Item = { ...zone, ...(body as Item), ...(has('keeps-name') ? { name: zone['name'] } : {}) };
    const made: Item = { ...zoneOf(changed), ...(has('put-loses-account') ? { account: zone['account'] } : {}) };
    if (made['id'] !== zone['id'] && tables.zones.rows.has(String(made['id']))) return refuse(409, 'It exists');
    tables.zones.remove(zone['id']);
    tables.zones.put(made['id'], made);
    return { status: 204 };
  }
  tables.zones.remove(zone['id']);
  for (const table of [tables.metadata, tables.cryptokeys])
    for (const key of table.rows.keys()) if (key.startsWith(`${String(zone['id'])} `)) table.remove(key);
  return { status: 204 };
}

type Below = { zone: Item; key: string | undefined };

function answerMetadata({ tables: { metadata } }: PowerDns, { method, body }: Asked, { zone, key }: Below): Answer {
  const prefix = `${String(zone['id'])} `;
  const own = [...metadata.shown].filter(([id]) => id.startsWith(prefix)).map(([, row]) => row);
  if (key === undefined && method === 'GET') return { status: 200, body: own };
  const { kind, metadata: values } = (body ?? {}) as Item;
  if (method === 'POST' || method === 'PUT') {
    if (typeof kind !== 'string' || !METADATA.test(kind)) return refuse(422, 'Unsupported metadata kind');
    if (!Array.isArray(values) || values.some((each) => typeof each !== 'string')) return refuse(422, 'No metadata');
    const made = { kind: key ?? kind, metadata: values };
    if (method === 'PUT' && !metadata.rows.has(prefix + made.kind)) return refuse(404, 'Not Found');
    return { status: method === 'POST' ? 201 : 200, body: metadata.put(prefix + made.kind, made) };
  }
  const found = metadata.shown.get(prefix + key);
  if (method === 'GET') return found === undefined ? refuse(404, 'Not Found') : { status: 200, body: found };
  if (method !== 'DELETE') return refuse(405, 'Method Not Allowed');
  metadata.remove(prefix + key);
  return { status: 204 };
}

function answerKeys({ has, tables: { cryptokeys } }: PowerDns, { method, body }: Asked, { zone, key }: Below): Answer {
  const prefix = `${String(zone['id'])} `;
  if (key === undefined && method === 'GET') {
    const own = [...cryptokeys.shown].filter(([id]) => id.startsWith(prefix) || has('leaks-keys'));
    return { status: 200, body: own.map(([, row]) => row) };
  }
  const { keytype, active } = (body ?? {}) as Item;
  if (method === 'POST') {
    if (!['ksk', 'zsk', 'csk'].includes(keytype as string)) return refuse(422, 'Invalid keytype');
    if (active !== undefined && typeof active !== 'boolean') return refuse(422, 'Not a flag');
    const made = keyOf(cryptokeys.take(), body as Item);
    return { status: 201, body: cryptokeys.put(prefix + String(made['id']), made) };
  }
  const found = (method === 'GET' ? cryptokeys.shown : cryptokeys.rows).get(prefix + key);
  if (found === undefined) return refuse(404, 'Not Found');
  if (method === 'GET') return { status: 200, body: found };
  if (method === 'PUT' && typeof active !== 'boolean') return refuse(422, 'Not a flag');
  if (method === 'PUT') cryptokeys.put(prefix + key, { ...found, active });
  if (method === 'DELETE') cryptokeys.remove(prefix + key);
  return method === 'PUT' || method === 'DELETE' ? { status: 204 } : refuse(405, 'Method Not Allowed');
}
