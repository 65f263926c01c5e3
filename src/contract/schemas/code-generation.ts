import { PetstoreMockError } from '../../errors.js';
import { loadAjv } from '../document/load-when-needed.js';

/** Throws a {@link PetstoreMockError} if Node was told not to make code from text, which is how Ajv makes validators. */
export function checkCodeGeneration(): void {
  const { Ajv2020 } = loadAjv();
  try {
    new Ajv2020({ logger: false, meta: false, validateSchema: false }).compile({});
  } catch (error) {
    if (!(error instanceof EvalError)) throw error;
    throw new PetstoreMockError(
      'bad-option',
      'Node runs with --disallow-code-generation-from-strings. Under that flag petstore-mock can only serve the shipped contract; --spec, --check, petstore-conformance and admin calls with a body or parameters must compile validators first, so run them without it.',
    );
  }
}
