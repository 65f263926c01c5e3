import { createOutputGuard, createRunRedactor, type SecretOptions } from '../../conformance/run/redact/list-secrets.js';

let secrets = makeGuards({});

function makeGuards(options: SecretOptions): { messages: Guard; formats: Guard } {
  return { messages: createRunRedactor(options), formats: createOutputGuard(options) };
}

type Guard = (text: string) => string;

/** Sets what the program must not write from now on. */
export function keepSecret(options: SecretOptions): void {
  secrets = makeGuards(options);
}

/** Removes the secrets from a message, which may quote input or answers. */
export function hideSecrets(message: string): string {
  return secrets.messages(message);
}

/**
 * The last check of a report or a file before it leaves. Its texts were redacted when the result was made, so
 * it finds something only if we made a mistake.
 */
export function guardOutput(text: string): string {
  return secrets.formats(text);
}
