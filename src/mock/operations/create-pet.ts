import { encodePath } from '../../contract/operations/encode-path.js';
import { actOn } from '../../contract/gaps/gaps.js';
import { jsonBody } from '../../contract/document/json.js';
import type { ApiResponse, ResponseHeaders } from '../../contract/message.js';
import type { Operation } from '../../contract/model.js';
import { sampleValue } from '../../contract/schemas/sample.js';
import { startMoving } from './moving-status.js';
import { readPetOperations } from './pet-operations.js';
import type { NewPet } from '../store/pet.js';
import { findNameRefusal } from './name-limits.js';
import { createRefusal } from '../answer/refusals.js';
import type { World } from '../world/world.js';
import type { Call } from '../world/world.js';

/** `POST /pets` (`#/paths/~1pets/post`). */
export function createPet(call: Call): ApiResponse {
  const { operation, request, world } = call;
  const sent = call.body as Record<string, unknown>;
  const refused = findRefusal(sent, call) ?? findNameRefusal(sent['name'] as string, world.profile);
  if (refused !== undefined) return createRefusal(400, refused);
  const { status, mediaType } = readPetOperations(world.contract).create;
  const stored = world.store.add(assignFields(shapePet(sent, call), world));
  if (stored === undefined) return createRefusal(507, world.store.describeFull());
  startMoving(stored, world);
  const path = `${request.mountPath}${world.contract.basePath}${encodePath(operation.path)}/${stored.pet.id}`;
  return {
    status,
    headers: { 'Content-Type': mediaType, ...actOn(world.profile, 'location-header', LOCATION)(path) },
    // Most pets that are created are never listed, so the text is not kept with the pet.
    body: jsonBody(stored.pet),
  };
}

/** What a team's contract wants of a pet and no client need send is the service's to say. */
function assignFields(pet: NewPet, { contract, clock, store }: Pick<World, 'contract' | 'clock' | 'store'>): NewPet {
  const missing = readPetOperations(contract).create.assigned.filter(({ name }) => !Object.hasOwn(pet, name));
  if (missing.length === 0) return pet;
  const options = { now: clock.now(), index: store.size };
  const values = missing.map(({ name, schemaPointer }) => [
    name,
    sampleValue(contract.document, schemaPointer, options),
  ]);
  return { ...pet, ...(Object.fromEntries(values) as object) };
}

const LOCATION: Record<string, (path: string) => ResponseHeaders> = {
  sent: (path) => ({ Location: path }),
  absent: () => ({}),
};

const STATUS_WHEN_OMITTED: Record<string, string | undefined> = {
  absent: undefined,
  available: 'available',
  pending: 'pending',
  sold: 'sold',
};

const KEEPS_EXTRA_FIELDS: Record<string, boolean> = { dropped: false, kept: true, 'refused-400': false };

function shapePet(sent: Record<string, unknown>, { operation, world }: Call): NewPet {
  const keepsExtra = actOn(world.profile, 'extra-fields', KEEPS_EXTRA_FIELDS);
  const kept = Object.entries(sent).filter(([name]) => name !== 'id' && (keepsExtra || isKnown(name, operation)));
  const status = sent['status'] ?? actOn(world.profile, 'status-omitted', STATUS_WHEN_OMITTED);
  // `fromEntries` defines own properties, so a field called `__proto__` stays data.
  return Object.fromEntries(status === undefined ? kept : [...kept, ['status', status]]) as unknown as NewPet;
}

function isKnown(field: string, operation: Operation): boolean {
  return operation.requestBody?.fields.has(field) ?? false;
}

const REFUSED: Record<string, boolean> = {
  accepted: false,
  ignored: false,
  dropped: false,
  kept: false,
  'refused-400': true,
};

type Applies = (sent: Record<string, unknown>, call: Call) => boolean;

/** What a profile may refuse although the contract allows it, and how to tell. */
const REFUSABLE: { gap: string; message: string; applies: Applies }[] = [
  {
    gap: 'client-id',
    message: 'body/id must be absent, since the service assigns ids',
    applies: (sent) => Object.hasOwn(sent, 'id'),
  },
  {
    gap: 'extra-fields',
    message: 'body has fields that the contract does not define',
    applies: (sent, { operation }) => Object.keys(sent).some((name) => name !== 'id' && !isKnown(name, operation)),
  },
  { gap: 'empty-name', message: 'body/name must not be empty', applies: ({ name }) => name === '' },
  {
    gap: 'blank-name',
    message: 'body/name must not be blank',
    applies: ({ name }) => name !== '' && String(name).trim() === '',
  },
  {
    gap: 'negative-category',
    message: 'body/categoryId must not be negative',
    applies: ({ categoryId }) => (categoryId as number) < 0,
  },
  {
    gap: 'unknown-category',
    message: 'body/categoryId is not an existing category',
    applies: ({ categoryId }, { world }) => !world.store.hasCategory(categoryId as number),
  },
];

function findRefusal(sent: Record<string, unknown>, call: Call): string | undefined {
  return REFUSABLE.find(({ gap, applies }) => actOn(call.world.profile, gap, REFUSED) && applies(sent, call))?.message;
}
