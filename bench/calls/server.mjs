import { answerParent } from '../answer-parent.mjs';
import { create } from './application.mjs';

await answerParent(await create(process.argv[2]));
