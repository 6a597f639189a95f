import { AppError } from '../http/app-error.ts'

/** The store of papers does not answer, or answers that it cannot. Nothing is wrong with the paper: later it works again. */
export class FileStoreUnreachableError extends AppError {
  constructor(cause: unknown) {
    super('paper_store_unreachable', undefined, { cause, retryAfter: 10 })
  }
}
