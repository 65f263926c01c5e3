import type { styleText } from 'node:util';

export type Style = (format: Parameters<typeof styleText>[0], text: string) => string;
