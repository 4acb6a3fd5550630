// Boots the application once with NestJS. Prints the milliseconds that loading and booting took.
import { performance } from 'node:perf_hooks';
import { makeApplication } from './application.mjs';
import { report } from './report.mjs';

const start = performance.now();
const [{ Injectable, Module }, { NestFactory }] = await Promise.all([import('@nestjs/common'), import('@nestjs/core')]);
const loaded = performance.now();
const root = makeApplication(Number(process.argv[2]), { Module, Injectable });
const made = performance.now();
const app = await NestFactory.createApplicationContext(root, { logger: false });
report({ load: loaded - start, boot: performance.now() - made, root: app.get(root) });
await app.close();
