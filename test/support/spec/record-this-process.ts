import { appendFileSync } from 'node:fs';
import { recordHttp } from './record-http';

// Loaded by a child process before its program.
const file = process.env['TRANSCRIPT_FILE'];
if (file !== undefined) recordHttp((line) => appendFileSync(file, `${JSON.stringify(line)}\n`));
