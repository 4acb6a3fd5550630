import type { PromptMessage, PromptResult } from '../contracts/prompt';
import { faultOfPrompt } from './content-faults';
import { plainJson } from './protocol-operation';
import { ResultMismatch, wellFormed } from './to-tool-result';

/** Turns what `get` returned into a prompt made of plain JSON. Throws when the value is no prompt, or cannot be serialised. */
export function toPromptResult(value: unknown): PromptResult {
  if (typeof value === 'string') return { messages: [{ role: 'user', content: { type: 'text', text: value } }] };
  const result: unknown = Array.isArray(value) ? { messages: value } : value;
  if (!isPrompt(result)) throw new ResultMismatch(['a prompt is a string, a list of { role, content }, or an object with such messages']);
  const { resultType: _, ...prompt } = plainJson<PromptResult & { resultType?: unknown }>(result);
  return wellFormed(prompt, faultOfPrompt);
}

function isPrompt(value: unknown): value is PromptResult {
  const messages: unknown = (value as { messages?: unknown } | null | undefined)?.messages;
  return Array.isArray(messages) && messages.every(isMessage);
}

function isMessage(value: unknown): value is PromptMessage {
  if (typeof value !== 'object' || value === null) return false;
  const { role, content } = value as { role?: unknown; content?: { type?: unknown } | null };
  return (role === 'user' || role === 'assistant') && typeof content === 'object' && typeof content?.type === 'string';
}
