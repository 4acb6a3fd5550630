import { answerParent } from '../answer-parent.mjs';
import { create } from './classes.mjs';

const [, , kind, withInput] = process.argv;
await answerParent(await create(kind, 1, withInput === 'true'));
