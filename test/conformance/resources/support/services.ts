import type { Collection, FieldPlan, ServicePlan } from './plan.js';

const bearer = 'library-token-of-the-run';
export const DESK_KEY = 'desk-key-of-the-run';
export const DESK_LOGIN = 'desk:login-of-the-run';
export const LIBRARY_TOKEN = bearer;

const keysOf = (value: unknown): string[] => Object.keys(value as object);

const ticketFields: Record<string, FieldPlan> = {
  subject: { type: 'text', required: true, minLength: 4, maxLength: 80 },
  body: { type: 'text', maxLength: 400 },
  status: { type: 'text', enum: ['open', 'waiting', 'solved', 'closed'] },
  urgent: { type: 'boolean' },
  effort: { type: 'integer', minimum: 0, maximum: 40 },
  due_on: { type: 'text', format: 'date' },
  remind_at: { type: 'text', format: 'date-time' },
  reference: { type: 'text', pattern: /^[A-Z]{3}-[0-9]{4}$/ },
  labels: { type: 'list', items: { type: 'text', maxLength: 20 }, unique: true, maxItems: 4 },
  agent_id: { type: 'integer', of: 'agents' },
  contact: {
    type: 'object',
    fields: {
      name: { type: 'text', required: true, minLength: 1 },
      phone: { type: 'text', pattern: /^\+[0-9]{4,15}$/ },
    },
  },
  channel: { type: 'text', enum: ['mail', 'phone', 'chat'], default: 'mail' },
  created_at: { type: 'text', readOnly: true },
  number: { type: 'integer', readOnly: true },
};

const agents: Collection = {
  name: 'agents',
  path: ['agents'],
  key: { name: 'id', kind: 'integer' },
  paging: { kind: 'offset', size: 'limit', turn: 'offset', most: 40, usual: 10 },
  totalHeader: 'X-Total-Count',
  filters: { team: 'team', onCall: 'onCall', level: 'level' },
  fields: {
    name: { type: 'text', required: true, minLength: 3, maxLength: 50 },
    team: { type: 'text', required: true, enum: ['billing', 'hardware', 'network', 'people'] },
    email: { type: 'text', format: 'email' },
    onCall: { type: 'boolean' },
    level: { type: 'integer', minimum: 1, maximum: 9 },
    rate: { type: 'number', minimum: 0, maximum: 400 },
  },
  isClosed: true,
  assigned: [],
  invalid: 422,
  change: 'PUT',
  hasRepeatKey: true,
  takesForms: true,
  refusesTypes: true,
  refusesAccept: true,
  gone: 404,
};

const tickets: Collection = {
  name: 'tickets',
  path: ['tickets'],
  key: { name: 'number', kind: 'integer' },
  listIn: 'tickets',
  paging: { kind: 'page', size: 'per_page', turn: 'page', most: 30, usual: 15 },
  total: 'total',
  around: (page, size) => ({ page, per_page: size }),
  filters: { status: 'status', urgent: 'urgent', due_on: 'due_on', agent_id: 'agent_id' },
  fields: ticketFields,
  assigned: ['created_at'],
  invalid: 422,
  change: 'PATCH',
  hasTags: true,
  gone: 404,
};

const comments: Collection = {
  name: 'comments',
  path: ['tickets', '*', 'comments'],
  key: { name: 'id', kind: 'integer' },
  paging: { kind: 'offset', size: 'limit', turn: 'offset', most: 25, usual: 10 },
  filters: {},
  fields: {
    text: { type: 'text', required: true, minLength: 1, maxLength: 250 },
    internal: { type: 'boolean' },
    mood: { type: 'text', enum: ['calm', 'cross', 'glad'] },
  },
  assigned: [],
  invalid: 422,
  change: 'PUT',
  gone: 404,
};

export const helpdesk: ServicePlan = {
  name: 'helpdesk',
  base: '/desk/v2',
  logins: [
    { header: 'X-Desk-Key', value: DESK_KEY },
    { header: 'Authorization', value: `Basic ${Buffer.from(DESK_LOGIN).toString('base64')}` },
  ],
  errorType: 'application/problem+json',
  error: (status, title) => ({ type: 'about:blank', title, status }),
  collections: [agents, tickets, comments],
};

const books: Collection = {
  name: 'books',
  path: ['books'],
  key: { name: 'id', kind: 'uuid' },
  listIn: 'data',
  oneIn: 'data',
  paging: { kind: 'cursor', size: 'size', turn: 'cursor', most: 60, usual: 12 },
  total: 'meta.total',
  cursor: 'meta.nextCursor',
  filters: { language: 'language', pages: 'pages' },
  fields: {
    title: { type: 'text', required: true, minLength: 1, maxLength: 120 },
    subtitle: { type: 'text', null: true, maxLength: 120 },
    authors: {
      type: 'list',
      required: true,
      items: { type: 'text', minLength: 2 },
      minItems: 1,
      maxItems: 6,
      unique: true,
    },
    language: { type: 'text', enum: ['da', 'de', 'en', 'fr', 'it'], default: 'en' },
    isbn: { type: 'text', pattern: /^97[89]-[0-9]{10}$/ },
    pages: { type: 'integer', minimum: 1, maximum: 9000 },
    price: { type: 'number', above: 0 },
    lendable: { type: 'boolean', default: true },
    published: { type: 'text', format: 'date' },
    shelf: {
      type: 'object',
      fields: {
        room: { type: 'text', required: true, minLength: 1 },
        place: { type: 'integer', required: true, minimum: 1 },
      },
    },
    accessCode: { type: 'text', minLength: 4, maxLength: 30, writeOnly: true },
    addedAt: { type: 'text', readOnly: true },
    id: { type: 'text', readOnly: true },
  },
  assigned: ['addedAt'],
  invalid: 400,
  change: 'PUT',
  hasTags: true,
  isUpsert: true,
  answersAddress: true,
  refusesTypes: true,
  refusesAccept: true,
  gone: 404,
};

const members: Collection = {
  name: 'members',
  path: ['members'],
  key: { name: 'id', kind: 'uuid' },
  listIn: 'data',
  oneIn: 'data',
  paging: { kind: 'cursor', size: 'limit', turn: 'cursor', most: 100, usual: 10 },
  cursor: 'meta.nextCursor',
  filters: { active: 'active', born_on: 'born_on' },
  fields: {
    name: { type: 'text', required: true, minLength: 2, maxLength: 70 },
    email: { type: 'text', format: 'email' },
    born_on: { type: 'text', format: 'date' },
    active: { type: 'boolean', default: true },
    kind: { type: 'text', enum: ['child', 'adult', 'staff'], default: 'adult' },
    cards: { type: 'list', items: { type: 'text', format: 'uuid' }, unique: true, maxItems: 3 },
    discount: { type: 'integer', multipleOf: 5, minimum: 0, maximum: 100 },
    pin: { type: 'text', pattern: /^[0-9]{4}$/, writeOnly: true },
    contact: {
      type: 'object',
      fields: { street: { type: 'text' }, town: { type: 'text' } },
      rules: {
        minProperties: (value) => keysOf(value).length > 0,
        propertyNames: (value) => keysOf(value).every((name) => /^[a-z-]+$/i.test(name)),
        patternProperties: (value) =>
          Object.entries(value as object).every(([name, each]) => !name.startsWith('x-') || typeof each === 'string'),
        dependentRequired: (value) => !keysOf(value).includes('street') || keysOf(value).includes('town'),
      },
    },
    interests: {
      type: 'list',
      items: { type: 'text' },
      rules: { contains: (value) => (value as unknown[]).includes('reading') },
    },
  },
  assigned: ['joined'],
  invalid: 400,
  change: 'PATCH',
  gone: 410,
};

const loans: Collection = {
  name: 'loans',
  path: ['members', '*', 'loans'],
  key: { name: 'id', kind: 'uuid' },
  listIn: 'data',
  oneIn: 'data',
  paging: { kind: 'offset', size: 'limit', turn: 'offset', most: 20, usual: 10 },
  total: 'meta.total',
  around: (_page, _size, count) => ({ meta: { count } }),
  filters: { state: 'state' },
  needs: [
    { in: 'header', name: 'X-Branch', values: ['north', 'south'] },
    { in: 'query', name: 'calendar', values: ['iso', 'julian'] },
  ],
  fields: {
    bookId: { type: 'text', required: true, format: 'uuid', of: 'books' },
    state: { type: 'text', enum: ['requested', 'lent', 'overdue'], default: 'requested' },
    days: { type: 'integer', minimum: 1, maximum: 60 },
    remark: { type: 'text', maxLength: 90 },
  },
  assigned: [],
  invalid: 400,
  change: 'PATCH',
  gone: 404,
};

export const library: ServicePlan = {
  name: 'library',
  base: '/library',
  logins: [{ header: 'Authorization', value: `Bearer ${bearer}` }],
  errorType: 'application/json',
  error: (status, title) => ({ error: { code: `e${status}`, message: title } }),
  collections: [books, members, loans],
};
