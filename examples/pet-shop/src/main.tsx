import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createApi } from './api.js';
import { PetShop } from './pet-shop.js';
import './style.css';

const root = document.querySelector('#root');
if (root === null) throw new Error('the page has no #root');
createRoot(root).render(
  <StrictMode>
    <PetShop api={createApi({ baseUrl: '/api/v1', key: import.meta.env['VITE_PETSTORE_KEY'] })} />
  </StrictMode>,
);
