import { createCompilers, type Compiler, referTo } from './schemas/compile-schemas.js';
import { bundleFiles } from './document/bundle.js';
import { createSource, parsePointer } from './document/document.js';
import { nameModule, type PlaceTree } from './document/precompiled.js';
import { printJson } from './document/json.js';
import { loadAjvStandalone } from './document/load-when-needed.js';
import { ERROR_SCHEMA, readOperations } from './operations/operations.js';
import { readProperties } from './operations/properties.js';
import { inferResources, writeInferred } from './resources/infer-resources.js';
import { listRequestSchemas, listResponseSchemas } from './schemas/violation.js';
import { parseYaml, type ParsedText } from './document/yaml.js';

export type ShippedText = { file: string; text: string; isContract: boolean };

/** A module for `findPrecompiled`: what the build knows about a shipped text. */
export function precompile({ file, text, isContract }: ShippedText): { name: string; code: string } {
  const parsed = parseYaml(text, { file, code: 'unusable-contract' });
  const fields = [
    `root: ${JSON.stringify(printJson(parsed.root))}`,
    `places: ${JSON.stringify(JSON.stringify(placeAll(parsed, parsed.root, [])))}`,
    ...(isContract ? writeContract(file, parsed) : []),
  ];
  return { name: nameModule(text), code: `'use strict';\nmodule.exports = {\n${fields.join(',\n')},\n};\n` };
}

function placeAll(parsed: ParsedText, value: unknown, path: readonly string[]): PlaceTree {
  const { line, column } = parsed.findPlace(path);
  if (typeof value !== 'object' || value === null) return [line, column];
  const inside = Object.entries(value).map(([key, item]) => [key, placeAll(parsed, item, [...path, key])] as const);
  return [line, column, Object.fromEntries(inside)];
}

function writeContract(file: string, parsed: ParsedText): string[] {
  const document = createSource(file, parsed.root, (pointer) => ({ file, ...parsed.findPlace(parsePointer(pointer)) }));
  const { nodes, notes } = bundleFiles(document, file);
  const operations = readOperations(document, notes);
  const { requests, answers } = createCompilers({ document, nodes, notes, source: true });
  const [note] = notes.list();
  if (note !== undefined) throw new Error(`${file}: ${note.message}`);
  const ofRequests = operations.flatMap(listRequestSchemas);
  const inferred = inferResources({ document, operations });
  // Stored records are validated as records, wherever they come from.
  const ofRecords = inferred.resources.map(({ schemaPointer }) => schemaPointer);
  const ofItems = inferred.resources.flatMap(({ operations: roles }) =>
    roles.flatMap(({ success }) => success.recordPointer ?? []),
  );
  const ofFields = [...ofRecords, ...ofRequests].flatMap((pointer) =>
    readProperties(document, pointer).map(({ schemaPointer }) => schemaPointer),
  );
  const ofAnswers = [...operations.flatMap(listResponseSchemas), ERROR_SCHEMA];
  const validators = `return {\n${[
    `requests: ${writeSide(requests, ofRequests)}`,
    // The runner and the fixtures ask for request schemas too, as those of a value, and for those of single fields.
    `answers: ${writeSide(answers, [...ofAnswers, ...ofRecords, ...ofRequests, ...ofItems, ...ofFields])}`,
  ].join(',\n')} };`;
  return [`createValidators(require) {\n${validators}\n}`, `resources: ${JSON.stringify(writeInferred(inferred))}`];
}

function writeSide({ ajv }: Compiler, pointers: readonly string[]): string {
  const named = [...new Set(pointers)].map((pointer, index) => ({ pointer, name: `schema${index}` }));
  const code = loadAjvStandalone()(
    ajv,
    Object.fromEntries(named.map(({ pointer, name }) => [name, referTo(pointer).$ref])),
  );
  const list = named.map(({ pointer, name }) => `${JSON.stringify(pointer)}: exports.${name}`);
  return `((exports) => {\n${code}\nreturn { ${list.join(', ')} };\n})({})`;
}
