import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv';
import type { OpenApiNode } from '../document/openapi-nodes.js';
import type { SourceDocument } from '../document/document.js';
import { loadAjv } from '../document/load-when-needed.js';
import type { Notes } from '../document/notes.js';
import { readDialect } from './dialect.js';
import { relaxRequired } from './direction.js';
import { createExactNumberKeyword } from './exact-number-keyword.js';
import { checkCodeGeneration } from './code-generation.js';
import { addFormats } from './formats.js';
import { createContractPattern } from './patterns/pattern.js';
import { listSchemas, namesInherited, prepareSchemas, PREPARED, referTo, type PreparedSchema } from './schemas.js';
import { SOURCE_POINTER } from './source-pointer.js';
import { boundSteps, createStepsKeyword, limitWays, markCircles } from './steps.js';
import { createUniqueItemsKeyword } from './unique-items.js';

/** Compiles the schemas of one side, each once. */
export interface Compiler {
  ajv: Ajv2020;
  /** A schema that cannot be compiled allows anything, and a note says so. */
  compile(pointer: string): ValidateFunction;
}

/**
 * The compilers for requests and for answers: the same one, unless some properties are read-only or write-only. Each is
 * made when it is first needed, since one takes seconds for a document of 47 MB.
 */
export interface Compilers {
  readonly requests: Compiler;
  readonly answers: Compiler;
}

export interface CompilersOptions {
  document: SourceDocument;
  nodes: readonly OpenApiNode[];
  notes: Notes;
  /** Keeps the code of what is compiled, so that it can be written to a file. Default: `false`. */
  source?: boolean;
}

export function createCompilers(options: CompilersOptions): Compilers {
  const prepared = prepareSchemas(options.nodes, readDialect(options.document.root));
  const schemas = listSchemas(prepared);
  const marks = (mark: 'readOnly' | 'writeOnly'): Record<string, unknown> | undefined =>
    schemas.some((schema) => schema[mark] === true) ? relaxRequired(prepared, mark) : undefined;
  let plain: Compiler | undefined;
  const createSide = (mark: 'readOnly' | 'writeOnly'): Compiler => {
    const relaxed = marks(mark);
    if (relaxed !== undefined) return createCompiler(relaxed, schemas, options);
    return (plain ??= createCompiler(prepared, schemas, options));
  };
  const made: { -readonly [side in keyof Compilers]?: Compiler } = {};
  return {
    get requests() {
      return (made.requests ??= createSide('readOnly'));
    },
    get answers() {
      return (made.answers ??= createSide('writeOnly'));
    },
  };
}

function createCompiler(
  prepared: Record<string, unknown>,
  schemas: readonly PreparedSchema[],
  { document, notes, source = false }: CompilersOptions,
): Compiler {
  // The shipped contract is written to a file, and has no schema that contains itself.
  if (!source)
    limitWays(prepared, schemas, (schema) => {
      const at = schema[SOURCE_POINTER];
      notes.add(
        typeof at === 'string' ? at : '',
        'too many other schemas apply to one value here (allOf, oneOf, $ref); they are ignored.',
      );
    });
  const isCircular = !source && markCircles(prepared);
  const ajv = createAjv(prepared, schemas, source);
  const compiled = new Map<string, ValidateFunction>();
  return {
    ajv,
    compile(pointer) {
      const known = compiled.get(pointer);
      if (known !== undefined) return known;
      const compiledOne = compileAt(ajv, document, pointer, notes);
      const validate = isCircular ? boundSteps(compiledOne) : compiledOne;
      compiled.set(pointer, validate);
      return validate;
    },
  };
}

/** `code` is for validators that are written to a file. */
const REG_EXP = Object.assign(createContractPattern, { code: 'createContractPattern' });

/**
 * The code of a reference copies all errors so far for each one that it adds, which takes the square of their number:
 * minutes for a list of a megabyte.
 */
function joinInPlace(code: string): string {
  return code.replaceAll(
    /vErrors === null \? ([\w.]+)\.errors : vErrors\.concat\(\1\.errors\)/g,
    'vErrors === null ? $1.errors : $1.errors.reduce((all, each) => (all.push(each), all), vErrors)',
  );
}

function createAjv(prepared: Record<string, unknown>, schemas: readonly PreparedSchema[], source: boolean): Ajv2020 {
  checkCodeGeneration();
  const { Ajv2020 } = loadAjv();
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    // Whatever is not a rule was left out, and noted, when the schemas were prepared.
    strict: false,
    validateSchema: false,
    // Checking for own properties costs half as much again, so it is done only where a property could be inherited.
    ownProperties: namesInherited(schemas),
    logger: false,
    // Large documents compile in a fifth of the time and the memory when each schema is a function of its own.
    inlineRefs: source,
    // The shipped contract is written to a file, and has no pattern that could take long.
    code: source ? { source } : { optimize: false, regExp: REG_EXP, process: joinInPlace },
  });
  addFormats(ajv);
  // An unknown format is an annotation (JSON Schema 2020-12 validation, section 7.2.3).
  for (const format of new Set(schemas.map((schema) => schema['format']))) {
    if (typeof format === 'string' && ajv.formats[format] === undefined) ajv.addFormat(format, true);
  }
  ajv.addVocabulary([SOURCE_POINTER, 'discriminator']);
  ajv.addKeyword(createExactNumberKeyword());
  ajv.removeKeyword('uniqueItems').addKeyword(createUniqueItemsKeyword()).addKeyword(createStepsKeyword());
  ajv.addSchema(prepared, PREPARED, false, false);
  return ajv;
}

function compileAt(ajv: Ajv2020, document: SourceDocument, pointer: string, notes: Notes): ValidateFunction {
  const schema = document.at(pointer);
  // A schema that allows everything or nothing has no place of its own among the prepared schemas.
  if (typeof schema !== 'object') return ajv.compile(schema !== false);
  try {
    return ajv.compile(referTo(pointer));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // The one of these that Ajv throws is an overflow of the stack.
    const why = error instanceof RangeError ? 'what it refers to is nested too deeply' : error.message;
    notes.add(pointer, `this schema cannot be used: ${why}; any value is accepted there.`);
    return ajv.compile(true);
  }
}
