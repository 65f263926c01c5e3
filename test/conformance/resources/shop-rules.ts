// The rules of the shop's records, apart from those that it forgets.
import type { Item } from '../../support/network/serve-json.js';
import { isCount, isFlag, isOneOf, isText, type Rule } from './support/value-rules.js';

type ShopRules = { has: (name: string) => boolean; customers: Item[] };

function judge(shop: ShopRules, item: Item, rules: Record<string, Rule>, required: string[]): string | undefined {
  const missing = required.find((name) => !(name in item) && !shop.has(`${name}-not-required`));
  if (missing !== undefined) return `${missing} is missing`;
  return Object.entries(item).find(
    ([name, value]) => !shop.has(`${name}-unchecked`) && rules[name]?.(value) === false,
  )?.[0];
}

export function judgeCustomer(shop: ShopRules, item: Item, isChange: boolean): string | undefined {
  const rules = {
    name: isText(shop.has('name-may-be-short') ? 0 : 2, shop.has('name-may-be-long') ? 1e9 : 60),
    tier: shop.has('tier-any-text') ? isText(0, 99) : isOneOf('basic', 'gold', 'platinum'),
    email: (value: unknown) => typeof value === 'string' && (shop.has('email-any-text') || value.includes('@')),
    newsletter: isFlag,
    points: isCount(shop.has('points-may-be-negative') ? -1e9 : 0, shop.has('points-may-be-huge') ? 1e12 : 1_000_000),
    tags: (value: unknown) =>
      Array.isArray(value) &&
      value.length <= 5 &&
      new Set(value).size === value.length &&
      value.every((tag) => typeof tag === 'string'),
  };
  return judge(shop, item, rules, isChange ? [] : ['name', 'tier']);
}

export function judgeOrder(shop: ShopRules, item: Item): string | undefined {
  const rules = {
    customerId: (value: unknown) => shop.customers.some(({ id }) => id === value),
    quantity: (value: unknown) =>
      (shop.has('quantity-may-be-fraction') && typeof value === 'number') || isCount(1, 99)(value),
    state: isOneOf('open', 'paid', 'sent'),
    comment: isText(0, shop.has('comment-may-be-long') ? 1e9 : 300),
    address: (value: unknown) =>
      typeof value === 'object' &&
      value !== null &&
      ['street', 'city'].every((name) => typeof (value as Item)[name] === 'string'),
  };
  return judge(shop, item, rules, ['customerId', 'quantity']);
}

export const judgeNote = (shop: ShopRules, item: Item): string | undefined =>
  judge(shop, item, { text: isText(shop.has('text-may-be-empty') ? 0 : 1, 200) }, ['text']);
