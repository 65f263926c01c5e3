import { createRequire } from 'node:module';
import type * as XmlBuilder from 'xmlbuilder';
import { printJson } from '../../contract/document/json.js';
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
interface Described {
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
  const described = { document, pointers: pointer === undefined ? [] : [pointer] };
  const isList = Array.isArray(value);
  const component = nameComponent(described);
  const node = describeNode(described, component ?? 'root', isList);
  // Few contracts have XML, and loading its thirty files at each start would slow every user down.
  const { create } = createRequire(import.meta.url)('xmlbuilder') as typeof XmlBuilder;
  const root = create(node.name);
  const declared = declare(root, node, {});
  const hasOwnName = node.name !== (component ?? 'root');
  const itemName = hasOwnName ? node.name : (nameComponent(findInside(described, undefined)) ?? 'item');
  fill(root, value, described, { itemName, declared });
  return root.end();
}

function fill(
  element: XmlElement,
  value: unknown,
  described: Described,
  { itemName, declared }: { itemName: string; declared: Declared },
): void {
  if (Array.isArray(value)) {
    const items = findInside(described, undefined);
    for (const item of value as unknown[]) add(element, item, items, { name: itemName, declared });
    return;
  }
  if (typeof value !== 'object' || value === null) return void element.txt(print(value ?? ''));
  for (const [name, each] of Object.entries(value)) {
    add(element, each, findInside(described, name), { name, declared });
  }
}

function add(
  parent: XmlElement,
  value: unknown,
  described: Described,
  { name, declared }: { name: string; declared: Declared },
): void {
  const node = describeNode(described, name, Array.isArray(value));
  if (node.kind === 'attribute') {
    if (node.prefix !== undefined) declare(parent, node, declared);
    return void parent.att(node.name, print(value));
  }
  if (node.kind === 'text') return void parent.txt(print(value ?? ''));
  if (node.kind === 'cdata') return void parent.cdata(print(value ?? ''));
  if (node.kind === 'none') return fill(parent, value, described, { itemName: node.name, declared });
  const element = parent.ele(node.name);
  fill(element, value, described, { itemName: node.name, declared: declare(element, node, declared) });
}

/** Declares the namespace of a node at an element, unless it is declared around it. */
function declare(element: XmlElement, { prefix = '', namespace }: XmlNode, declared: Declared): Declared {
  if (namespace === undefined || declared[prefix] === namespace) return declared;
  element.att(prefix === '' ? 'xmlns' : `xmlns:${prefix}`, namespace);
  return { ...declared, [prefix]: namespace };
}

function describeNode(described: Described, key: string, isList: boolean): XmlNode {
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

/** The schemas of a member by its name, or of the items of a list, in what is said of all values or by an alternative. */
function findInside(described: Described, name: string | undefined, depth = 0): Described {
  const { document } = described;
  const { items, properties, additional, choices } = merge(described);
  const own = name === undefined ? items : properties.get(name);
  if (own !== undefined && own.length > 0) return { document, pointers: own };
  const inside = choices.flat().map((pointer) => ({ document, pointers: [pointer] }));
  const found = depth > MOST_DEEP ? [] : inside.map((each) => findInside(each, name, depth + 1).pointers);
  return {
    document,
    pointers: found.find((each) => each.length > 0) ?? (name === undefined ? [] : (additional ?? [])),
  };
}

const MOST_DEEP = 4;

function merge({ document, pointers }: Described): MergedSchema {
  return mergeSchemas(document, readDialect(document.root), pointers);
}

/** The name under which the first of the schemas is a component. */
function nameComponent({ document, pointers: [first] }: Described): string | undefined {
  if (first === undefined) return undefined;
  const [, name] = /\/components\/schemas\/([^/]+)$/.exec(resolveAt(document, first).pointer) ?? [];
  return name === undefined ? undefined : toXmlName(name);
}

function toXmlName(name: string): string {
  const cleaned = name.replace(/[^\w.:-]/g, '_');
  return /^[A-Za-z_]/.test(cleaned) ? cleaned : `_${cleaned}`;
}

function print(value: unknown): string {
  return typeof value === 'string' ? value : printJson(value ?? null);
}
