import type { Question, SampleParams } from '../../contracts/asking';
import { ToolError } from '../../errors/tool-error';
import { InputDeclined } from '../../errors/input-errors';
import type { ElicitationForms } from './elicitation-form';

/** A request to the client, as both eras send it. */
export interface ClientRequest {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  readonly params: Readonly<Record<string, unknown>>;
}

/** What the client's answer amounts to. A wrong one is asked again. */
export type Verdict =
  { readonly kind: 'good'; readonly value: unknown } | { readonly kind: 'declined'; readonly error: Error } | { readonly kind: 'wrong' };

/** One question: what is sent, which capability it takes, and how its answer is read. */
export interface Inquiry {
  readonly key: string;
  readonly request: ClientRequest;
  /** The capability the client must have declared, as -32021 names it. */
  readonly requires: Readonly<Record<string, object>>;
  readonly read: (response: unknown) => Verdict | Promise<Verdict>;
}

/** Makes inquiries of what handlers ask. */
export class Inquiries {
  constructor(private readonly forms: ElicitationForms) {}

  /** Throws a `TypeError` for a schema that the client's form cannot show. */
  ask(key: string, { message, schema }: Question): Inquiry {
    const form = this.forms.of(schema);
    const params = { mode: 'form', message, requestedSchema: form.requestedSchema };
    return {
      key,
      request: { method: 'elicitation/create', params },
      requires: { elicitation: {} },
      read: async (response) => {
        const { action, content } = fieldsOf(response);
        if (action === 'decline' || action === 'cancel') return { kind: 'declined', error: new InputDeclined(key, action) };
        if (action !== 'accept') return { kind: 'wrong' };
        const bound = await form.bind(content);
        return bound.problems === undefined ? { kind: 'good', value: bound.value } : { kind: 'wrong' };
      },
    };
  }

  sample(key: string, params: SampleParams): Inquiry {
    return {
      key,
      request: { method: 'sampling/createMessage', params: { ...params } },
      requires: { sampling: {} },
      read: (response) => {
        const { role, content, model } = fieldsOf(response);
        return typeof role === 'string' && typeof model === 'string' && content !== undefined
          ? { kind: 'good', value: response }
          : { kind: 'wrong' };
      },
    };
  }

  roots(key: string): Inquiry {
    return {
      key,
      request: { method: 'roots/list', params: {} },
      requires: { roots: {} },
      read: (response) => {
        const { roots } = fieldsOf(response);
        return Array.isArray(roots) && roots.every((root) => typeof fieldsOf(root)['uri'] === 'string')
          ? { kind: 'good', value: roots }
          : { kind: 'wrong' };
      },
    };
  }
}

/** The error when the client never gave an answer that fits. */
export function neverFitted(key: string): ToolError {
  return new ToolError(`The client gave no answer to "${key}" that fits`);
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
