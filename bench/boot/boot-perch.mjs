// Boots the application once with the built package. Prints the milliseconds that loading and booting took.
import { performance } from 'node:perf_hooks';
import { makeApplication } from './application.mjs';
import { report } from './report.mjs';

const start = performance.now();
const { Injectable, McpFactory, Module } = await import('perch-mcp');
const loaded = performance.now();
const root = makeApplication(Number(process.argv[2]), { Module, Injectable });
const made = performance.now();
const app = await McpFactory.create(root, { name: 'bench', version: '1.0.0', logger: false });
await app.init();
report({ load: loaded - start, boot: performance.now() - made, root: app.get(root) });
await app.close();
