import { toBase64, type ResourceContents } from '../contracts/content';
import type { ListedResource, ReadResult, ResourceEntry } from '../contracts/resource';
import { ResourceNotFoundError } from '../errors/registry-errors';
import { faultOfListed, faultOfReadResult } from './content-faults';
import { plainJson } from './protocol-operation';
import { ResultMismatch, wellFormed } from './to-tool-result';

/**
 * Turns what `read` returned into the contents of a resource, made of plain JSON. `undefined` is the answer of a template that matches a
 * resource which does not exist. Throws when the value cannot be serialised.
 */
export function toReadResult(value: unknown, { mimeType }: ResourceEntry, uri: string): ReadResult {
  if (value === undefined) throw new ResourceNotFoundError(uri);
  if (typeof value === 'string') return one({ uri, ...typed(mimeType), text: value });
  if (value instanceof Uint8Array) return one({ uri, ...typed(mimeType), blob: toBase64(value) });
  if (isFull(value)) {
    const { contents, resultType: _, ...rest } = plainJson<ReadResult & { resultType?: unknown }>(value);
    const named = contents.map((each) => Object.assign({ uri, ...typed(mimeType) }, each));
    return wellFormed({ ...rest, contents: named }, faultOfReadResult);
  }
  const json = JSON.stringify(value) as string | undefined;
  if (json === undefined) throw new ResultMismatch([`a ${typeof value} is not the contents of a resource`]);
  return one({ uri, ...typed(mimeType ?? 'application/json'), text: json });
}

/** Checks what `list` of a template returned, and makes it plain JSON. */
export function toListedResources(value: unknown): readonly ListedResource[] {
  const listed: unknown = Array.isArray(value) ? plainJson(value) : undefined;
  if (!Array.isArray(listed)) throw new ResultMismatch(['list() gives an array of { uri, name }']);
  return wellFormed(listed as ListedResource[], faultOfListed);
}

function one(contents: ResourceContents): ReadResult {
  return { contents: [contents] };
}

function typed(mimeType: string | undefined): { mimeType?: string } {
  return mimeType === undefined ? {} : { mimeType };
}

function isFull(value: unknown): value is ReadResult {
  const contents: unknown = (value as { contents?: unknown } | null)?.contents;
  return Array.isArray(contents) && contents.every((each: unknown) => isContents(each));
}

function isContents(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { text, blob } = value as Record<string, unknown>;
  return typeof text === 'string' || typeof blob === 'string';
}
