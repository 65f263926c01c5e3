import type { ValidateFunction } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import { checkSchemas, findFaultySchema, unusableSchema } from './check-schemas.js';
import { relaxRequired } from './direction.js';
import type { SourceDocument } from '../document/document.js';
import { createExactNumberKeyword } from './exact-number-keyword.js';
import { FILES } from '../document/file-pointers.js';
import { loadAjv } from '../document/load-when-needed.js';
import { addFormats } from './formats.js';
import { createPattern } from './pattern.js';
import { listSchemas, namesInherited, prepareSchemas, PREPARED, referTo } from './schemas.js';
import { SOURCE_POINTER } from './violation.js';

/** Compiles the schemas of one side, each once. */
export interface Compiler {
  ajv: Ajv2020;
  /** Throws a `PetstoreMockError` with file and line for a schema that is none. */
  compile(pointer: string): ValidateFunction;
}

/** The compilers of what is sent and of what is answered: one and the same, unless properties are read only or write only. */
export interface Compilers {
  requests: Compiler;
  answers: Compiler;
  /** Throws a `PetstoreMockError` with the place of the first schema that is none. */
  checkSchemas(): void;
}

/** `source` keeps the code of what is compiled, so that it can be written to a file. */
export function createCompilers(document: SourceDocument, { source = false } = {}): Compilers {
  const prepared = prepareSchemas(document.root);
  const answers = createCompiler(document, relaxRequired(prepared, 'writeOnly') ?? prepared, source);
  const relaxed = relaxRequired(prepared, 'readOnly');
  const requests = relaxed === undefined ? answers : createCompiler(document, relaxed, source);
  return { requests, answers, checkSchemas: () => checkSchemas(answers.ajv, document, prepared) };
}

function createCompiler(document: SourceDocument, prepared: Record<string, unknown>, source: boolean): Compiler {
  const ajv = createAjv(prepared, source);
  const compiled = new Map<string, ValidateFunction>();
  return {
    ajv,
    compile(pointer) {
      const known = compiled.get(pointer);
      if (known !== undefined) return known;
      const validate = compileAt(ajv, document, prepared, pointer);
      compiled.set(pointer, validate);
      return validate;
    },
  };
}

/** Fields of an OpenAPI document; no rules, named so that Ajv's strict mode can name a mistyped keyword. */
const OPENAPI_FIELDS = [
  'openapi',
  'info',
  'jsonSchemaDialect',
  'servers',
  'paths',
  'webhooks',
  'components',
  'security',
  'tags',
  'externalDocs',
  FILES,
];

/** `code` is for what is written to a file. */
const REG_EXP = Object.assign(createPattern, { code: 'createPattern' });

function createAjv(prepared: Record<string, unknown>, source: boolean): Ajv2020 {
  const { Ajv2020 } = loadAjv();
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    strictTypes: false,
    strictTuples: false,
    validateSchema: false,
    // Asking whether a property is the object's own costs half as much again, so only where it could be another.
    ownProperties: namesInherited(prepared),
    // What ships is written to a file, and has none that could take long.
    code: source ? { source } : { regExp: REG_EXP },
  });
  addFormats(ajv);
  // A format that nobody knows is an annotation (JSON Schema 2020-12 validation, section 7.2.3).
  for (const { format } of listSchemas(prepared)) {
    if (typeof format === 'string' && ajv.formats[format] === undefined) ajv.addFormat(format, true);
  }
  ajv.addVocabulary([...OPENAPI_FIELDS, SOURCE_POINTER]);
  ajv.addKeyword(createExactNumberKeyword());
  ajv.addSchema(prepared, PREPARED, false, false);
  return ajv;
}

function compileAt(ajv: Ajv2020, document: SourceDocument, prepared: unknown, pointer: string): ValidateFunction {
  try {
    return ajv.compile(referTo(pointer));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw unusableSchema(document, findFaultySchema(ajv, prepared) ?? pointer, `${error.message}.`);
  }
}
