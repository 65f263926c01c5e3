import { createOutputGuard, createRunRedactor, type SecretOptions } from '../../conformance/list-secrets.js';

let secrets = makeGuards({});

function makeGuards(options: SecretOptions): { messages: Guard; formats: Guard } {
  return { messages: createRunRedactor(options), formats: createOutputGuard(options) };
}

type Guard = (text: string) => string;

/** Says what the program must not write from here on. */
export function keepSecret(options: SecretOptions): void {
  secrets = makeGuards(options);
}

/** A message without the secrets, which may quote what was typed or what came. */
export function hideSecrets(message: string): string {
  return secrets.messages(message);
}

/**
 * The last look at a report or a file before it leaves. Its texts were redacted when the result was made, so that
 * nothing is found here but by a mistake of ours.
 */
export function guardOutput(text: string): string {
  return secrets.formats(text);
}
