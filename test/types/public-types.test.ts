import { createServer } from 'node:http';
import type * as Api from '../../src/index.js';
import express from 'express';
import request from 'supertest';
import { describe, expectTypeOf, test } from 'vitest';
import {
  createPetstoreApp,
  startPetstoreMock,
  type DelayRange,
  type Exchange,
  type Int64,
  type ListeningOptions,
  type NewPet,
  type Pet,
  type PetstoreApp,
  type PetstoreMock,
  type PetstoreOptions,
  type PetStatus,
  type Requests,
  type Violation,
} from '../../src/index.js';

// `tsc` judges these; they do nothing when run.
describe('the public types', () => {
  test('options may all be left out, and be undefined', () => {
    expectTypeOf<{}>().toExtend<ListeningOptions>();
    expectTypeOf<{ port: undefined }>().toExtend<ListeningOptions>();
    expectTypeOf<ListeningOptions>().toEqualTypeOf<{
      port?: number | undefined;
      host?: string | undefined;
      spec?: string | undefined;
      fixtures?: string | undefined;
      count?: number | undefined;
      seed?: number | undefined;
      profile?: string | Api.PetstoreProfile | undefined;
      apiKey?: string | readonly string[] | undefined;
      credentials?: Readonly<Record<string, string | readonly string[]>> | undefined;
      maxPets?: number | undefined;
      delay?: number | DelayRange | undefined;
      cors?: boolean | undefined;
      faults?: readonly Api.Fault[] | undefined;
      now?: Api.DateLike | undefined;
      maxWorlds?: number | undefined;
      maxMemory?: number | undefined;
      allowOutsideRefs?: boolean | undefined;
      allowRemoteRefs?: boolean | undefined;
      allowPrivateHosts?: boolean | undefined;
      prism?: boolean | undefined;
      resources?: string | undefined;
      handlers?: Api.OwnHandlers | undefined;
      adminToken?: string | undefined;
      admin?: boolean | undefined;
      drain?: number | undefined;
      data?: string | undefined;
      dataSync?: boolean | undefined;
      dataRepair?: boolean | undefined;
      shared?: string | undefined;
    }>();
    expectTypeOf<keyof PetstoreOptions>().toEqualTypeOf<
      Exclude<
        keyof ListeningOptions,
        'port' | 'host' | 'admin' | 'drain' | 'data' | 'dataSync' | 'dataRepair' | 'shared'
      >
    >();
    expectTypeOf<DelayRange>().toEqualTypeOf<{ from: number; to: number }>();
  });

  test('an option that there is not, or of another type, is an error', () => {
    expectTypeOf<{ prot: number }>().not.toExtend<ListeningOptions>();
    expectTypeOf<{ port: string }>().not.toExtend<ListeningOptions>();
    // @ts-expect-error there is no such option
    void (() => startPetstoreMock({ prot: 1 }));
    // @ts-expect-error an app has no port
    void (() => createPetstoreApp({ port: 1 }));
  });

  test('startPetstoreMock resolves to a mock', () => {
    expectTypeOf(startPetstoreMock).parameters.toEqualTypeOf<[options?: ListeningOptions | undefined]>();
    expectTypeOf(startPetstoreMock).returns.toEqualTypeOf<Promise<PetstoreMock>>();
    expectTypeOf<PetstoreMock>().toExtend<AsyncDisposable>();
    expectTypeOf<PetstoreMock['url']>().toEqualTypeOf<string>();
    expectTypeOf<PetstoreMock['close']>().toEqualTypeOf<() => Promise<void>>();
    expectTypeOf<PetstoreMock['reset']>().toEqualTypeOf<() => Promise<void>>();
    expectTypeOf<PetstoreMock['requests']>().toEqualTypeOf<Requests>();
  });

  test('createPetstoreApp gives what Express, Node and supertest take', () => {
    expectTypeOf(createPetstoreApp).returns.toEqualTypeOf<PetstoreApp>();
    void (() => express().use('/api', createPetstoreApp()));
    void (() => createServer(createPetstoreApp()));
    void (() => request(createPetstoreApp()));
  });

  test('pets have the fields of the contract', () => {
    expectTypeOf<Int64>().toEqualTypeOf<number | bigint>();
    expectTypeOf<PetStatus>().toEqualTypeOf<'available' | 'pending' | 'sold'>();
    expectTypeOf<NewPet>().toEqualTypeOf<{ name: string; categoryId: Int64; status?: PetStatus }>();
    expectTypeOf<Pet>().toExtend<NewPet>();
    expectTypeOf<Pet['id']>().toEqualTypeOf<Int64>();
    expectTypeOf<{ name: string }>().not.toExtend<NewPet>();
  });

  test('an id is a number by the one call that the README names', () => {
    const toNumber = (pet: Pet): number => Number(pet.id);
    expectTypeOf(toNumber).returns.toEqualTypeOf<number>();
    // @ts-expect-error past 2^53 it is a bigint, and a number would not be exact
    void ((pet: Pet): number => pet.id);
  });

  test('pets are reached by methods that resolve', () => {
    expectTypeOf<PetstoreMock['pets']>().toEqualTypeOf<PetstoreApp['pets']>();
    expectTypeOf<Api.Pets['list']>().toEqualTypeOf<(filter?: { status?: PetStatus }) => Promise<Readonly<Pet>[]>>();
    expectTypeOf<Api.Pets['get']>().toEqualTypeOf<(id: Int64) => Promise<Readonly<Pet> | undefined>>();
    expectTypeOf<Api.Pets['add']>().toEqualTypeOf<(pet: NewPet) => Promise<Readonly<Pet>>>();
    expectTypeOf<Api.Pets['clear']>().toEqualTypeOf<() => Promise<void>>();
    expectTypeOf<Api.Pets['count']>().toEqualTypeOf<() => Promise<number>>();
  });

  test('requests are exchanges with what was wrong in them', () => {
    expectTypeOf<Requests['list']>().returns.resolves.toEqualTypeOf<Exchange[]>();
    expectTypeOf<Exchange['violations']>().toEqualTypeOf<readonly Violation[]>();
    expectTypeOf<Exchange['atFault']>().toEqualTypeOf<'client' | 'mock' | undefined>();
    expectTypeOf<Api.ErrorCode>().toExtend<string>();
    expectTypeOf<Api.PetstoreMockError>().toExtend<Error>();
  });

  test('the rest has the shape that it is documented with', () => {
    expectTypeOf<Api.SourcePlace>().toHaveProperty('file');
    expectTypeOf<Api.ContractPlace>().toExtend<Api.SourcePlace>();
    expectTypeOf<Api.MessagePart>().toEqualTypeOf<'path' | 'query' | 'header' | 'cookie' | 'body' | 'status'>();
    expectTypeOf<Api.Side>().toEqualTypeOf<'client' | 'mock'>();
    expectTypeOf<{ operationId: string; method: string; status: number }>().toExtend<Api.RequestFilter>();
    expectTypeOf<PetstoreMock>().toExtend<Api.PetstoreWorlds>();
    expectTypeOf<PetstoreApp>().toExtend<Api.PetstoreWorlds>();
    expectTypeOf<Api.NamedWorld>().toExtend<Api.PetstoreWorld>();
  });
});
