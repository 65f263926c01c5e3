import { createRequire } from 'node:module';
import type * as XmlBuilder from 'xmlbuilder';
import { asObject, asText } from '../../contract/document/plain.js';
import type { SourceDocument } from '../../contract/document/document.js';
import { resolveAt } from '../../contract/document/references.js';
import { readDialect } from '../../contract/schemas/dialect.js';
import { mergeSchemas, type MergedSchema } from '../../contract/schemas/merged-schema.js';

type XmlElement = XmlBuilder.XMLElement;

/** How a value is written, as its schema's `xml` object says. */
interface XmlNode {
  /** With its prefix. */
  name: string;
  kind: 'element' | 'attribute' | 'text' | 'cdata' | 'none';
  prefix: string | undefined;
  namespace: string | undefined;
}

/** The schemas of a value: JSON Pointers, of which some may be missing. */
interface SchemasOf {
  document: SourceDocument;
  pointers: readonly string[];
}

/** Namespaces by their prefix, `''` for the default one, as declared around an element. */
type Declared = Readonly<Record<string, string>>;

/**
 * A value as an XML document, as the `xml` objects of its schema say (OpenAPI 3.0.4 and 3.2.0, XML Object). Each
 * namespace is declared where its prefix is first used (Namespaces in XML 1.0, section 5).
 */
export function writeXml(value: unknown, document: SourceDocument, pointer: string | undefined): string {
  const described = chooseAlternatives({ document, pointers: pointer === undefined ? [] : [pointer] }, value);
  const isList = Array.isArray(value);
  const component = nameComponent(described);
  const node = describeNode(described, component ?? 'root', isList);
  // Few contracts have XML, and loading its thirty files at each start would slow every user down.
  const { create } = createRequire(import.meta.url)('xmlbuilder') as typeof XmlBuilder;
  const root = create(node.name);
  const declared = declare(root, node, {});
  const hasOwnName = node.name !== (component ?? 'root');
  const itemName = hasOwnName ? node.name : (nameComponent(findInside(described, undefined)) ?? 'item');
  writeInside(root, value, described, { itemName, declared });
  return root.end();
}

function writeInside(
  element: XmlElement,
  value: unknown,
  described: SchemasOf,
  { itemName, declared }: { itemName: string; declared: Declared },
): void {
  if (Array.isArray(value)) {
    const items = findInside(described, undefined);
    for (const item of value as unknown[]) writeMember(element, item, items, { name: itemName, declared });
    return;
  }
  if (typeof value !== 'object' || value === null) return void element.txt(print(value ?? ''));
  for (const [name, each] of Object.entries(value)) {
    writeMember(element, each, findInside(described, name), { name, declared });
  }
}

function writeMember(
  parent: XmlElement,
  value: unknown,
  place: SchemasOf,
  { name, declared }: { name: string; declared: Declared },
): void {
  const described = chooseAlternatives(place, value);
  const node = describeNode(described, name, Array.isArray(value));
  if (node.kind === 'attribute') {
    if (node.prefix !== undefined) declare(parent, node, declared);
    return void parent.att(node.name, print(value));
  }
  if (node.kind === 'text') return void parent.txt(print(value ?? ''));
  if (node.kind === 'cdata') return void parent.cdata(print(value ?? ''));
  if (node.kind === 'none') return writeInside(parent, value, described, { itemName: node.name, declared });
  const element = parent.ele(node.name);
  writeInside(element, value, described, { itemName: node.name, declared: declare(element, node, declared) });
}

/** Declares the namespace of a node at an element, unless it is declared around it. */
function declare(element: XmlElement, { prefix = '', namespace }: XmlNode, declared: Declared): Declared {
  if (namespace === undefined || declared[prefix] === namespace) return declared;
  element.att(prefix === '' ? 'xmlns' : `xmlns:${prefix}`, namespace);
  return { ...declared, [prefix]: namespace };
}

function describeNode(described: SchemasOf, key: string, isList: boolean): XmlNode {
  const { parts } = merge(described);
  const xml = Object.assign({}, ...parts.map(({ schema }) => asObject(schema['xml'])).toReversed()) as object;
  const { name, prefix, namespace, attribute, wrapped, nodeType } = xml as Record<string, unknown>;
  const isElement = !isList || wrapped === true;
  const [ownPrefix, local] = [asText(prefix), toXmlName(asText(name) ?? key)];
  return {
    name: ownPrefix === undefined || local.includes(':') ? local : `${ownPrefix}:${local}`,
    kind:
      KINDS.find((each) => each === nodeType) ?? (attribute === true ? 'attribute' : isElement ? 'element' : 'none'),
    prefix: ownPrefix,
    namespace: asText(namespace),
  };
}

/** `nodeType` of OpenAPI 3.2, for which earlier versions have `attribute` and `wrapped`. */
const KINDS = ['element', 'attribute', 'text', 'cdata', 'none'] as const;

/** The schemas of a member by its name, or of the items of a list. */
function findInside(described: SchemasOf, name: string | undefined): SchemasOf {
  const { items, properties, additional = [] } = merge(described);
  return { ...described, pointers: name === undefined ? items : (properties.get(name) ?? additional) };
}

/** With each alternative of the schemas that knows most of a value's members. */
function chooseAlternatives(described: SchemasOf, value: unknown, depth = 0): SchemasOf {
  const names = Object.keys(Object(value) as object);
  const count = (pointer: string): number => {
    const { properties } = merge({ ...described, pointers: [pointer] });
    return names.filter((name) => properties.has(name)).length;
  };
  const first = merge(described).choices.find((list) => !list.some((each) => described.pointers.includes(each)));
  if (first === undefined || depth > MOST_DEEP) return described;
  const chosen = first.toSorted((one, other) => count(other) - count(one))[0] ?? '';
  return chooseAlternatives({ ...described, pointers: [...described.pointers, chosen] }, value, depth + 1);
}

const MOST_DEEP = 4;

function merge({ document, pointers }: SchemasOf): MergedSchema {
  return mergeSchemas(document, readDialect(document.root), pointers);
}

/** The name under which the first of the schemas is a component, or the alternative that is chosen of it. */
function nameComponent({ document, pointers }: SchemasOf): string | undefined {
  const names = pointers.map((each) => /\/components\/schemas\/([^/]+)$/.exec(resolveAt(document, each).pointer)?.[1]);
  const name = names.find((each) => each !== undefined);
  return name === undefined ? undefined : toXmlName(name);
}

function toXmlName(name: string): string {
  const cleaned = name.replace(/[^\w.:-]/g, '_');
  return /^[A-Za-z_]/.test(cleaned) ? cleaned : `_${cleaned}`;
}
