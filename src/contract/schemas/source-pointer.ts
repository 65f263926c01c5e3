/** The annotation that compiled schemas carry: the pointer at which the schema stands in the contract. */
export const SOURCE_POINTER = '$source';
