import { PetstoreMockError } from '../../errors.js';
import { loadAjv } from '../document/load-when-needed.js';

/** Throws a {@link PetstoreMockError} where Node was told not to make code from text, which is how Ajv makes validators. */
export function checkCodeGeneration(): void {
  const { Ajv2020 } = loadAjv();
  try {
    new Ajv2020({ logger: false }).compile({});
  } catch (error) {
    if (!(error instanceof EvalError)) throw error;
    throw new PetstoreMockError(
      'bad-option',
      'Node runs with --disallow-code-generation-from-strings, under which petstore-mock serves the contract that ships; --spec, --check, calls of the admin API with a body or parameters and petstore-conformance make validators first, so leave that flag out for them.',
    );
  }
}
