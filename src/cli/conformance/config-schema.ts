import { describeOption, describeOptions } from '../options/describe-options.js';
import { TEXT } from './options/option-rules.js';
import { OPTIONS } from './options.js';

/** The JSON Schema of the runner's config file: its options, and targets, each of which may have them too. */
export function createConfigSchema(): object {
  const { target, ...options } = describeOptions(OPTIONS);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'https://unpkg.com/petstore-mock/spec/petstore-conformance.config.schema.json',
    title: 'Options and targets of petstore-conformance',
    description:
      'The file petstore-conformance.yaml, which is read from the working directory or given with --config. Flags and environment variables take precedence.',
    type: 'object',
    $ref: '#/$defs/options',
    unevaluatedProperties: false,
    properties: {
      $schema: { description: 'Where this schema is, for editors.', type: 'string' },
      target,
      targets: {
        description:
          'Targets by name, for --target; the settings of a target take precedence over those beside `targets`.',
        type: 'object',
        additionalProperties: { $ref: '#/$defs/target' },
      },
    },
    $defs: {
      target: {
        type: 'object',
        $ref: '#/$defs/options',
        required: ['url'],
        unevaluatedProperties: false,
        properties: {
          url: describeOption({
            help: 'the base URL with its version segment, without credentials',
            rule: TEXT,
          }),
        },
      },
      options: { type: 'object', properties: options },
    },
  };
}
