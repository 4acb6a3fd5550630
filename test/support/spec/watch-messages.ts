import type * as Lines from '../../../src/transport/line-transport';
import type * as Memory from '../../../src/transport/memory';
import { HAS_SCHEMAS } from './official-schema';
import { recordChildren } from './record-children';
import { recordHttp } from './record-http';
import { recordMemory } from './record-memory';
import { recordStreams } from './record-streams';
import { transcript } from './transcript';

/**
 * For every test file: what the server says, by whatever door, is held to the official JSON Schema of its revision, and the test in which a
 * message breaks it fails. What is said while a file's applications close counts for the test after it, or for the file.
 */
if (HAS_SCHEMAS) watchMessages();
else if (process.env['PERCH_REQUIRE_SPEC'] === '1') throw new Error('The official schemas are required, and PERCH_SPEC_DIR has none.');

function watchMessages(): void {
  jest.doMock('../../../src/transport/line-transport', () => {
    const actual = jest.requireActual<typeof Lines>('../../../src/transport/line-transport');
    const { start } = actual.LineTransport.prototype;
    actual.LineTransport.prototype.start = function (this: Lines.LineTransport) {
      const { input, output } = (this as unknown as { options: Lines.LineTransportOptions }).options;
      recordStreams(input, output, transcript.record);
      return start.call(this);
    };
    return actual;
  });
  jest.doMock('../../../src/transport/memory', () => {
    const actual = jest.requireActual<typeof Memory>('../../../src/transport/memory');
    return {
      ...actual,
      openMemory: (...args: Parameters<typeof actual.openMemory>) => {
        const connection = actual.openMemory(...args);
        recordMemory(connection.client, transcript.record);
        return connection;
      },
    };
  });
  const children = recordChildren(transcript.record);
  const stopHttp = recordHttp(transcript.record);
  transcript.addSource(children.take);
  afterEach(check);
  afterAll(() => {
    stopHttp();
    check();
    children.stop();
  });
}

function check(): void {
  const problems = transcript.takeProblems();
  if (problems.length === 0) return;
  throw new Error(`The server said what the specification does not allow:\n${[...new Set(problems)].slice(0, 10).join('\n')}`);
}
