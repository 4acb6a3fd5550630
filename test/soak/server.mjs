// The application of a soak in a process of its own, on every transport that it is told to open.
import { answerParent } from './answer-parent.mjs';
import { counts, create } from './application.mjs';

const { SOAK_TRANSPORTS = 'stdio', SOAK_SOCKET } = process.env;
const transports = SOAK_TRANSPORTS.split(',');
const app = await create();
await app.listen({ transports, port: 0, ...(transports.includes('uds') ? { socketPath: SOAK_SOCKET } : {}) });
answerParent({ counts, url: app.handles.find(({ mode }) => mode === 'http')?.url });
