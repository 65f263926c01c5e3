/** How UUIDs begin that a run makes: they have no place for its mark. */
export const OWN_UUID = '00000000-0000-4000-8000-0000';
