import { indexEntries, listEntries, type IdOf, type Registered } from '../server/registry.js';
import { answerVariants } from './answers.js';
import { collectionVariants } from './collections.js';
import { creationVariants } from './creation.js';
import { keyAndPathVariants } from './keys-and-paths.js';
import { oddRequestVariants } from './odd-requests.js';
import { orderAndIdVariants } from './orders-and-ids.js';
import { parameterVariants } from './parameters.js';
import { timeVariants } from './time.js';
import { transportVariants } from './transport.js';
import type { Variant } from './variant.js';

/** The legal servers by group. */
const groups = {
  collections: collectionVariants,
  'orders-and-ids': orderAndIdVariants,
  'odd-requests': oddRequestVariants,
  parameters: parameterVariants,
  creation: creationVariants,
  answers: answerVariants,
  transport: transportVariants,
  time: timeVariants,
  'keys-and-paths': keyAndPathVariants,
} satisfies Record<string, Record<string, Variant>>;

export type VariantGroup = keyof typeof groups;
export type VariantId = IdOf<typeof groups>;
export type RegisteredVariant = Registered<Variant, VariantGroup>;

/** Every variant in order of its group. */
export const variantList: readonly RegisteredVariant[] = listEntries<Variant, VariantGroup>(groups);

/** Every variant by its id. */
export const variants = indexEntries<VariantId, RegisteredVariant>(variantList);
