export const PETSTORE_PORT = process.env['PETSTORE_PORT'] ?? '4010';
export const PAGE_PORT = process.env['PAGE_PORT'] ?? '4173';
export const ADMIN_URL = `http://127.0.0.1:${PETSTORE_PORT}/__admin`;
