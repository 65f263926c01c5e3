/** What openapi-typescript makes of the contract, without comments and formatted; generated-client.slow.test.ts compares. */
export interface paths {
  '/pets': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: operations['listPets'];
    put?: never;
    post: operations['createPet'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/pets/{petId}': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: operations['getPet'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    NewPet: { name: string; categoryId: number; status?: components['schemas']['PetStatus'] };
    Pet: components['schemas']['NewPet'] & { id: number };
    Pets: components['schemas']['Pet'][];
    PetStatus: 'available' | 'pending' | 'sold';
    Error: { code: string; message: string; status: number };
  };
  responses: {
    Unauthorized: {
      headers: { [name: string]: unknown };
      content: { 'application/json': components['schemas']['Error'] };
    };
    ClientError: {
      headers: { [name: string]: unknown };
      content: { 'application/json': components['schemas']['Error'] };
    };
    ServerError: {
      headers: { [name: string]: unknown };
      content: { 'application/json': components['schemas']['Error'] };
    };
  };
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  listPets: {
    parameters: {
      query?: { limit?: number; status?: components['schemas']['PetStatus'] };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['Pets'] } };
      401: components['responses']['Unauthorized'];
      '4XX': components['responses']['ClientError'];
      '5XX': components['responses']['ServerError'];
    };
  };
  createPet: {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody: { content: { 'application/json': components['schemas']['NewPet'] } };
    responses: {
      201: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['Pet'] } };
      400: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['Error'] } };
      401: components['responses']['Unauthorized'];
      '4XX': components['responses']['ClientError'];
      '5XX': components['responses']['ServerError'];
    };
  };
  getPet: {
    parameters: { query?: never; header?: never; path: { petId: number }; cookie?: never };
    requestBody?: never;
    responses: {
      200: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['Pet'] } };
      401: components['responses']['Unauthorized'];
      404: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['Error'] } };
      '4XX': components['responses']['ClientError'];
      '5XX': components['responses']['ServerError'];
    };
  };
}
