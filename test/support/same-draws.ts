import * as fc from 'fast-check';

/**
 * What property tests draw is the same in every run, so that a change is judged by what it changed.
 * `PETSTORE_TESTS_SEED` draws something else: any integer.
 */
fc.configureGlobal({ seed: Number(process.env['PETSTORE_TESTS_SEED'] ?? 1) });
