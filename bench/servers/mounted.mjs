import express from 'express';
import { createPetstoreApp } from '../../dist/index.js';

express().use(createPetstoreApp()).listen(Number(process.argv[2]), '127.0.0.1');
