import type { Contract } from '../../../contract/contract.js';
import type { SecurityScheme } from '../../../contract/model.js';
import { describeScheme } from '../../../contract/security.js';
import { asksNowhere } from './choose-security.js';

const MOST = 3;

/**
 * What the contract asks for, and the flag that gives it: a sentence with a full stop for each scheme; empty where it asks
 * for nothing.
 */
export function describeSchemes(contract: Contract): string {
  const { operations, security, securitySchemes } = contract;
  const asked = [security, ...operations.map((each) => each.security)].flat(2).map(({ name }) => name);
  const names = new Set(asksNowhere(contract) ? securitySchemes.map(({ name }) => name) : asked);
  const schemes = securitySchemes.filter(({ name }) => names.has(name));
  return schemes.slice(0, MOST).map(describeOne).join(' ');
}

function describeOne(scheme: SecurityScheme): string {
  const value = scheme.kind === 'basic' ? '<user:password>' : '<key>';
  const orKey = scheme.kind === 'basic' ? '' : 'PETSTORE_API_KEY, or ';
  return `${scheme.name} is sent as ${describeScheme(scheme)}: ${orKey}--credential ${scheme.name}=${value}.`;
}
