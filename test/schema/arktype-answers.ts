import { type } from 'arktype';
import { refusals, inputOf, valueOf } from './dto';

// Runs in a process of its own: arktype is an ES module, which jest's loader cannot require.
const source = type({ name: 'string <= 3', 'times?': 'number.integer >= 1' });
const nested = type({ a: { b: 'number <= 5' } });
const answers = {
  schema: inputOf(source).schema,
  accepted: valueOf(source, { name: 'abc' }),
  refused: [{ name: 'abcd' }, { name: 5 }, {}, { name: 5, times: '1' }].map((raw) => refusals(source, raw)),
  nested: refusals(nested, { a: { b: 9 } }),
  union: inputOf(type({ a: 'string' }).or({ b: 'number' })).schema,
};
process.stdout.write(JSON.stringify(answers));
