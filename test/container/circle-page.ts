// The circle of docs/modules.md. modules-page.test.ts runs it.
import { forwardRef, Inject, Injectable, Module } from 'perch-mcp';

// #region circle
@Injectable()
export class Author {
  constructor(@Inject(forwardRef(() => Book)) readonly book: { readonly author: Author }) {}
}

@Injectable()
export class Book {
  constructor(readonly author: Author) {}
}
// #endregion circle

@Module({ providers: [Author, Book] })
export class CircleModule {}
