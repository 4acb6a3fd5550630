interface Link<T> {
  readonly value: T;
  next: Link<T> | undefined;
}

/** First in, first out, in constant time however long it has been in use. An array's `shift` and a Map's first key are not. */
export class Queue<T> implements Iterable<T> {
  #first: Link<T> | undefined;
  #last: Link<T> | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get first(): T | undefined {
    return this.#first?.value;
  }

  push(value: T): void {
    const link: Link<T> = { value, next: undefined };
    if (this.#last === undefined) this.#first = link;
    else this.#last.next = link;
    this.#last = link;
    this.#size += 1;
  }

  shift(): T | undefined {
    const link = this.#first;
    if (link === undefined) return undefined;
    this.#first = link.next;
    if (this.#first === undefined) this.#last = undefined;
    this.#size -= 1;
    return link.value;
  }

  *[Symbol.iterator](): Iterator<T> {
    for (let link = this.#first; link !== undefined; link = link.next) yield link.value;
  }
}
