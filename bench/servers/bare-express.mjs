import express from 'express';
import { createPetstore } from './petstore.mjs';

const petstore = createPetstore();
const app = express();
app.get('/v1/pets', ({ query }, response) => void response.json(petstore.list(query.limit, query.status)));
app.get('/v1/pets/:id', ({ params }, response) => void response.json(petstore.get(params.id)));
app.post('/v1/pets', express.json(), ({ body }, response) => void response.status(201).json(petstore.add(body)));
app.listen(Number(process.argv[2]), '127.0.0.1');
