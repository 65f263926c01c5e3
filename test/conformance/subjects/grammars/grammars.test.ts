import { expect, test } from 'vitest';
import { createChance } from '../../../../src/conformance/subjects/grammars/chance.js';
import { drawEqualTexts, drawFields } from '../../../../src/conformance/subjects/grammars/drawn.js';
import { WRITINGS, writeOtherwise } from '../../../../src/conformance/subjects/grammars/json-texts.js';

const SEEDS = Array.from({ length: 200 }, (_, index) => index + 1);

test('what is drawn is the same for the same seed, and another for another', () => {
  const drawn = (seed: number): string =>
    JSON.stringify([drawFields(createChance(seed, 'fields')), drawEqualTexts(createChance(seed, 'pairs'))]);
  expect(drawn(1)).toBe(drawn(1));
  expect(new Set(SEEDS.map(drawn)).size).toBe(SEEDS.length);
});

test('each seed draws a field of every production, whose name is a token and whose value HTTP allows', () => {
  const productions = SEEDS.map((seed) => drawFields(createChance(seed, 'fields')).map(({ production }) => production));
  expect(new Set(productions.map((each) => each.toSorted().join())).size).toBe(1);
  for (const { name, value } of SEEDS.flatMap((seed) => drawFields(createChance(seed, 'fields')))) {
    expect(name).toMatch(/^[\w!#$%&'*+.^`|~-]+$/);
    expect(value).toMatch(/^[!-~](?:[\t -~]*[!-~])?$/);
  }
});

test('each `Accept` that is drawn takes JSON', () => {
  const drawn = SEEDS.flatMap((seed) => drawFields(createChance(seed, 'fields'))).filter(
    ({ name }) => name.toLowerCase() === 'accept',
  );
  expect(drawn).toHaveLength(2 * SEEDS.length);
  for (const { value } of drawn) {
    const ranges = value.split(',').map((each) => each.split(';').map((part) => part.trim().toLowerCase()));
    const taking = ranges.filter(([type = '']) => ['application/json', 'application/*', '*/*'].includes(type));
    expect(taking.some(([, weight = 'q=1']) => Number(weight.replace('q=', '')) > 0)).toBe(true);
  }
});

const VALUE = {
  name: 'a/b "c" \\ \u00E9',
  'a:b': [1, -2, 0.25, 12.5, -0.001, true, null],
  inner: { text: '', list: [] },
};

test('JSON that is written otherwise states the same value, and has the same references', () => {
  for (const writing of Object.values(WRITINGS))
    for (const seed of SEEDS) {
      expect(JSON.parse(writeOtherwise(JSON.stringify(VALUE), writing, createChance(seed, 'texts')))).toEqual(VALUE);
    }
  const json = '{"name":"x {$unique}","count":{$uniqueInteger},"share":0.5}';
  const writings = Object.values(WRITINGS).map((writing) => writeOtherwise(json, writing, createChance(3, 'texts')));
  for (const text of writings) expect(text.match(/\{\$\w+\}/g)).toEqual(['{$unique}', '{$uniqueInteger}']);
  expect(new Set(writings).size).toBe(writings.length);
});

test('two texts of a pair are one in their form, and two as they stand', () => {
  const same: Record<string, (text: string) => string> = {
    canonical: (text) => text.normalize('NFC'),
    compatible: (text) => text.normalize('NFKC'),
    case: (text) => text.toLowerCase().toUpperCase(),
    accent: (text) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').normalize('NFC'),
    ignorable: (text) => text.replaceAll('\u200D', ''),
  };
  for (const { form, one, other } of SEEDS.flatMap((seed) => drawEqualTexts(createChance(seed, 'pairs')))) {
    expect(one).not.toBe(other);
    expect(same[form]?.(one)).toBe(same[form]?.(other));
  }
});
