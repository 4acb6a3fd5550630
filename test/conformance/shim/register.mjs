// Lets the official referee load on Node 20: node --import ./test/conformance/shim/register.mjs <referee>
// The referee imports `globSync` from 'fs' by name, which only Node 22 exports, so that loading it fails before a scenario is chosen.
import { register } from 'node:module';

register('./hooks.mjs', import.meta.url);
