import type { Contract } from '../../contract/contract.js';
import { asObject } from '../../contract/document/plain.js';
import { resolveAt } from '../../contract/document/references.js';
import type { Operation } from '../../contract/model.js';
import { findResponse } from '../../contract/operations/operations.js';
import { limitOf } from '../../contract/gaps/gaps-of-contract.js';
import type { SentRequest } from '../model/sent-request.js';
import type { Subject } from '../subjects/subject.js';
import type { StatusPattern } from '../model/scenario.js';

// Where a contract says what a check judges: a part of its own operations, whatever it calls them.

interface Asked {
  contract: Contract;
  sent: { operation: Operation | undefined };
}

/** What the contract says of the answers of an operation. */
export function pointerOf({ sent: { operation } }: Pick<Asked, 'sent'>): string | undefined {
  return operation === undefined ? undefined : `${operation.pointer}/responses`;
}

/** The schema of what an operation answers; that of its response, or the operation itself, if it has none. */
export function placeOfBody({ contract, sent }: Asked): string | undefined {
  const { operation } = sent;
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

/** Where the contract has the limit that a list was asked with, or the one that holds where none is asked for. */
export function placeOfLimit({ roles }: Subject, { query }: Pick<SentRequest, 'query'>): string | undefined {
  const limit = limitOf(roles);
  const isByDefault = limit?.schema['default'] !== undefined && query[limit.name] === undefined;
  return isByDefault && limit.schemaPointer !== undefined ? `${limit.schemaPointer}/default` : limit?.pointer;
}
