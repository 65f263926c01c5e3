import type { Contract } from '../../contract/contract.js';
import { asObject } from '../../contract/document/plain.js';
import { resolveAt } from '../../contract/document/references.js';
import type { Operation } from '../../contract/model.js';
import { findResponse } from '../../contract/operations/operations.js';
import { readProperties } from '../../contract/operations/properties.js';
import type { StatusPattern } from '../model/scenario.js';
import { isOfPetstore } from '../../contract/resources/plain-roles.js';

// Where a contract says what a check judges: a part of its own operations, whatever it calls them.

interface Asked {
  contract: Contract;
  sent: { operation: Operation | undefined };
}

/** The schema of what an operation answers; that of its response, or the operation itself, if it has none. */
export function placeOfBody({ contract, sent }: Asked): string | undefined {
  const operation = sent.operation ?? contract.operations.find(isOfPetstore);
  const success = operation?.responses.find(({ status }) => status.startsWith('2'));
  const schema = success?.content.find(({ schemaPointer }) => schemaPointer !== undefined)?.schemaPointer;
  if (schema === undefined) return success?.pointer ?? operation?.pointer;
  return resolveAt(contract.document, schema).pointer;
}

/** The schema of one record in what an operation answers, which may be a list of them. */
export function placeOfRecord(asked: Asked): string | undefined {
  const { document } = asked.contract;
  const body = placeOfBody(asked);
  if (body === undefined) return undefined;
  const isList = asObject(document.at(body))['items'] !== undefined;
  return isList ? resolveAt(document, `${body}/items`).pointer : body;
}

/** The schema of a field of such a record. */
export function placeOfField(asked: Asked, field: string): string | undefined {
  const record = placeOfRecord(asked);
  const fields = record === undefined ? [] : readProperties(asked.contract.document, record);
  return fields.find(({ name }) => name === field)?.schemaPointer ?? record;
}

export function placeOfParameter({ sent: { operation } }: Pick<Asked, 'sent'>, name: string): string | undefined {
  return operation?.parameters.find((each) => each.name === name)?.pointer ?? operation?.pointer;
}

/** What an operation says of answers with a status. */
export function placeOfResponse(operation: Operation | undefined, status: number): string | undefined {
  return operation === undefined ? undefined : (findResponse(operation, status)?.pointer ?? operation.pointer);
}

/** Where an operation lists its answer with a status, or its answers, if it has none with that; a reference may be there. */
export function placeOfStatus(operation: Operation, status: number, { document }: Pick<Contract, 'document'>): string {
  const responses = `${operation.pointer}/responses`;
  const stated = findResponse(operation, status)?.status ?? '';
  const own = [stated, stated.toLowerCase()].map((each) => `${responses}/${each}`);
  return [...own, responses, operation.pointer].find((each) => document.at(each) !== undefined) ?? '';
}

/**
 * Where the contract says which status was due: the first of those that the operation has by itself; of keys, what asks for
 * one.
 */
export function placeOfDue(
  expected: readonly StatusPattern[],
  { contract, sent }: Asked & { sent: { authorized: boolean } },
): string {
  const { operation } = sent;
  const due = expected.find((each) => operation?.responses.some(({ status }) => status === String(each).toUpperCase()));
  if (operation === undefined) return '';
  if (due !== undefined) return placeOfStatus(operation, Number(String(due).replace(/XX$/i, '00')), contract);
  const security = [`${operation.pointer}/security`, '/security'].find(
    (each) => contract.document.at(each) !== undefined,
  );
  return sent.authorized || security === undefined ? `${operation.pointer}/responses` : security;
}

/** An operation that another one's answer tells something of. */
export function findOperation({ operations }: Pick<Contract, 'operations'>, id: string): Operation | undefined {
  return operations.find((each) => each.id === id);
}
