import express from 'express';
import { listAnimals } from './animals.mjs';

const app = express();
app.get('/v1/pets', (request, response) => {
  response.json(listAnimals(request.query.limit, request.query.status));
});
app.listen(Number(process.argv[2]), '127.0.0.1');
