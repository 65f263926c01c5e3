import { defaultOf, listFrom, type OptionDeclaration, type Options } from './define-options.js';

/** The JSON Schema of the options that a config file may contain. */
export function describeOptions(options: Options): Record<string, object> {
  return Object.fromEntries(listFrom(options, 'file').map(([name, option]) => [name, describeOption(option)]));
}

export function describeOption(option: OptionDeclaration): object {
  const { rule, otherwise = defaultOf(option), examples } = option;
  return {
    description: describeInWords(option),
    ...rule.schema,
    ...(rule.accepts(otherwise) ? { default: otherwise } : {}),
    ...(examples === undefined ? {} : { examples }),
  };
}

/** `<seconds>` is a unit, so the help shows it. */
const UNIT = /^<(seconds|percent|MiB)>$/;

function describeInWords(option: OptionDeclaration): string {
  const { help, details, value = '', rule, default: filledIn, otherwise = filledIn } = option;
  const text = (details ?? help).replace(/\.$/, '');
  const relative = rule.isPath === true ? '; relative to this file' : '';
  const unit = details === undefined && UNIT.test(value) ? ` In ${value.slice(1, -1)}.` : '';
  const isValue: boolean = rule.accepts(otherwise);
  const inWords = otherwise === undefined || isValue ? '' : ` Default: ${otherwise}.`;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${relative}.${unit}${inWords}`;
}
