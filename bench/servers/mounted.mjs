import express from 'express';
import { createPetstoreApp } from '../../dist/index.js';

const [port, fixtures] = process.argv.slice(2);
express()
  .use(createPetstoreApp(fixtures === undefined ? {} : { fixtures }))
  .listen(Number(port), '127.0.0.1');
