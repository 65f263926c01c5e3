// The rules of what a billing service takes, apart from those that it forgets.
import type { Item } from '../../../support/network/serve-json.js';
import { isCount, isFlag, isItem, isText, type Rule } from './value-rules.js';

type Has = (change: string) => boolean;

const CUSTOMER: Record<string, Rule> = {
  name: isText(1, 80),
  email: (value) => isText(3, 90)(value) && /^[^@\s]+@[^@\s]+$/.test(String(value)),
  currency: (value) => typeof value === 'string' && ['chf', 'eur', 'usd'].includes(value),
  country: (value) => typeof value === 'string' && /^[A-Za-z]{2}$/.test(value),
  description: isText(0, 200),
  tax_exempt: isFlag,
};

const INVOICE: Record<string, Rule> = {
  customer: isText(1, 60),
  memo: isText(0, 120),
  paid: isFlag,
  due_days: isCount(0, 365),
  lines: (value) => Array.isArray(value) && value.length >= 1 && value.length <= 8 && value.every(isLine),
};

const isLine: Rule = (value) => isItem(value) && isText(1, 40)(value['label']) && isCount(1, 100_000)(value['amount']);

const KINDS = {
  customers: { rules: CUSTOMER, required: ['name'] },
  invoices: { rules: INVOICE, required: ['customer', 'lines'] },
};

export type Kind = keyof typeof KINDS;

/** The name of what is wrong with a body; `undefined` if nothing is. */
export function findWrong(
  kind: Kind,
  body: unknown,
  { has, isPart }: { has: Has; isPart: boolean },
): string | undefined {
  if (!isItem(body)) return 'body';
  const { rules, required } = KINDS[kind];
  const missing = isPart ? undefined : required.find((name) => !(name in body) && !has(`optional:${name}`));
  if (missing !== undefined) return missing;
  return Object.entries(rules).find(
    ([name, isRight]) => Object.hasOwn(body, name) && !has(`unchecked:${name}`) && !isRight(body[name]),
  )?.[0];
}

/** What a body says of the fields that there are. */
export function takeFields(kind: Kind, body: unknown): Item {
  const names = Object.keys(KINDS[kind].rules);
  return Object.fromEntries(Object.entries(isItem(body) ? body : {}).filter(([name]) => names.includes(name)));
}
